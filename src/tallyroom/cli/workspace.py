"""`tallyroom workspace`: lists workspaces and sets their plans."""

import sys
from typing import Annotated, Literal

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table

from tallyroom.auth.operator import Operator
from tallyroom.cli.user import DataOption, run_as_operator
from tallyroom.core.times import iso_ms

workspace_app = App(name="workspace", help="List workspaces and set their plans.")

_PIPE_WIDTH = 10_000  # a pipe has no width, so ids must not be wrapped


@workspace_app.command(name="list")
def list_workspaces(*, data: DataOption = None) -> None:
    """List all workspaces, oldest first. The server may be running."""
    table = Table("ID", "NAME", "PLAN", "MEMBERS", "CREATED", box=None, pad_edge=False)
    for workspace, member_count in run_as_operator(data, Operator.list_workspaces):
        created_at = iso_ms(workspace.created_at_ms)
        table.add_row(workspace.id, workspace.name, workspace.plan, str(member_count), created_at)
    Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH).print(table)


@workspace_app.command
def set_plan(
    workspace: Annotated[str, Parameter(help="ID or name of the workspace.")],
    plan: Annotated[Literal["free", "paid"], Parameter(help="Its new plan.")],
    /,
    *,
    data: DataOption = None,
) -> None:
    """Set the plan of a workspace, effective from its next request. The server may be running."""
    changed_workspace, previous_plan = run_as_operator(data, lambda operator: operator.set_plan(workspace, plan))
    outcome = f"is already {plan}" if previous_plan == plan else f"is now {plan}; it was {previous_plan}"
    sys.stdout.write(f"{changed_workspace.name} ({changed_workspace.id}) {outcome}.\n")

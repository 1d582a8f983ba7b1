"""The rules of workspaces: the founder owns a workspace, and its time zone must be an IANA time zone."""

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.auth import repository
from tallyroom.auth.audit import Action, record
from tallyroom.auth.granting import find_granting_role
from tallyroom.auth.identity import MembershipOut, WorkspaceOut, membership_out, workspace_out
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unauthorized
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.timezones import check_timezone
from tallyroom.rest.fields import Name
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Workspace


class WorkspaceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new workspace. `timezone` is an IANA name."""

    name: Name
    timezone: str = "UTC"


class WorkspaceChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay as they are. `timezone` is an IANA name."""

    name: Name | UnsetType = UNSET
    timezone: str | UnsetType = UNSET


class WorkspacesOut(msgspec.Struct, rename="camel"):
    """The workspaces that a person belongs to, oldest first."""

    workspaces: list[MembershipOut]


async def list_workspaces(db: Session, principal: MemberPrincipal) -> list[MembershipOut]:
    """List the person's workspaces with their role in each, oldest first."""
    return [
        membership_out(workspace, role)
        for workspace, role in await repository.list_workspaces_and_roles(db, principal.user_id)
    ]


async def create_workspace(
    db: Session,
    principal: MemberPrincipal,
    body: WorkspaceIn,
    settings: Settings,
    clock: Clock,
    id_generator: IdGenerator,
) -> MembershipOut:
    """Create another workspace, which the person owns; raises `ValidationFailed`, or `Conflict` at the maximum.

    The session stays in its current workspace.
    """
    check_timezone(body.timezone, ["timezone"])
    workspace = await set_up_workspace(
        db,
        body.name,
        principal.user_id,
        timezone=body.timezone,
        settings=settings,
        clock=clock,
        id_generator=id_generator,
    )
    return membership_out(workspace, Role.OWNER)


async def current_workspace(db: Session, workspace_id: str) -> WorkspaceOut:
    """Return the workspace of the session."""
    return workspace_out(await _find_workspace(db, workspace_id))


async def change_workspace(
    db: Session, principal: MemberPrincipal, body: WorkspaceChange, clock: Clock, id_generator: IdGenerator
) -> WorkspaceOut:
    """Change the fields in the body; raise `ValidationFailed` for an unknown time zone."""
    await find_granting_role(db, principal)
    workspace = await _find_workspace(db, principal.workspace_id)
    if body.timezone is not UNSET:
        check_timezone(body.timezone, ["timezone"])
    new_values = {
        field: value
        for field in ("name", "timezone")
        if (value := getattr(body, field)) not in {UNSET, getattr(workspace, field)}
    }
    for field, value in new_values.items():
        setattr(workspace, field, value)
    if new_values:
        await record(
            db, principal, Action.WORKSPACE_UPDATE, workspace.id, new_values, clock=clock, id_generator=id_generator
        )
    return workspace_out(workspace)


async def _find_workspace(db: Session, workspace_id: str) -> Workspace:
    workspace = await repository.find_workspace(db, workspace_id)
    if workspace is None:  # it existed when the guard ran
        raise Unauthorized("Sign in first.")
    return workspace

"""Creates workspaces, and brings people into them (rules/people#workspace)."""

from tallyroom.auth import repository
from tallyroom.auth.audit import Action, Initiator, record
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import PRODUCTION
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Membership, Workspace

MAX_WORKSPACES = 100  # the most workspaces that a person can be a member of
FIRST_ENVIRONMENTS = (PRODUCTION, "development")
"""The environments that every workspace starts with; they are never deleted."""


async def set_up_workspace(
    db: Session,
    name: str,
    owner_id: str,
    *,
    timezone: str = "UTC",
    settings: Settings,
    clock: Clock,
    id_generator: IdGenerator,
) -> Workspace:
    """Store a new workspace with its first environments and owner; raises `Conflict` as `add_member` does."""
    now_ms = clock.now_ms()
    workspace = Workspace(
        id=id_generator.new(), name=name, plan=settings.default_plan, timezone=timezone, created_at_ms=now_ms
    )
    await repository.add_workspace(db, workspace, FIRST_ENVIRONMENTS)
    await add_member(db, Membership(user_id=owner_id, workspace_id=workspace.id, role=Role.OWNER, joined_at_ms=now_ms))
    initiator = Initiator(workspace.id, owner_id)
    await record(
        db, initiator, Action.WORKSPACE_CREATE, workspace.id, {"name": name}, clock=clock, id_generator=id_generator
    )
    return workspace


async def add_member(db: Session, membership: Membership) -> None:
    """Make someone a member of a workspace; raise `Conflict` if they are already a member of `MAX_WORKSPACES`."""
    if len(await repository.list_workspaces_and_roles(db, membership.user_id)) >= MAX_WORKSPACES:
        raise Conflict(
            f"You are a member of {MAX_WORKSPACES} workspaces, the maximum. "
            "Leave one first. If you are its only owner, make someone else an owner before you leave."
        )
    await repository.add_membership(db, membership)

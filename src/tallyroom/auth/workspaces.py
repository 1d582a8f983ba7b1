"""Creates workspaces: for a sign-up, for a member who wants another one, or for the operator."""

from tallyroom.auth import repository
from tallyroom.auth.audit import Action, Initiator, record
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import PRODUCTION
from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Session
from tallyroom.db.models import Membership, Workspace

FIRST_ENVIRONMENTS = (PRODUCTION, "development")
"""The environments that every workspace starts with; they are never deleted."""


async def found_workspace(
    db: Session, name: str, owner_id: str, *, settings: Settings, clock: Clock, ids: Ids
) -> Workspace:
    """Store a new workspace on the server's default plan, with its first environments and its first owner."""
    now = clock.now_ms()
    workspace = Workspace(id=ids.new(), name=name, plan=settings.default_plan, timezone="UTC", created_at_ms=now)
    owner = Membership(user_id=owner_id, workspace_id=workspace.id, role=Role.OWNER, joined_at_ms=now)
    await repository.add_workspace(db, workspace, FIRST_ENVIRONMENTS, owner)
    initiator = Initiator(workspace.id, owner_id)
    await record(db, initiator, Action.WORKSPACE_CREATE, workspace.id, {"name": name}, clock=clock, ids=ids)
    return workspace

"""GET and POST /v1/workspaces, GET and PATCH /v1/workspace."""

from litestar import Router, get, patch, post
from litestar.params import JSONBody

from tallyroom.auth.guards import require_admin, require_member, require_session
from tallyroom.auth.identity import MembershipOut, WorkspaceOut
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session
from tallyroom.workspaces.workspaces import service
from tallyroom.workspaces.workspaces.service import WorkspaceChange, WorkspaceIn, WorkspacesOut


@get("/workspaces", guards=[require_session])
async def list_workspaces(db: Injected[Session], principal: Injected[MemberPrincipal]) -> WorkspacesOut:
    """Your workspaces, oldest first, with your role in each."""
    return WorkspacesOut(await service.list_workspaces(db, principal))


@post("/workspaces", guards=[require_session], status_code=201)
async def create_workspace(
    data: JSONBody[WorkspaceIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    settings: Injected[Settings],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> MembershipOut:
    """Create another workspace, which you own. POST /v1/auth/workspace switches to it."""
    return await service.create_workspace(db, principal, data, settings, clock, ids)


@get("/workspace", guards=[require_member])
async def get_workspace(db: Injected[Session], principal: Injected[MemberPrincipal]) -> WorkspaceOut:
    """The current workspace."""
    return await service.current_workspace(db, principal.workspace_id)


@patch("/workspace", guards=[require_admin])
async def change_workspace(
    data: JSONBody[WorkspaceChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> WorkspaceOut:
    """Change the name or the time zone of the current workspace."""
    return await service.change_workspace(db, principal, data, clock, ids)


routes = Router(
    path="/v1", route_handlers=[list_workspaces, create_workspace, get_workspace, change_workspace], tags=["workspaces"]
)

"""GET /v1/members, PATCH and DELETE /v1/members/:id."""

from litestar import Response, Router, delete, get, patch
from litestar.params import FromPath, JSONBody

from tallyroom.auth.cookies import SessionCookies
from tallyroom.auth.guards import require_admin, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session
from tallyroom.workspaces.members import service
from tallyroom.workspaces.members.service import MemberOut, MembersOut, RoleIn


@get("/", guards=[require_member])
async def list_members(db: Injected[Session], principal: Injected[MemberPrincipal]) -> MembersOut:
    """All members of the workspace, in the order in which they joined."""
    return MembersOut(await service.list_members(db, principal.workspace_id))


@patch("/{user_id:str}", guards=[require_admin])
async def change_role(
    user_id: FromPath[str],
    data: JSONBody[RoleIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> MemberOut:
    """Give a member another role, no higher than your own. The last owner cannot be changed."""
    return await service.change_role(db, principal, user_id, data.role, clock, ids)


@delete("/{user_id:str}", guards=[require_member], status_code=204)
async def remove_member(
    user_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    session_cookies: Injected[SessionCookies],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> Response[None]:
    """Remove a member, as an admin or owner, or leave: the member's sessions in this workspace end immediately."""
    await service.remove_member(db, principal, user_id, clock, ids)
    has_left = user_id == principal.user_id
    return Response(None, status_code=204, cookies=session_cookies.build_sign_out_cookies() if has_left else [])


routes = Router(path="/v1/members", route_handlers=[list_members, change_role, remove_member], tags=["members"])

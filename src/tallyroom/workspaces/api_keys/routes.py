"""GET and POST /v1/keys, PATCH and DELETE /v1/keys/:id, GET /v1/key."""

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_developer, require_key, require_member
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.injected import Injected
from tallyroom.rest.path_as_sent import AS_SENT
from tallyroom.storage.metadata.connection import Session
from tallyroom.workspaces.api_keys import service
from tallyroom.workspaces.api_keys.schemas import KeyChange, KeyIn, KeyOut, KeysOut, NewKeyOut, OwnKeyOut


@get("/keys", guards=[require_member])
async def list_keys(db: Injected[Session], principal: Injected[MemberPrincipal]) -> KeysOut:
    """All keys of the workspace, without their secrets."""
    return KeysOut(await service.list_keys(db, principal.workspace_id))


@post("/keys", guards=[require_developer], status_code=201)
async def create_key(
    data: JSONBody[KeyIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> NewKeyOut:
    """Create a key; only this response has its secret."""
    return await service.create_key(db, principal, data, clock, ids)


@patch("/keys/{key_id:str}", guards=[require_developer])
async def change_key(
    key_id: FromPath[str],
    data: JSONBody[KeyChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> KeyOut:
    """Rename a key."""
    return await service.change_key(db, principal, key_id, data, clock, ids)


@delete("/keys/{key_id:str}", guards=[require_developer], status_code=204)
async def revoke_key(
    key_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Revoke a key: it stops working with the next request."""
    await service.revoke_key(db, principal, key_id, clock, ids)


@get("/key", guards=[require_key])
async def get_own_key(
    db: Injected[Session], principal_or_key: Injected[KeyPrincipal], clock: Injected[Clock]
) -> OwnKeyOut:
    """The workspace and the environment of the key that sends this request, its limits, and the server's time."""
    return await service.find_own_key(db, principal_or_key, clock)


routes = Router(
    path="/v1",
    route_handlers=[list_keys, create_key, change_key, revoke_key, get_own_key],
    opt=AS_SENT,
    tags=["keys"],
)

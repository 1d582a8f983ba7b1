"""GET and POST /v1/tokens, DELETE /v1/tokens/:id, for signed-in people only."""

from litestar import Router, delete, get, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.injected import Injected
from tallyroom.rest.path_as_sent import AS_SENT
from tallyroom.storage.metadata.connection import Session
from tallyroom.workspaces.api_tokens import service
from tallyroom.workspaces.api_tokens.service import NewTokenOut, TokenIn, TokensOut


@get("/", guards=[require_member])
async def list_tokens(db: Injected[Session], principal: Injected[MemberPrincipal]) -> TokensOut:
    """Your personal access tokens, without their secrets; admins see the tokens of all members."""
    return TokensOut(await service.list_tokens(db, principal))


@post("/", guards=[require_member], status_code=201)
async def create_token(
    data: JSONBody[TokenIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> NewTokenOut:
    """Create a personal access token; only this response has its secret."""
    return await service.create_token(db, principal, data, clock, ids)


@delete("/{token_id:str}", guards=[require_member], status_code=204)
async def revoke_token(
    token_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Revoke a token: it stops working with the next request."""
    await service.revoke_token(db, principal, token_id, clock, ids)


routes = Router(
    path="/v1/tokens", route_handlers=[list_tokens, create_token, revoke_token], opt=AS_SENT, tags=["tokens"]
)

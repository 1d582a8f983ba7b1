"""GET and POST /v1/tokens, DELETE /v1/tokens/:id. No personal access token gets here."""

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
from tallyroom.workspaces.api_tokens.schemas import NewTokenOut, TokenIn, TokensOut


@get("/", guards=[require_member])
async def list_tokens(db: Injected[Session], principal: Injected[MemberPrincipal]) -> TokensOut:
    """Your own personal access tokens, without their secrets; admins see those of all members."""
    return TokensOut(await service.list_tokens(db, principal))


@post("/", guards=[require_member], status_code=201)
async def create_token(
    data: JSONBody[TokenIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> NewTokenOut:
    """Make a personal access token; the answer has its secret, and nothing will show it again."""
    return await service.create_token(db, principal, data, clock, ids)


@delete("/{token_id:str}", guards=[require_member], status_code=204)
async def revoke_token(
    token_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Revoke a token: the very next request with it is refused."""
    await service.revoke_token(db, principal, token_id, clock, ids)


routes = Router(
    path="/v1/tokens", route_handlers=[list_tokens, create_token, revoke_token], opt=AS_SENT, tags=["tokens"]
)

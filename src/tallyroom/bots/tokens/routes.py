"""GET and POST /v1/stats-tokens, DELETE /v1/stats-tokens/:id."""

from litestar import Router, delete, get, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.bots.tokens import service
from tallyroom.bots.tokens.service import NewStatsTokenOut, StatsTokenIn, StatsTokensOut
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.injected import Injected
from tallyroom.rest.path_as_sent import AS_SENT
from tallyroom.storage.metadata.connection import Session


@get("/", guards=[require_member])
async def list_stats_tokens(db: Injected[Session], principal: Injected[MemberPrincipal]) -> StatsTokensOut:
    """All Statistics API tokens, without their secrets."""
    return StatsTokensOut(await service.list_tokens(db, principal.workspace_id))


@post("/", guards=[require_developer], status_code=201)
async def create_stats_token(
    data: JSONBody[StatsTokenIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> NewStatsTokenOut:
    """Create a Statistics API token; only this response has its secret."""
    return await service.create_token(db, principal, data, clock, ids)


@delete("/{token_id:str}", guards=[require_developer], status_code=204)
async def revoke_stats_token(
    token_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Revoke a token; requests with it are refused immediately."""
    await service.revoke_token(db, principal, token_id, clock, ids)


routes = Router(
    path="/v1/stats-tokens",
    route_handlers=[list_stats_tokens, create_stats_token, revoke_stats_token],
    opt=AS_SENT,
    tags=["statistics"],
)

"""Guards: who may call a route. Every route has exactly one guard (rules/people#guards)."""

from typing import Any

from litestar import Request
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.types import Guard

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import Connection
from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.auth.principals import KeyKind, MemberPrincipal, Principal, StatsPrincipal, StatsScope, TokenScope
from tallyroom.auth.recheck import refuse_role_below, remember_principal, remembered_principal
from tallyroom.auth.roles import Role
from tallyroom.auth.tokens.scopes import accepted_scope_sets, refuse_insufficient_grant
from tallyroom.core.errors import Forbidden, PaidFeature
from tallyroom.storage.metadata.plans import PAID_PLAN


async def public(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit anyone; credentials are ignored."""
    remember_principal(connection, None)


async def require_session(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit any signed-in person, for their own account, but no token."""
    remember_principal(connection, await _authenticator(connection).authenticate_session(connection))


async def require_member(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit a signed-in member of the current workspace: reads."""
    if not _is_options_request(connection):
        await _require_role(connection, handler, Role.VIEWER)


async def require_developer(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit a signed-in developer or higher: writes."""
    await _require_role(connection, handler, Role.DEVELOPER)


async def require_admin(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit a signed-in admin or owner, and no token: management of members and the workspace."""
    await _require_role(connection, handler, Role.ADMIN)


async def require_key(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit an API key of any kind: ingest."""
    remember_principal(connection, await _authenticator(connection).authenticate_key(connection))


async def require_member_or_key(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit a signed-in member or a secret API key: the few reads that are open to programs."""
    principal = await _authenticator(connection).authenticate_member_or_key(connection)
    if isinstance(principal, MemberPrincipal):
        _refuse_insufficient_token(connection, handler, principal, Role.VIEWER)
    elif principal.kind is KeyKind.INGEST:
        raise Forbidden("This API key only sends events. To read, use a key of the kind `secret`.")
    remember_principal(connection, principal)


async def require_paid_member(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit a signed-in member of a paid workspace: reads of groups."""
    await _require_role(connection, handler, Role.VIEWER, paid_only=True)


async def require_paid_developer(connection: Connection, handler: BaseRouteHandler) -> None:
    """Admit a signed-in developer or higher of a paid workspace: writes of group keys. The plan is checked first."""
    await _require_role(connection, handler, Role.DEVELOPER, paid_only=True)


async def require_stats_reader(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit a token of the Statistics API with any scope: reads."""
    if not _is_options_request(connection):
        remember_principal(connection, await _authenticator(connection).authenticate_stats_token(connection))


async def require_stats_feeder(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit a token of the Statistics API that may feed all bots, or the bot in the path."""
    remember_principal(connection, await _authenticate_stats_feeder(connection))


async def require_vote_sender(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit a token that may feed the bot in the path, or a bot list that signed the request with that bot's secret."""
    sender = None
    if isinstance(connection, Request):
        sender = await _authenticator(connection).authenticate_webhook(
            connection, connection.path_params.get(_BOT_ID_PARAMETER, "")
        )
    remember_principal(connection, sender or await _authenticate_stats_feeder(connection))


async def require_scraper(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Admit clients that may read the metrics: by token, from the server's own machine, or everyone."""
    metrics_guard: MetricsGuard = connection.app.state.metrics_guard
    peer = connection.scope["client"]
    if refusal := metrics_guard.find_refusal(peer[0] if peer else "", connection.scope["headers"]):
        raise refusal
    remember_principal(connection, None)


OPEN_GUARDS: frozenset[Guard] = frozenset({public, require_scraper})
"""Guards of routes that anyone may call and that ignore unknown parameters."""

GUARDS = [
    public,
    require_scraper,
    require_session,
    require_member,
    require_developer,
    require_admin,
    require_key,
    require_member_or_key,
    require_paid_member,
    require_paid_developer,
    require_stats_reader,
    require_stats_feeder,
    require_vote_sender,
]

_MIN_ROLE_BY_GUARD: dict[Any, Role] = {
    require_member: Role.VIEWER,
    require_member_or_key: Role.VIEWER,
    require_paid_member: Role.VIEWER,
    require_developer: Role.DEVELOPER,
    require_paid_developer: Role.DEVELOPER,
}
"""Guards that admit personal access tokens, each with the role that the token's maker needs."""

_BOT_ID_PARAMETER = "bot_id"


def find_accepted_scope_sets(handler: HTTPRouteHandler, method: str) -> tuple[frozenset[TokenScope], ...]:
    """Return the scope sets of which a personal access token needs one on a route; empty if it accepts no tokens."""
    min_roles = [_MIN_ROLE_BY_GUARD[guard] for guard in handler.resolve_guards() if guard in _MIN_ROLE_BY_GUARD]
    return accepted_scope_sets(handler, method, min_roles[0]) if min_roles else ()


async def provide_member_principal(request: Request[Any, Any, Any]) -> MemberPrincipal:
    """Provide the dependency `principal` behind a session guard; any other guard is a bug and raises a TypeError."""
    principal = await provide_principal(request)
    if not isinstance(principal, MemberPrincipal):
        raise TypeError(f"{request.url.path} takes a session but no guard asks for one")
    return principal


async def provide_stats_principal(request: Request[Any, Any, Any]) -> StatsPrincipal:
    """Provide the dependency `stats_principal`; a guard outside the Statistics API is a bug and raises a TypeError."""
    principal = await provide_principal(request)
    if not isinstance(principal, StatsPrincipal):
        raise TypeError(f"{request.url.path} takes a token of the Statistics API but no guard asks for one")
    return principal


async def provide_principal(request: Request[Any, Any, Any]) -> Principal:
    """Provide the principal that the guard found; None behind `public`."""
    return remembered_principal(request)


def _is_options_request(connection: Connection) -> bool:
    """Return True for OPTIONS, which anyone may call; the guard of a whole router also runs before it."""
    return connection.scope.get("method") == "OPTIONS"


async def _require_role(
    connection: Connection, handler: BaseRouteHandler, min_role: Role, *, paid_only: bool = False
) -> None:
    principal = await _authenticator(connection).authenticate_member(connection)
    if paid_only and principal.plan != PAID_PLAN:
        raise PaidFeature("Groups are part of the paid plan.")
    _refuse_insufficient_token(connection, handler, principal, min_role)
    refuse_role_below(min_role, principal.role if principal.token_grant is None else principal.token_grant.maker_role)
    remember_principal(connection, principal, min_role)


def _refuse_insufficient_token(
    connection: Connection, handler: BaseRouteHandler, principal: MemberPrincipal, min_role: Role
) -> None:
    if principal.token_grant is not None:
        refuse_insufficient_grant(principal.token_grant, handler, str(connection.scope.get("method")), min_role)


async def _authenticate_stats_feeder(connection: Connection) -> StatsPrincipal:
    principal = await _authenticator(connection).authenticate_stats_token(connection)
    if principal.scope is StatsScope.READ:
        raise Forbidden("This token is read-only.")
    requested_bot_id = connection.path_params.get(_BOT_ID_PARAMETER, principal.bot_id)
    if principal.scope is StatsScope.BOT and requested_bot_id != principal.bot_id:
        raise Forbidden("This token is for another bot.")
    return principal


def _authenticator(connection: Connection) -> Authenticator:
    authenticator: Authenticator = connection.app.state.authenticator
    return authenticator

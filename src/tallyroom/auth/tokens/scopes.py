"""Which routes accept a personal access token, and with which scopes (rules/people#what-a-token-may-do)."""

from typing import NamedTuple

from litestar.handlers import BaseRouteHandler

from tallyroom.auth.principals import TokenGrant, TokenScope
from tallyroom.auth.roles import Role
from tallyroom.core.errors import Forbidden
from tallyroom.rest.methods import SAFE_METHODS

_SCOPES_OPTION = "token_scopes"


class RouteScopes(NamedTuple):
    """The scopes of which a token needs one on a route, and whether it may be limited to an environment."""

    read_scopes: tuple[TokenScope, ...] = (TokenScope.READ,)
    write_scopes: tuple[TokenScope, ...] = (TokenScope.WRITE,)
    accepts_environment_limited: bool = True


TAKES_TOKENS = {_SCOPES_OPTION: RouteScopes()}
"""Reading needs `read`, and writing `write`."""

TAKES_UNLIMITED_TOKENS = {_SCOPES_OPTION: RouteScopes(accepts_environment_limited=False)}
"""Like `TAKES_TOKENS`, for what belongs to the whole workspace: refuses tokens that are limited to an environment."""

TAKES_ANNOTATING_TOKENS = {_SCOPES_OPTION: RouteScopes(write_scopes=(TokenScope.ANNOTATE, TokenScope.WRITE))}
"""Reading needs `read`, and writing `annotate` or `write`."""

TAKES_EXPORTING_TOKENS = {_SCOPES_OPTION: RouteScopes(read_scopes=(TokenScope.EXPORT,), write_scopes=())}
"""Reading needs `export`."""


def accepted_scope_sets(handler: BaseRouteHandler, method: str, min_role: Role) -> tuple[frozenset[TokenScope], ...]:
    """Return the scope sets of which a token needs one on a route; none if the route accepts no tokens."""
    route_scopes: RouteScopes | None = handler.opt.get(_SCOPES_OPTION)
    if route_scopes is None or not Role.DEVELOPER.at_least(min_role):
        return ()
    if min_role is Role.VIEWER:
        return tuple(frozenset({scope}) for scope in route_scopes.read_scopes)
    if method in SAFE_METHODS:
        return tuple(frozenset({scope, TokenScope.WRITE}) for scope in route_scopes.read_scopes)
    return tuple(frozenset({scope}) for scope in route_scopes.write_scopes)


def refuse_insufficient_grant(grant: TokenGrant, handler: BaseRouteHandler, method: str, min_role: Role) -> None:
    """Raise `Forbidden` if a token does not cover the route, which needs the role `min_role`."""
    scope_sets = accepted_scope_sets(handler, method, min_role)
    if not scope_sets:
        raise TokensNotAccepted
    if not any(scopes <= grant.scopes for scopes in scope_sets):
        scope_names = " or ".join(" and ".join(sorted(scopes)) for scopes in scope_sets)
        raise Forbidden(f"This needs a personal access token with the {scope_names} scope.")
    if not handler.opt[_SCOPES_OPTION].accepts_environment_limited:
        refuse_environment_limited(grant)


def refuse_environment_limited(grant: TokenGrant | None) -> None:
    """Raise `Forbidden` for what belongs to the whole workspace, if the token is limited to an environment."""
    if grant is not None and grant.environment is not None:
        raise Forbidden(
            f"This token is limited to the {grant.environment} environment, but this concerns the whole workspace."
        )


class TokensNotAccepted(Forbidden):
    """The route accepts no personal access tokens."""

    def __init__(self) -> None:
        super().__init__("Personal access tokens cannot do this. Sign in instead.")

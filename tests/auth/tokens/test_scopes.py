"""Which routes take a token, and with which scopes (rules/people#what-a-token-may-do)."""

from collections.abc import Sequence
from typing import Any

import pytest
from litestar import Litestar, Router, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from tallyroom.auth.guards import (
    find_accepted_scope_sets,
    require_admin,
    require_developer,
    require_member,
    require_session,
)
from tallyroom.auth.principals import TokenGrant, TokenScope
from tallyroom.auth.roles import Role
from tallyroom.auth.tokens.scopes import (
    TAKES_ANNOTATING_TOKENS,
    TAKES_EXPORTING_TOKENS,
    TAKES_TOKENS,
    TAKES_UNLIMITED_TOKENS,
    refuse_insufficient_grant,
)
from tallyroom.core.errors import Forbidden

READ, WRITE, ANNOTATE, EXPORT = TokenScope
ALL = frozenset(TokenScope)


def handlers(guard: Any, opt: dict[str, Any]) -> dict[str, HTTPRouteHandler]:
    """The handlers of a router with this guard and these options."""

    @get("/")
    async def read() -> None:
        pass

    @post("/")
    async def write() -> None:
        pass

    router = Router("/", route_handlers=[read, write], guards=[guard], opt=opt)
    return routed(router)


def routed(router: Router) -> dict[str, HTTPRouteHandler]:
    """The handlers of a router once an app has it."""
    routes = Litestar([router], openapi_config=None).routes
    [found] = [each.route_handler_map for each in routes if isinstance(each, HTTPRoute) and each.path == "/"]
    return {method: handler for method, (handler, _) in found.items()}


@pytest.mark.parametrize(
    ("guard", "opt", "reads", "writes"),
    [
        (require_developer, {}, (), ()),
        (require_developer, TAKES_TOKENS, ({READ, WRITE},), ({WRITE},)),  # viewers may not read it
        (require_developer, TAKES_UNLIMITED_TOKENS, ({READ, WRITE},), ({WRITE},)),
        (require_developer, TAKES_ANNOTATING_TOKENS, ({READ, WRITE},), ({ANNOTATE}, {WRITE})),
        (require_developer, TAKES_EXPORTING_TOKENS, ({EXPORT, WRITE},), ()),
        (require_member, TAKES_TOKENS, ({READ},), ({READ},)),  # a POST that only asks
        (require_member, {}, (), ()),
        (require_admin, TAKES_TOKENS, (), ()),
        (require_session, TAKES_TOKENS, (), ()),
    ],
)
def test_what_a_route_needs(
    guard: Any, opt: dict[str, Any], reads: Sequence[set[TokenScope]], writes: Sequence[set[TokenScope]]
) -> None:
    made = handlers(guard, opt)
    assert list(find_accepted_scope_sets(made["GET"], "GET")) == [frozenset(each) for each in reads]
    assert list(find_accepted_scope_sets(made["POST"], "POST")) == [frozenset(each) for each in writes]


def test_an_option_of_a_handler_is_stronger_than_that_of_its_router() -> None:
    @get("/", guards=[require_member], opt=TAKES_EXPORTING_TOKENS)
    async def read() -> None:
        pass

    router = Router("/", route_handlers=[read], opt=TAKES_TOKENS | {"other": True})
    handler = routed(router)["GET"]
    assert (find_accepted_scope_sets(handler, "GET"), handler.opt["other"]) == ((frozenset({EXPORT}),), True)


@pytest.mark.parametrize("least", [Role.ADMIN, Role.OWNER])
def test_no_token_does_what_takes_an_admin(least: Role) -> None:
    handler = handlers(require_member, TAKES_TOKENS)["GET"]
    with pytest.raises(Forbidden, match="Sign in instead"):
        refuse_insufficient_grant(grant(ALL), handler, "GET", least)


def test_a_missing_scope_is_named() -> None:
    handler = handlers(require_developer, TAKES_ANNOTATING_TOKENS)["POST"]
    for scope in (ANNOTATE, WRITE):
        refuse_insufficient_grant(grant(frozenset({scope})), handler, "POST", Role.DEVELOPER)
    with pytest.raises(Forbidden, match="with the annotate or write scope"):
        refuse_insufficient_grant(grant(frozenset({READ, EXPORT})), handler, "POST", Role.DEVELOPER)


def test_a_limited_token_is_kept_from_what_belongs_to_all() -> None:
    limited = grant(ALL, "staging")
    refuse_insufficient_grant(limited, handlers(require_member, TAKES_TOKENS)["GET"], "GET", Role.VIEWER)
    refuse_insufficient_grant(grant(ALL), handlers(require_member, TAKES_UNLIMITED_TOKENS)["GET"], "GET", Role.VIEWER)
    with pytest.raises(Forbidden, match="limited to the staging environment"):
        refuse_insufficient_grant(limited, handlers(require_member, TAKES_UNLIMITED_TOKENS)["GET"], "GET", Role.VIEWER)


def grant(scopes: frozenset[TokenScope], environment: str | None = None) -> TokenGrant:
    return TokenGrant("t", scopes, environment, None, Role.OWNER)

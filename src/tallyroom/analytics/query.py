"""POST /v1/query: a question that is asked without saving a widget (rules/boards#widget-data).

It is a read, which holds no transaction while the event store is asked, and never the write lock.
"""

from typing import Any

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from tallyroom.analytics.widgets.configs import kind_of, sent_config
from tallyroom.auth.guards import require_member
from tallyroom.auth.recheck import refuse_below
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ranges import TimeRange
from tallyroom.db.connection import Database
from tallyroom.engine.answer import Engine, WidgetQuestion
from tallyroom.engine.config import Result
from tallyroom.engine.kinds.external import ExternalConfig, check_source
from tallyroom.engine.repository import find_source
from tallyroom.rest.body_limits import CONFIG_BODY_BYTES
from tallyroom.rest.injected import Injected


class QueryIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A question as a widget would ask it; `config` is what the type takes."""

    environment: str
    time_range: TimeRange
    type: str
    config: dict[str, Any]


async def _answer(
    database: Database, engine: Engine, principal: SessionPrincipal, body: QueryIn, rules: OutboundRules
) -> Result:
    """Return the answer of a widget of this type and config.

    Raises:
        ValidationFailed: no such type or environment, or a config that does not fit the type.
        Forbidden: a viewer asks for an External widget, of which only developers may choose the address.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    kind = kind_of(body.type)
    config = await sent_config(kind, body.config)
    scope = scope_of(principal, body.environment, database)
    if isinstance(config, ExternalConfig):
        refuse_below(Role.DEVELOPER, principal.role)  # the source's token is sent along
        source = find_source(database, scope.workspace_id, config.source_id)
        check_source(config, source and source.host, rules)
    return await engine.answer(WidgetQuestion(scope=scope, time_range=body.time_range, kind=kind, config=config))


@post("/", guards=[require_member], status_code=200, asks=True)
async def run_query(
    data: JSONBody[QueryIn],
    database: Injected[Database],
    engine: Injected[Engine],
    principal: Injected[SessionPrincipal],
    outbound_rules: Injected[OutboundRules],
) -> Result:
    """Run a widget's config without saving it, as a preview."""
    return await _answer(database, engine, principal, data, outbound_rules)


routes = Router(
    path="/v1/query",
    route_handlers=[run_query],
    request_max_body_size=CONFIG_BODY_BYTES,
    opt=TAKES_TOKENS,
    tags=["widgets"],
)

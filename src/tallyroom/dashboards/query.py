"""POST /v1/query, and what is behind its answer: a question without a saved widget (rules/boards#widget-data).

All are reads: they hold no transaction during the query, and never the write lock.
"""

from typing import Any

import msgspec
from litestar import Request, Router, post
from litestar.params import JSONBody
from msgspec import UNSET, UnsetType

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import refuse_role_below
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ranges import CalendarRange, RollingRange
from tallyroom.dashboards.kinds.external.question import ExternalConfig, check_source
from tallyroom.dashboards.widgets.answers import DrillDownOperation, DrillDownRequest, answer_drill_down
from tallyroom.dashboards.widgets.configs import find_kind, read_sent_config
from tallyroom.dashboards.widgets.schemas import DEFAULT_DIFFERENCES, Behind, DifferenceLimit, PageLimit, Spot
from tallyroom.dashboards.widgets.sources import check_source_use
from tallyroom.queries.answer import QuestionEngine, WidgetQuestion
from tallyroom.queries.config import Result
from tallyroom.queries.differences.differences import ComparedBy, DifferenceRequest, Differences
from tallyroom.queries.question import ChosenInterval, Comparison
from tallyroom.queries.repository import find_source
from tallyroom.rest.body_limits import CONFIG_BODY_BYTES
from tallyroom.rest.injected import Injected
from tallyroom.rest.spreadsheet import accepts_csv
from tallyroom.rest.time_ranges import resolve_time_range
from tallyroom.storage.metadata.connection import Database


class QueryIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A question as a widget would ask it. Send either `timeRange`, or `from` and `to`.

    With `foldSeries`, an answer over time has a series for at most eight labels, and one of the kind `other` for all
    further labels.
    """

    environment: str
    type: str
    config: dict[str, Any]
    time_range: RollingRange | CalendarRange | UnsetType = UNSET
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    interval: ChosenInterval | None = None
    compare: Comparison | None = None
    fold_series: bool = False


class QueryActorsIn(QueryIn):
    """A question about the actors or groups behind the number `at` of an answer.

    `limit` is at most 200, except for a file, which has all. `cursor` is `next` from the previous page.
    """

    at: Spot = Spot()
    limit: PageLimit | None = None
    cursor: str | None = None


class QueryDifferencesIn(QueryIn):
    """A question about what is different about the events behind the number `at` of an answer.

    `by` compares events, or the actors or groups that have them; funnels and retention compare only these.
    """

    at: Spot = Spot()
    by: ComparedBy | None = None
    limit: DifferenceLimit = DEFAULT_DIFFERENCES


async def _build_question(
    database: Database, principal: MemberPrincipal, body: QueryIn, outbound_rules: OutboundRules
) -> WidgetQuestion:
    """Return the question of a widget of this type and config.

    Raises `ValidationFailed` for an invalid body. For an External widget, raises `Forbidden` for a viewer, because only
    developers may choose its address, and for a token that is limited to an environment.
    """
    kind, time_range = find_kind(body.type), resolve_time_range(body.time_range, body.from_, body.to)
    config = await read_sent_config(kind, body.config)
    scope = await scope_of(principal, body.environment, database)
    check_source_use(principal, config)
    if isinstance(config, ExternalConfig):
        refuse_role_below(Role.DEVELOPER, principal.role)  # the request carries the source's token
        source = await find_source(database, scope.workspace_id, config.source_id)
        check_source(config, source and source.host, outbound_rules)
    return WidgetQuestion(
        scope=scope,
        time_range=time_range,
        kind=kind,
        config=config,
        interval=body.interval,
        comparison=body.compare,
        folds_series=body.fold_series,
    )


@post("/", guards=[require_member], status_code=200, asks=True)
async def run_query(
    data: JSONBody[QueryIn],
    database: Injected[Database],
    engine: Injected[QuestionEngine],
    principal: Injected[MemberPrincipal],
    outbound_rules: Injected[OutboundRules],
) -> Result:
    """Run a widget's config without saving it."""
    return await engine.answer(await _build_question(database, principal, data, outbound_rules))


@post("/actors", guards=[require_member], status_code=200, asks=True, operation_class=DrillDownOperation)
async def list_actors_behind(
    request: Request[Any, Any, Any],
    data: JSONBody[QueryActorsIn],
    database: Injected[Database],
    engine: Injected[QuestionEngine],
    principal: Injected[MemberPrincipal],
    outbound_rules: Injected[OutboundRules],
) -> Behind:
    """The actors behind a number in an answer, or the groups if it counts groups.

    With `Accept: text/csv`, all of them as a file.
    """
    question = await _build_question(database, principal, data, outbound_rules)
    wants_csv = accepts_csv(request.headers.get("accept", ""))
    return await answer_drill_down(engine, question, DrillDownRequest(data.at, data.limit, data.cursor, wants_csv))


@post("/differences", guards=[require_member], status_code=200, asks=True)
async def find_differences(
    data: JSONBody[QueryDifferencesIn],
    database: Injected[Database],
    engine: Injected[QuestionEngine],
    principal: Injected[MemberPrincipal],
    outbound_rules: Injected[OutboundRules],
) -> Differences:
    """What is different about the events behind a number in an answer, compared with all events of the question."""
    question = await _build_question(database, principal, data, outbound_rules)
    return await engine.find_differences(question, DifferenceRequest(data.at, data.by, data.limit))


routes = Router(
    path="/v1/query",
    route_handlers=[run_query, list_actors_behind, find_differences],
    request_max_body_size=CONFIG_BODY_BYTES,
    opt=TAKES_TOKENS,
    tags=["widgets"],
)

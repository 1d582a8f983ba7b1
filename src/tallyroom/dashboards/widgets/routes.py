"""The widgets of a dashboard, their data, and what is behind it (rules/boards#widget).

The data and what is behind it are reads: they hold no transaction during the query, and never the write lock.
"""

from typing import Any

from litestar import Request, Router, delete, patch, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.widgets import service
from tallyroom.dashboards.widgets.answers import (
    DrillDownOperation,
    DrillDownRequest,
    answer_drill_down,
    load_widget_question,
)
from tallyroom.dashboards.widgets.schemas import (
    Behind,
    BehindIn,
    DataIn,
    DifferencesIn,
    OrderIn,
    WidgetChange,
    WidgetIn,
    WidgetOut,
    WidgetsOut,
)
from tallyroom.queries.answer import QuestionEngine
from tallyroom.queries.config import Result
from tallyroom.queries.differences.differences import DifferenceRequest, Differences
from tallyroom.rest.body_limits import CONFIG_BODY_BYTES
from tallyroom.rest.injected import Injected
from tallyroom.rest.spreadsheet import accepts_csv
from tallyroom.storage.metadata.connection import Database, Session


@post("/dashboards/{dashboard_id:str}/widgets", guards=[require_developer], status_code=201)
async def add_widget(
    dashboard_id: FromPath[str],
    data: JSONBody[WidgetIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
    outbound_rules: Injected[OutboundRules],
) -> WidgetOut:
    """Add a widget after the others of a dashboard."""
    return await service.add_widget(db, principal, dashboard_id, data, clock, ids, outbound_rules)


@post("/dashboards/{dashboard_id:str}/widgets/reorder", guards=[require_developer], status_code=200)
async def reorder_widgets(
    dashboard_id: FromPath[str], data: JSONBody[OrderIn], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> WidgetsOut:
    """Reorder all widgets of a dashboard to match `widgetIds`."""
    return WidgetsOut(await service.reorder_widgets(db, principal, dashboard_id, data.widget_ids))


@patch("/widgets/{widget_id:str}", guards=[require_developer])
async def change_widget(
    widget_id: FromPath[str],
    data: JSONBody[WidgetChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
    outbound_rules: Injected[OutboundRules],
) -> WidgetOut:
    """Change a widget; a new `type` needs a matching `config`."""
    return await service.change_widget(db, principal, widget_id, data, clock, ids, outbound_rules)


@delete("/widgets/{widget_id:str}", guards=[require_developer], status_code=204)
async def delete_widget(
    widget_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete a widget. The widgets after it move up."""
    await service.delete_widget(db, principal, widget_id, clock, ids)


@post("/widgets/{widget_id:str}/data", guards=[require_member], status_code=200, asks=True)
async def answer_widget(
    widget_id: FromPath[str],
    database: Injected[Database],
    engine: Injected[QuestionEngine],
    principal: Injected[MemberPrincipal],
    data: JSONBody[DataIn | None] = None,
) -> Result:
    """Run a widget's query over the time range of the request or of the dashboard. The body may be empty."""
    return await engine.answer(await load_widget_question(database, principal, widget_id, data or DataIn()))


@post(
    "/widgets/{widget_id:str}/actors",
    guards=[require_member],
    status_code=200,
    asks=True,
    operation_class=DrillDownOperation,
)
async def list_actors_behind(
    request: Request[Any, Any, Any],
    widget_id: FromPath[str],
    database: Injected[Database],
    engine: Injected[QuestionEngine],
    principal: Injected[MemberPrincipal],
    data: JSONBody[BehindIn | None] = None,
) -> Behind:
    """The actors behind a number in a widget's answer, or the groups if it counts groups.

    With `Accept: text/csv`, all of them as a file. The body may be empty.
    """
    body = data or BehindIn()
    question = await load_widget_question(database, principal, widget_id, body)
    wants_csv = accepts_csv(request.headers.get("accept", ""))
    return await answer_drill_down(engine, question, DrillDownRequest(body.at, body.limit, body.cursor, wants_csv))


@post("/widgets/{widget_id:str}/differences", guards=[require_member], status_code=200, asks=True)
async def find_differences(
    widget_id: FromPath[str],
    data: JSONBody[DifferencesIn],
    database: Injected[Database],
    engine: Injected[QuestionEngine],
    principal: Injected[MemberPrincipal],
) -> Differences:
    """What is different about the events behind a number in a widget's answer, compared with all of its events."""
    question = await load_widget_question(database, principal, widget_id, data)
    return await engine.find_differences(question, DifferenceRequest(data.at, data.by, data.limit))


routes = Router(
    path="/v1",
    route_handlers=[
        add_widget,
        reorder_widgets,
        change_widget,
        delete_widget,
        answer_widget,
        list_actors_behind,
        find_differences,
    ],
    request_max_body_size=CONFIG_BODY_BYTES,
    opt=TAKES_TOKENS,
    tags=["widgets"],
)

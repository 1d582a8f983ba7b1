"""The answers of widgets, and who is behind a number of one (rules/boards#widget-data).

The list of those behind a number comes page by page, or as one file: rules/questions#behind-a-number.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import msgspec
from litestar import Response
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from msgspec import UNSET

from tallyroom.auth.principals import SessionPrincipal
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.widgets.configs import kind_of, stored_config
from tallyroom.dashboards.widgets.schemas import ActorsBehind, Behind, BehindPage, DataIn, GroupsBehind
from tallyroom.dashboards.widgets.service import dashboard_filters, find_placed
from tallyroom.dashboards.widgets.sources import check_use
from tallyroom.queries.activity import ActorRow, GroupRow
from tallyroom.queries.answer import Engine, WidgetQuestion
from tallyroom.queries.config import Result
from tallyroom.queries.data_point import Spot
from tallyroom.queries.drill_down import UnitList, UnitRow
from tallyroom.queries.filters import check_filters
from tallyroom.queries.patterns import check_patterns
from tallyroom.rest.spreadsheet import BYTE_ORDER_MARK, CSV, MEDIA_TYPE, csv_lines
from tallyroom.rest.streamed import FileResponse
from tallyroom.rest.time_ranges import requested_range
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
ROWS_OF_PIECE = 10_000

_ACTOR_COLUMNS = ("actorKey", "label", "eventCount", "firstSeen", "lastSeen")
_GROUP_COLUMNS = ("groupKey", "eventCount", "lastSeen")


@dataclass
class BehindOperation(Operation):
    """The entry in the API reference of a route that answers such a list."""

    def __post_init__(self) -> None:
        """Add the file to what the framework found out."""
        for response in (self.responses or {}).values():
            if isinstance(response, OpenAPIResponse) and response.content:
                response.content[CSV] = OpenAPIMediaType(Schema(type=OpenAPIType.STRING))
                break


class BehindRequest(NamedTuple):
    """Which number, which page of the list behind it, and whether the whole list is wanted as a file."""

    spot: Spot
    limit: int | None
    cursor: str | None
    as_csv: bool


async def answer_data(
    database: Database, engine: Engine, principal: SessionPrincipal, widget_id: str, body: DataIn
) -> Result:
    """Return the data of a widget for what is asked, or for its dashboard's time range.

    Raises:
        NotFound: the workspace has no such widget.
        ValidationFailed: what is asked is not valid.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    return await engine.answer(await question_of(database, principal, widget_id, body))


async def question_of(database: Database, principal: SessionPrincipal, widget_id: str, body: DataIn) -> WidgetQuestion:
    """Return the question of a widget for what is asked, or for its dashboard's time range.

    Raises:
        NotFound: the workspace has no such widget.
        ValidationFailed: what is asked is not valid.
        Forbidden: the widget uses an external source, which a limited token may not.
    """
    check_filters(body.filters, ["filters"])
    await check_patterns(body.filters, ["filters"])
    async with database.session(write=False) as db:
        widget, dashboard = await find_placed(db, principal, widget_id)
    kind = kind_of(widget.type)
    config = stored_config(kind, widget.config)
    check_use(principal, config)
    return WidgetQuestion(
        scope=Scope(principal.workspace_id, dashboard.environment),
        time_range=requested_range(body.time_range, body.from_, body.to, dashboard.time_range),
        kind=kind,
        config=config,
        filters=(*dashboard_filters(dashboard, widget), *body.filters),
        interval=body.interval,
        compare=body.compare,
    )


async def answer_behind(engine: Engine, question: WidgetQuestion, request: BehindRequest) -> Behind:
    """Return a page of those whose events made a number, or all of them as CSV.

    Raises:
        ValidationFailed: the answer has no such number, or the cursor belongs to another question.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    if request.as_csv:
        return cast("Behind", await _file(await engine.behind(question, request.spot)))
    limit = min(request.limit or DEFAULT_LIMIT, MAX_LIMIT)
    list_key = _sealed(question, request.spot)
    after = decode_cursor(request.cursor, BehindPage, list_key) if request.cursor is not None else None
    if after:
        question = msgspec.structs.replace(question, until_ms=after.asked_ms)
    unit_list = await engine.behind(question, request.spot)
    unit_page = await unit_list.page(limit + 1, (after.event_count, after.unit) if after else None)
    page = unit_page.units[:limit]
    last = BehindPage(unit_list.asked_ms, page[-1].event_count, page[-1].unit) if len(unit_page.units) > limit else None
    following = encode_cursor(last, list_key) if last else None
    if unit_list.count == "group":
        return GroupsBehind(unit_page.total, _groups(page), following, unit_list.notices)
    return ActorsBehind(unit_page.total, await _actors(unit_list, page), following, unit_list.notices)


def _sealed(question: WidgetQuestion, spot: Spot) -> tuple[object, ...]:
    """Return what the list depends on."""
    scope, kind = question.scope, question.kind.name
    scope_ids = (scope.workspace_id, scope.environment)
    return ("behind", *scope_ids, question.time_range, kind, question.config, question.filters, question.interval, spot)


async def _file(unit_list: UnitList) -> Response[Any]:
    """Return the response with all units; the first piece is ready when this returns."""
    units = (await unit_list.page(ROWS_OF_PIECE)).units
    head = csv_lines([_GROUP_COLUMNS if unit_list.count == "group" else _ACTOR_COLUMNS])
    first = BYTE_ORDER_MARK + head + await _lines(unit_list, units)
    headers = {
        "content-disposition": f'attachment; filename="{unit_list.count}s.csv"',
        "vary": "accept",
    }
    if unit_list.notices is not UNSET:
        headers["tallyroom-notice"] = ", ".join(notice.code for notice in unit_list.notices)
    return FileResponse(_pieces(unit_list, first, units), MEDIA_TYPE, headers)


async def _pieces(unit_list: UnitList, piece: bytes, units: Sequence[UnitRow]) -> AsyncIterator[bytes]:
    yield piece
    while len(units) == ROWS_OF_PIECE:
        units = (await unit_list.page(ROWS_OF_PIECE, (units[-1].event_count, units[-1].unit))).units
        yield await _lines(unit_list, units)


async def _lines(unit_list: UnitList, units: Sequence[UnitRow]) -> bytes:
    rows = _groups(units) if unit_list.count == "group" else await _actors(unit_list, units)
    return csv_lines(msgspec.structs.astuple(row) for row in rows)


async def _actors(unit_list: UnitList, units: Sequence[UnitRow]) -> list[ActorRow]:
    labels = await unit_list.labels(units)
    return [
        ActorRow(row.unit, labels.get(row.unit), row.event_count, iso_ms(row.first_ms), iso_ms(row.last_ms))
        for row in units
    ]


def _groups(units: Sequence[UnitRow]) -> list[GroupRow]:
    return [GroupRow(row.unit, row.event_count, iso_ms(row.last_ms)) for row in units]

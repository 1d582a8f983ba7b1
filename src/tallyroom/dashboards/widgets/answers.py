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

from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.widgets.configs import kind_of, stored_config
from tallyroom.dashboards.widgets.schemas import ActorsBehind, Behind, BehindPage, DataIn, GroupsBehind
from tallyroom.dashboards.widgets.service import dashboard_filters, find_placed
from tallyroom.dashboards.widgets.sources import check_use
from tallyroom.queries.activity import ActorRow, GroupRow
from tallyroom.queries.answer import Engine, WidgetQuestion
from tallyroom.queries.behind import UnitList, UnitRow
from tallyroom.queries.config import Result
from tallyroom.queries.filters import check_filters
from tallyroom.queries.patterns import check_patterns
from tallyroom.queries.spot import Spot
from tallyroom.rest.spans import asked_span
from tallyroom.rest.spreadsheet import BYTE_ORDER_MARK, CSV, MEDIA_TYPE, csv_lines
from tallyroom.rest.streamed import FileResponse
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
    database: Database, engine: Engine, principal: SessionPrincipal, widget_id: str, asked: DataIn
) -> Result:
    """Return the data of a widget for what is asked, or for its dashboard's span.

    Raises:
        NotFound: the workspace has no such widget.
        ValidationFailed: what is asked is not valid.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    return await engine.answer(await question_of(database, principal, widget_id, asked))


async def question_of(database: Database, principal: SessionPrincipal, widget_id: str, asked: DataIn) -> WidgetQuestion:
    """Return the question of a widget for what is asked, or for its dashboard's span.

    Raises:
        NotFound: the workspace has no such widget.
        ValidationFailed: what is asked is not valid.
        Forbidden: the widget uses an external source, which a limited token may not.
    """
    check_filters(asked.filters, ["filters"])
    await check_patterns(asked.filters, ["filters"])
    async with database.session(write=False) as db:
        widget, dashboard = await find_placed(db, principal, widget_id)
    kind = kind_of(widget.type)
    config = stored_config(kind, widget.config)
    check_use(principal, config)
    return WidgetQuestion(
        scope=Scope(principal.workspace_id, dashboard.environment),
        span=asked_span(asked.time_range, asked.from_, asked.to, dashboard.time_range),
        kind=kind,
        config=config,
        filters=(*dashboard_filters(dashboard, widget), *asked.filters),
        interval=asked.interval,
        compare=asked.compare,
    )


async def answer_behind(engine: Engine, question: WidgetQuestion, asked: BehindRequest) -> Behind:
    """Return a page of those whose events made a number, or all of them as CSV.

    Raises:
        ValidationFailed: the answer has no such number, or the cursor belongs to another question.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    if asked.as_csv:
        return cast("Behind", await _file(await engine.behind(question, asked.spot)))
    limit = min(asked.limit or DEFAULT_LIMIT, MAX_LIMIT)
    sealed = _sealed(question, asked.spot)
    after = decode_cursor(asked.cursor, BehindPage, sealed) if asked.cursor is not None else None
    if after:
        question = msgspec.structs.replace(question, until_ms=after.asked_ms)
    listed = await engine.behind(question, asked.spot)
    found = await listed.page(limit + 1, (after.event_count, after.unit) if after else None)
    page = found.units[:limit]
    last = BehindPage(listed.asked_ms, page[-1].event_count, page[-1].unit) if len(found.units) > limit else None
    following = encode_cursor(last, sealed) if last else None
    if listed.count == "group":
        return GroupsBehind(found.total, _groups(page), following, listed.notices)
    return ActorsBehind(found.total, await _actors(listed, page), following, listed.notices)


def _sealed(question: WidgetQuestion, spot: Spot) -> tuple[object, ...]:
    """Return what the list depends on."""
    scope, kind = question.scope, question.kind.name
    whose = (scope.workspace_id, scope.environment)
    return ("behind", *whose, question.span, kind, question.config, question.filters, question.interval, spot)


async def _file(listed: UnitList) -> Response[Any]:
    """Return the response with all units; the first piece is ready when this returns."""
    found = (await listed.page(ROWS_OF_PIECE)).units
    head = csv_lines([_GROUP_COLUMNS if listed.count == "group" else _ACTOR_COLUMNS])
    first = BYTE_ORDER_MARK + head + await _lines(listed, found)
    headers = {
        "content-disposition": f'attachment; filename="{listed.count}s.csv"',
        "vary": "accept",
    }
    if listed.notices is not UNSET:
        headers["tallyroom-notice"] = ", ".join(notice.code for notice in listed.notices)
    return FileResponse(_pieces(listed, first, found), MEDIA_TYPE, headers)


async def _pieces(listed: UnitList, piece: bytes, found: Sequence[UnitRow]) -> AsyncIterator[bytes]:
    yield piece
    while len(found) == ROWS_OF_PIECE:
        found = (await listed.page(ROWS_OF_PIECE, (found[-1].event_count, found[-1].unit))).units
        yield await _lines(listed, found)


async def _lines(listed: UnitList, found: Sequence[UnitRow]) -> bytes:
    rows = _groups(found) if listed.count == "group" else await _actors(listed, found)
    return csv_lines(msgspec.structs.astuple(row) for row in rows)


async def _actors(listed: UnitList, found: Sequence[UnitRow]) -> list[ActorRow]:
    labels = await listed.labels(found)
    return [
        ActorRow(each.unit, labels.get(each.unit), each.event_count, iso_ms(each.first_ms), iso_ms(each.last_ms))
        for each in found
    ]


def _groups(found: Sequence[UnitRow]) -> list[GroupRow]:
    return [GroupRow(each.unit, each.event_count, iso_ms(each.last_ms)) for each in found]

"""The answers of widgets, and the actors or groups behind a number (rules/questions#who-is-behind-a-number)."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import msgspec
from litestar import Response
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from msgspec import UNSET

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.widgets.questions import build_stored_question
from tallyroom.dashboards.widgets.schemas import ActorsBehind, Behind, DataIn, DrillDownPosition, GroupsBehind
from tallyroom.dashboards.widgets.service import find_placed_widget
from tallyroom.dashboards.widgets.sources import check_source_use
from tallyroom.queries.activity import ActorRow, GroupRow
from tallyroom.queries.answer import QuestionEngine, WidgetQuestion
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.drill_down import UnitList, UnitRow
from tallyroom.queries.filters import check_filters
from tallyroom.queries.patterns import check_patterns
from tallyroom.rest.notice_header import NOTICE_HEADER, format_notice_header
from tallyroom.rest.spreadsheet import BYTE_ORDER_MARK, CSV, MEDIA_TYPE, encode_csv
from tallyroom.rest.streamed import FileResponse
from tallyroom.rest.time_ranges import resolve_time_range
from tallyroom.storage.metadata.connection import Database

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
ROWS_PER_PIECE = 10_000

_ACTOR_COLUMNS = ("actorKey", "label", "eventCount", "firstSeen", "lastSeen")
_GROUP_COLUMNS = ("groupKey", "eventCount", "lastSeen")


@dataclass
class DrillDownOperation(Operation):
    """The API reference's entry for a route that sends such a list as JSON or CSV."""

    def __post_init__(self) -> None:
        """Add the media type of the file."""
        for response in (self.responses or {}).values():
            if isinstance(response, OpenAPIResponse) and response.content:
                response.content[CSV] = OpenAPIMediaType(Schema(type=OpenAPIType.STRING))
                break


class DrillDownRequest(NamedTuple):
    """Which number, which page of the list behind it, and whether to send the whole list as a file."""

    data_point: DataPoint
    limit: int | None
    cursor: str | None
    wants_csv: bool


async def load_widget_question(
    database: Database, principal: MemberPrincipal, widget_id: str, body: DataIn
) -> WidgetQuestion:
    """Return the question of a widget; raise `NotFound`, `ValidationFailed`, or `Forbidden` for a limited token."""
    check_filters(body.filters, ["filters"])
    await check_patterns(body.filters, ["filters"])
    async with database.session(write=False) as db:
        widget, dashboard = await find_placed_widget(db, principal, widget_id)
    question = build_stored_question(widget, dashboard)
    check_source_use(principal, question.config)
    return msgspec.structs.replace(
        question,
        time_range=resolve_time_range(body.time_range, body.from_, body.to, dashboard.time_range),
        filters=(*question.filters, *body.filters),
        interval=body.interval,
        comparison=body.compare,
        folds_series=body.fold_series,
    )


async def answer_drill_down(
    engine: QuestionEngine, question: WidgetQuestion, drill_down_request: DrillDownRequest
) -> Behind:
    """Return a page of the units whose events made a number, or all of them as CSV.

    Raises the errors of `QuestionEngine.drill_down`, and `ValidationFailed` for the cursor of another question.
    """
    if drill_down_request.wants_csv:
        return cast(
            "Behind", await _build_file_response(await engine.drill_down(question, drill_down_request.data_point))
        )
    limit = min(drill_down_request.limit or DEFAULT_LIMIT, MAX_LIMIT)
    cursor_scope = _build_cursor_scope(question, drill_down_request.data_point)
    after_position = None
    if drill_down_request.cursor is not None:
        after_position = decode_cursor(drill_down_request.cursor, DrillDownPosition, cursor_scope)
        question = msgspec.structs.replace(question, asked_ms=after_position.asked_ms)
    unit_list = await engine.drill_down(question, drill_down_request.data_point)
    unit_page = await unit_list.fetch_page(
        limit + 1, (after_position.event_count, after_position.unit) if after_position else None
    )
    page_rows = unit_page.units[:limit]
    next_cursor = None
    if len(unit_page.units) > limit:
        last_position = DrillDownPosition(unit_list.asked_ms, page_rows[-1].event_count, page_rows[-1].unit)
        next_cursor = encode_cursor(last_position, cursor_scope)
    if unit_list.unit_kind == "group":
        return GroupsBehind(unit_page.unit_count, _build_group_rows(page_rows), next_cursor, unit_list.notices)
    return ActorsBehind(
        unit_page.unit_count, await _build_actor_rows(unit_list, page_rows), next_cursor, unit_list.notices
    )


def _build_cursor_scope(question: WidgetQuestion, data_point: DataPoint) -> tuple[object, ...]:
    scope_ids = (question.scope.workspace_id, question.scope.environment)
    view = (question.filters, question.interval, question.folds_series)
    question_parts = (question.kind.name, question.config, *view, data_point)
    return ("behind", *scope_ids, question.time_range, *question_parts)


async def _build_file_response(unit_list: UnitList) -> Response[Any]:
    """Return the response with all units; its first chunk is ready when this returns."""
    unit_rows = (await unit_list.fetch_page(ROWS_PER_PIECE)).units
    header = encode_csv([_GROUP_COLUMNS if unit_list.unit_kind == "group" else _ACTOR_COLUMNS])
    first_piece = BYTE_ORDER_MARK + header + await _encode_rows(unit_list, unit_rows)
    headers = {"content-disposition": f'attachment; filename="{unit_list.unit_kind}s.csv"', "vary": "accept"}
    if unit_list.notices is not UNSET:
        headers[NOTICE_HEADER] = format_notice_header(unit_list.notices)
    return FileResponse(_stream_pieces(unit_list, first_piece, unit_rows), MEDIA_TYPE, headers)


async def _stream_pieces(unit_list: UnitList, piece: bytes, unit_rows: Sequence[UnitRow]) -> AsyncIterator[bytes]:
    yield piece
    while len(unit_rows) == ROWS_PER_PIECE:
        unit_rows = (await unit_list.fetch_page(ROWS_PER_PIECE, (unit_rows[-1].event_count, unit_rows[-1].unit))).units
        yield await _encode_rows(unit_list, unit_rows)


async def _encode_rows(unit_list: UnitList, unit_rows: Sequence[UnitRow]) -> bytes:
    rows = (
        _build_group_rows(unit_rows)
        if unit_list.unit_kind == "group"
        else await _build_actor_rows(unit_list, unit_rows)
    )
    return encode_csv(msgspec.structs.astuple(row) for row in rows)


async def _build_actor_rows(unit_list: UnitList, unit_rows: Sequence[UnitRow]) -> list[ActorRow]:
    label_by_unit = await unit_list.fetch_labels(unit_rows)
    return [
        ActorRow(row.unit, label_by_unit.get(row.unit), row.event_count, iso_ms(row.first_ms), iso_ms(row.last_ms))
        for row in unit_rows
    ]


def _build_group_rows(unit_rows: Sequence[UnitRow]) -> list[GroupRow]:
    return [GroupRow(unit_row.unit, unit_row.event_count, iso_ms(unit_row.last_ms)) for unit_row in unit_rows]

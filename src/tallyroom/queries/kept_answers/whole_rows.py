"""Rows of whole queries: they hold for another window if no event lies between its ends and the ends of theirs."""

from typing import TypeVar

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.cache import KeptRows
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import Query, scoped_where
from tallyroom.queries.slices import build_time_sql
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.decoding import decode_rows

Row = TypeVar("Row", bound=msgspec.Struct)

_MAX_MOVED_MS = DAY_MS  # farther, there are usually events, and looking for them costs too much


class _CountRow(msgspec.Struct):
    counted: int


async def fetch_whole_rows(context: KeepingContext, query: Query[Row]) -> list[Row]:
    """Return the rows of a query with a span; raises the errors of `EventReader.fetch_rows`."""
    days = Days.of_window(Window(*query.span or (0, 0)))
    edges = {name: query.parameters[name] for name in query.edge_names}
    fixed_values = {
        name: value
        for name, value in query.parameters.items()
        if name not in query.edge_names and name not in query.origin_names
    }
    key = context.build_key(query.sql, fixed_values)
    workspace_id = context.scope.workspace_id
    kept_rows = context.cache.find_rows(workspace_id, key)
    if kept_rows is not None and await _is_valid(context, kept_rows, edges):
        context.cache.hit_count += 1
        body = kept_rows.body
    else:
        context.cache.miss_count += 1
        body = await context.reader.fetch_bytes(query.sql, context.scope, query.parameters, "JSONEachRow", query.span)
    if kept_rows is None or kept_rows.body is not body or kept_rows.edges != edges:
        revision = context.revisions.revision_of(days)
        context.cache.keep(workspace_id, key, KeptRows(body, revision, days, edges))
    return await decode_rows(body, msgspec.json.Decoder(query.row_type))


async def _is_valid(context: KeepingContext, kept_rows: KeptRows, edges: dict[str, int]) -> bool:
    days = kept_rows.days
    if not context.revisions.days.contains(days) or context.revisions.revision_of(days) != kept_rows.revision:
        return False
    moved_windows = _list_moved_windows(kept_rows.edges, edges)
    if sum(window.until_ms - window.from_ms for window in moved_windows) > _MAX_MOVED_MS:
        return False
    windows_with_events = [window for window in moved_windows if context.revisions.has_events(Days.of_window(window))]
    return not windows_with_events or not await _has_events(context, windows_with_events)


def _list_moved_windows(kept_edges: dict[str, int], edges: dict[str, int]) -> list[Window]:
    """Return the time between each kept edge and the new one, both inclusive, in order and disjoint."""
    spans = sorted(
        (min(kept_ms, edges[name]), max(kept_ms, edges[name]))
        for name, kept_ms in kept_edges.items()
        if kept_ms != edges[name]
    )
    windows: list[Window] = []
    for from_ms, until_ms in spans:
        if windows and from_ms <= windows[-1].until_ms + 1:
            windows[-1] = Window(windows[-1].from_ms, max(windows[-1].until_ms, until_ms))
        else:
            windows.append(Window(from_ms, until_ms))
    return windows


async def _has_events(context: KeepingContext, windows: list[Window]) -> bool:
    parameters = QueryParameters()
    sql = f"SELECT count() AS counted\nFROM events\n{scoped_where(build_time_sql(windows, parameters))}"
    [row] = await context.reader.fetch_rows(sql, context.scope, parameters.values, _CountRow, parameters.span)
    return row.counted > 0

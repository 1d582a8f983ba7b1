"""Numbers of distinct values: a window that moved on reads the events at its ends, and the days that have changed.

Reading a day again never counts a value twice, so the days may have changed in any way but by a removal.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.distinct_values import MAX_KEPT_VALUES, PartValues, read_part_values
from tallyroom.queries.kept_answers.cache import KeptRows
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.moved_windows import contains, find_parts_to_read, list_day_revisions
from tallyroom.queries.kept_answers.revisions import DayRevisions, Days
from tallyroom.queries.kept_answers.window_values import WindowValues
from tallyroom.queries.window import Window
from tallyroom.queries.window_queries import DistinctQuery, WindowNumbers

_NO_DAYS = Days(0, -1)
_MAX_ADDED_VALUES = 5_000  # of a window; they are found more slowly

_TOO_MANY_VALUES = KeptRows(b"", b"", _NO_DAYS)


class _KeptValues(msgspec.Struct, frozen=True, array_like=True):
    """The values of each window, and the revisions of the days that they were read from."""

    revision_by_day: dict[int, bytes]
    windows: list[WindowValues]


class _Move(NamedTuple):
    """The kept values of some windows, and the parts to read for later ones."""

    values: list[WindowValues]
    parts: list[Window]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_KeptValues)


async def fetch_distinct_counts(context: KeepingContext, query: DistinctQuery) -> WindowNumbers | None:
    """Return the number of values of each window; None if there are too many to keep."""
    length_in_days = [(window.until_ms - window.from_ms) // DAY_MS for window in query.windows]
    key = context.build_key(query.sql, query.parameters | {"length_in_days": length_in_days})
    kept_rows = context.cache.find(context.scope.workspace_id, key)
    if kept_rows is _TOO_MANY_VALUES:
        return None
    move = None if kept_rows is None else _find_move(context.revisions, kept_rows, query.windows)
    moved_values = None if move is None else await _move_values(context, query, move)
    context.cache.hit_count += moved_values is not None
    context.cache.miss_count += moved_values is None
    values = moved_values or await _read_values(context, query)
    _keep_values(context, key, values)
    return WindowNumbers([window_values.count for window_values in values])


def _find_move(revisions: DayRevisions, kept_rows: KeptRows, windows: Sequence[Window]) -> _Move | None:
    """Return how to move to some windows; None if events were removed, or there is too much to read."""
    if kept_rows.revision != revisions.revision_of(_NO_DAYS):
        return None
    kept_values = _decoder.decode(kept_rows.body)
    earlier_windows = [values.window for values in kept_values.windows]
    parts = find_parts_to_read(revisions, kept_values.revision_by_day, earlier_windows, windows)
    return None if parts is None else _Move(kept_values.windows, parts)


async def _move_values(context: KeepingContext, query: DistinctQuery, move: _Move) -> list[WindowValues] | None:
    """Return the values of the query's windows; None if too many are new."""
    part_values = await _read_parts(context, query, move.parts)
    if any(values.count > MAX_KEPT_VALUES for values in part_values.values()):
        return None
    moved_values = []
    for values, window in zip(move.values, query.windows, strict=True):
        last_ms_by_hash: dict[int, int] = {}
        left: set[int] = set()
        for part in move.parts:
            if part.from_ms not in part_values:
                continue
            hashes, last_ms = part_values[part.from_ms][2:]
            if contains(window, part):
                last_ms_by_hash.update(zip(hashes, last_ms, strict=True))  # parts are in order
            elif contains(values.window, part):
                left.update(hashes)
        moved_values.append(await values.move(window, last_ms_by_hash, left))
    return None if any(len(values.added) > _MAX_ADDED_VALUES for values in moved_values) else moved_values


async def _read_values(context: KeepingContext, query: DistinctQuery) -> list[WindowValues]:
    part_values = await _read_parts(context, query, query.windows)
    return [WindowValues.of_part(window, part_values.get(window.from_ms)) for window in query.windows]


async def _read_parts(
    context: KeepingContext, query: DistinctQuery, parts: Sequence[Window]
) -> Mapping[int, PartValues]:
    """Return the values of each part by its start."""
    if not parts:
        return {}
    sql, parameters = query.build_sql(parts)
    answer = await context.reader.fetch_bytes(sql, context.scope, parameters.values, "RowBinary", parameters.span)
    return {values.start_ms: values for values in read_part_values(answer)}


def _keep_values(context: KeepingContext, key: bytes, values: list[WindowValues]) -> None:
    kept_rows = _TOO_MANY_VALUES
    if all(window_values.count <= MAX_KEPT_VALUES for window_values in values):
        windows = [window_values.window for window_values in values]
        body = _encoder.encode(_KeptValues(list_day_revisions(context.revisions, windows), values))
        kept_rows = KeptRows(body, context.revisions.revision_of(_NO_DAYS), _NO_DAYS)
    context.cache.keep(context.scope.workspace_id, key, kept_rows)

"""Rows of sliced queries: whole slices are kept, and only the others are read."""

import asyncio
from collections.abc import Sequence

import msgspec

from tallyroom.queries.cells import CellRow, SlicedRows
from tallyroom.queries.kept_answers.cache import KeptRows
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.slices import Slice, SlicedQuery

_MIN_WHOLE_SLICES = 2
_MAX_ROWS_OF_SLICE = 1_000
_MAX_ROWS = 10_000  # of all slices; merging them takes about ten milliseconds
_ROWS_BETWEEN_PAUSES = 1_000
_ROWS_PER_LOOK = 10  # looking for the rows of a slice takes about as long as decoding so many

_TOO_MANY_ROWS = KeptRows(b"", b"", Days(0, 0))
_row_decoder = msgspec.json.Decoder(list[CellRow])
_encoder = msgspec.json.Encoder()


async def fetch_sliced_rows(context: KeepingContext, query: SlicedQuery) -> SlicedRows | None:
    """Return the rows of all slices; None if there are too few slices or too many rows."""
    whole_slices = [slice_ for slice_ in query.slices if slice_.is_whole]
    if len(whole_slices) < _MIN_WHOLE_SLICES:
        return None
    key = context.build_key(query.sql, query.parameters)
    if context.cache.find(context.scope.workspace_id, key) is not None:
        return None
    rows_by_slice = await _find_kept_rows(context, key, whole_slices)
    unknown_slices = [slice_ for slice_ in query.slices if slice_ not in rows_by_slice]
    context.cache.hit_count += len(rows_by_slice)
    context.cache.miss_count += sum(slice_.is_whole for slice_ in unknown_slices)
    batches = [unknown_slices]
    if query.may_have_many_rows and not rows_by_slice:  # one slice shows whether it is worth reading the others so
        batches = [[whole_slices[-1]], [slice_ for slice_ in unknown_slices if slice_ != whole_slices[-1]]]
    for slices in filter(None, batches):
        known_row_count = sum(map(len, rows_by_slice.values()))
        max_rows = min(_MAX_ROWS_OF_SLICE * len(slices), _MAX_ROWS - known_row_count)
        read_rows = None if max_rows < 0 else await _read_slices(context, query, slices, max_rows)
        if read_rows is None:
            context.cache.keep(context.scope.workspace_id, key, _TOO_MANY_ROWS)
            return None
        rows_by_slice |= read_rows
        _keep_rows(context, key, read_rows)
    return SlicedRows([row for rows in rows_by_slice.values() for row in rows])


async def _find_kept_rows(context: KeepingContext, key: bytes, slices: Sequence[Slice]) -> dict[Slice, list[CellRow]]:
    rows_by_slice: dict[Slice, list[CellRow]] = {}
    row_count = 0
    for slice_ in slices:
        kept_rows = context.cache.find(context.scope.workspace_id, (key, slice_.window))
        if kept_rows is None or kept_rows.revision != context.revisions.revision_of(kept_rows.days):
            continue
        rows = [] if kept_rows.body == b"[]" else _row_decoder.decode(kept_rows.body)
        rows_by_slice[slice_] = rows
        row_count += len(rows) + _ROWS_PER_LOOK
        if row_count >= _ROWS_BETWEEN_PAUSES:
            row_count = 0
            await asyncio.sleep(0)
    return rows_by_slice


async def _read_slices(
    context: KeepingContext, query: SlicedQuery, slices: Sequence[Slice], max_rows: int
) -> dict[Slice, list[CellRow]] | None:
    sql, parameters = query.build_sql(slices)
    if query.may_have_many_rows:
        sql += f"\nLIMIT {max_rows + 1}"
    rows = await context.reader.fetch_rows(sql, context.scope, parameters.values, CellRow, parameters.span)
    if query.may_have_many_rows and len(rows) > max_rows:
        return None
    slice_by_number = {slice_.number: slice_ for slice_ in slices}
    rows_by_slice: dict[Slice, list[CellRow]] = {slice_: [] for slice_ in slices}
    for row in rows:
        rows_by_slice[slice_by_number[row.slice]].append(row)
    return rows_by_slice


def _keep_rows(context: KeepingContext, key: bytes, rows_by_slice: dict[Slice, list[CellRow]]) -> None:
    for slice_, rows in rows_by_slice.items():
        if slice_.is_whole:
            days = Days.of_window(slice_.window)
            kept_rows = KeptRows(_encoder.encode(rows), context.revisions.revision_of(days), days)
            context.cache.keep(context.scope.workspace_id, (key, slice_.window), kept_rows)

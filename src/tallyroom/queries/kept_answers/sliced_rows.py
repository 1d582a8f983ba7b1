"""Rows of sliced queries: slices are kept, and only the others are read."""

import asyncio
from bisect import bisect_right
from collections.abc import Mapping, Sequence

import msgspec

from tallyroom.queries.cells import CellRow, SlicedRows
from tallyroom.queries.kept_answers.cache import KeptRows
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.slices import STRETCH_MS, Slice, SlicedQuery
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS

_MIN_WHOLE_SLICES = 2
_MAX_ROWS_OF_SLICE = 1_000
_MAX_ROWS_OF_EDGE = 3_000  # of a slice with an edge, after which rows are by the millisecond
_MAX_ROWS = MAX_RESULT_ROWS - 1  # of all slices; merging them takes about ten milliseconds
_ROWS_BETWEEN_PAUSES = 1_000
_ROWS_PER_LOOK = 10  # looking for the rows of a slice takes about as long as decoding so many
_MIN_EVENTS_TO_TRY = 30_000_000  # trying one slice first takes too long beside reading fewer

_NO_STRETCH = KeptRows(b"", b"", Days(0, 0))  # there are too many events after an edge
_TOO_MANY_ROWS = KeptRows(b"", b"", Days(0, 0))
_row_decoder = msgspec.json.Decoder(list[CellRow])
_encoder = msgspec.json.Encoder()


async def fetch_sliced_rows(context: KeepingContext, query: SlicedQuery) -> SlicedRows | None:
    """Return the rows of all slices; None if there are too few slices or too many rows."""
    if sum(slice_.is_whole for slice_ in query.slices) < _MIN_WHOLE_SLICES:
        return None
    return await _SliceFetcher(context, query).fetch()


class _SliceFetcher:
    def __init__(self, context: KeepingContext, query: SlicedQuery) -> None:
        self._context = context
        self._query = query
        self._workspace_id = context.scope.workspace_id
        self._key = context.build_key(query.sql, query.parameters)
        self._rows_by_slice: dict[Slice, list[CellRow]] = {}

    async def fetch(self) -> SlicedRows | None:
        limit_mark = self._context.cache.find_rows(self._workspace_id, self._key)
        if limit_mark is _TOO_MANY_ROWS:
            return None
        await self._recall_slices()
        unknown_slices = [slice_ for slice_ in self._query.slices if slice_ not in self._rows_by_slice]
        self._context.cache.hit_count += len(self._rows_by_slice)
        self._context.cache.miss_count += len(unknown_slices)
        stretch_ms = STRETCH_MS if limit_mark is None else 0
        if not await self._read_slices(unknown_slices, stretch_ms):
            return None
        rows = [row for rows in self._rows_by_slice.values() for row in rows if self._query.counts(row.slice)]
        return SlicedRows(rows)

    async def _recall_slices(self) -> None:
        row_count = 0
        for slice_ in self._query.slices:
            kept_rows = self._context.cache.find_rows(self._workspace_id, (self._key, slice_.name))
            if kept_rows is None or not self._is_valid(kept_rows, slice_):
                continue
            rows = [] if kept_rows.body == b"[]" else _row_decoder.decode(kept_rows.body)
            self._rows_by_slice[slice_] = rows
            row_count += len(rows) + _ROWS_PER_LOOK
            if row_count >= _ROWS_BETWEEN_PAUSES:
                row_count = 0
                await asyncio.sleep(0)

    def _is_valid(self, kept_rows: KeptRows, slice_: Slice) -> bool:
        if kept_rows.revision != self._context.revisions.revision_of(kept_rows.days):
            return False
        return slice_.edge is None or 0 <= slice_.edge.ms - kept_rows.edges["edge"] <= kept_rows.edges["stretch"]

    async def _read_slices(self, slices: Sequence[Slice], stretch_ms: int) -> bool:
        """Read some slices and keep them; False if there are too many rows, which is noted."""
        batches = [slices]
        is_large = self._context.revisions.stored_count >= _MIN_EVENTS_TO_TRY
        if self._query.may_have_many_rows and is_large and not self._rows_by_slice:
            whole_slice = next(slice_ for slice_ in reversed(slices) if slice_.is_whole)
            batches = [[whole_slice], [slice_ for slice_ in slices if slice_ != whole_slice]]
        for batch in filter(None, batches):
            rows_by_slice = await self._read_batch(batch, stretch_ms)
            if rows_by_slice is None and stretch_ms:
                self._context.cache.keep(self._workspace_id, self._key, _NO_STRETCH)
                rows_by_slice = await self._read_batch(batch, stretch_ms := 0)
            if rows_by_slice is None:
                self._context.cache.keep(self._workspace_id, self._key, _TOO_MANY_ROWS)
                return False
            self._rows_by_slice |= rows_by_slice
            self._keep_rows(rows_by_slice, stretch_ms)
        return True

    async def _read_batch(self, slices: Sequence[Slice], stretch_ms: int) -> dict[Slice, list[CellRow]] | None:
        """Return the rows of some slices, in order; None if there are too many."""
        known_row_count = sum(map(len, self._rows_by_slice.values()))
        max_rows = sum(_MAX_ROWS_OF_SLICE if slice_.edge is None else _MAX_ROWS_OF_EDGE for slice_ in slices)
        max_rows = min(max_rows, _MAX_ROWS - known_row_count)
        if max_rows < 0:
            return None
        sql, parameters = self._query.build_sql(slices, stretch_ms)
        rows = await self._context.reader.fetch_rows(
            f"{sql}\nLIMIT {max_rows + 1}",
            self._context.scope,
            parameters.values,
            CellRow,
            parameters.span,
        )
        if len(rows) > max_rows:
            return None
        rows_by_slice: dict[Slice, list[CellRow]] = {slice_: [] for slice_ in slices}
        numbers = [slice_.number for slice_ in slices]
        for row in rows:
            rows_by_slice[slices[bisect_right(numbers, row.slice) - 1]].append(row)
        return rows_by_slice

    def _keep_rows(self, rows_by_slice: Mapping[Slice, list[CellRow]], stretch_ms: int) -> None:
        for slice_, rows in rows_by_slice.items():
            if slice_.is_whole or slice_.edge is not None:
                days = Days.of_window(slice_.window)
                edges = {} if slice_.edge is None else {"edge": slice_.edge.ms, "stretch": stretch_ms}
                kept_rows = KeptRows(_encoder.encode(rows), self._context.revisions.revision_of(days), days, edges)
                self._context.cache.keep(self._workspace_id, (self._key, slice_.name), kept_rows)

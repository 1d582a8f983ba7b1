"""Sums over units: a window that moved on measures again the units with events at its ends or on changed days."""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.kept_units import KeptUnits
from tallyroom.queries.kept_answers.kept_windows import fetch_content
from tallyroom.queries.kept_answers.pauses import FOREVER
from tallyroom.queries.kept_answers.stage_totals import StageTotals
from tallyroom.queries.row_binary import RowBinaryReader
from tallyroom.queries.unit_queries import (
    CODE_BITS,
    MAX_KEPT_PLACES,
    MAX_PARTS_PLACES,
    MAX_TORN_UNITS,
    UnitQuery,
    UnitTotals,
)
from tallyroom.queries.window import Window

_BYTES_PER_PLACE = 8
_FEW_UNITS = 200
_MIN_SAVED = 20  # with more than this fraction of the units to measure again, all are measured
_MAX_CHANGED_UNITS = 10_000  # each takes about ten times as much memory as the others


async def fetch_unit_totals(context: KeepingContext, query: UnitQuery) -> UnitTotals | None:
    """Return what the units reached, which may be too much to keep; None if order of arrival matters for very many."""
    form = _UnitForm(context, query)
    units = await fetch_content(context, form)
    if units is None:
        units = await form.read_numbers()
    if units is None:
        return None
    totals = units.totals
    counts = [totals.first_count, *map(len, totals.numbers)]
    return UnitTotals(counts, totals.numbers, totals.count_waiting(query.deadline_ms))


class _UnitForm:
    def __init__(self, context: KeepingContext, query: UnitQuery) -> None:
        self.sql = query.total_sql
        self.parameters = {
            name: value for name, value in query.total_parameters.items() if name not in query.edge_names
        }
        self.windows = [query.window]
        self._context = context
        self._query = query
        self._torn_key = context.build_key(query.numbers_sql, self.parameters)  # of a mark that too many units are torn

    async def read(self) -> KeptUnits | None:
        """Read all units; None if there are too many places, or too many units whose order of arrival may matter."""
        if await self._has_too_many_places():
            return None
        return await self._read_units(self._query.total_sql, has_places=True)

    async def read_numbers(self) -> KeptUnits | None:
        """Read all units without places, so that they cannot be kept; None as for `read`, but for any number of places.

        Only the units whose order of arrival may matter are read again.
        """
        if self._context.cache.find(self._context.scope.workspace_id, self._torn_key) is FOREVER:
            return None
        return await self._read_units(self._query.numbers_sql, has_places=False)

    async def _read_units(self, sql: str, *, has_places: bool) -> KeptUnits | None:
        query, reader = self._query, await self._fetch_row(sql)
        first_count, torn_hashes = reader.read_integer(), reader.read_integers()
        hashes, slots = reader.read_pairs() if has_places else (array("Q"), array("Q"))
        places = reader.read_integers() if has_places else array("Q")
        numbers = [reader.read_integers() for _ in range(query.stage_count - 1)]
        if len(torn_hashes) == MAX_TORN_UNITS:
            self._context.cache.keep(self._context.scope.workspace_id, self._torn_key, FOREVER)
            return None
        if len(places) == MAX_KEPT_PLACES:
            return None
        waiting_moments = [reader.read_integers() for _ in range(query.stage_count - 1)]
        totals = StageTotals(first_count, numbers, waiting_moments, query.origin_ms)
        units = KeptUnits(totals, hashes, slots, places)
        if not torn_hashes:
            return units
        torn_places = await self._read_places(self.windows, torn_hashes)
        return None if torn_places is None else units.add(torn_places, query.measure_unit)

    async def _has_too_many_places(self) -> bool:
        """Count the places first if there may be too many, because reading very many in vain takes long."""
        max_count = min(MAX_KEPT_PLACES, self._context.cache.max_entry_bytes // _BYTES_PER_PLACE)
        if self._context.revisions.stored_count <= max_count:
            return False
        return (await self._fetch_row(self._query.count_sql)).read_integer() > max_count

    async def _fetch_row(self, sql: str) -> RowBinaryReader:
        span = self._query.window.from_ms, self._query.window.until_ms
        parameters = self._query.total_parameters
        answer = await self._context.reader.fetch_bytes(sql, self._context.scope, parameters, "RowBinary", span)
        return RowBinaryReader(answer)

    async def move(self, units: KeptUnits, windows: Sequence[Window], parts: Sequence[Window]) -> KeptUnits | None:
        """Return the units of the window, from those of an earlier one."""
        read_places = await self._read_places(parts)
        if read_places is None or len(read_places) > max(_FEW_UNITS, len(units.hashes) // _MIN_SAVED):
            return None
        moved_units = await units.move(windows[0], self._query.window, parts, read_places, self._query.measure_unit)
        return None if len(moved_units.changed_places) > _MAX_CHANGED_UNITS else moved_units

    async def _read_places(
        self, parts: Sequence[Window], hashes: Sequence[int] | None = None
    ) -> Mapping[int, list[int]] | None:
        """Return the places in some parts by unit, with moments since 1970; None if there are too many."""
        if not parts:
            return {}
        answer = await self._context.fetch_binary(*self._query.build_events_sql(parts, hashes))
        hashes, places = RowBinaryReader(answer).read_pairs()
        if len(places) == MAX_PARTS_PLACES:
            return None
        origin = self._query.origin_ms << CODE_BITS
        places_by_hash: dict[int, list[int]] = defaultdict(list)
        for hash_, place in zip(hashes, places, strict=True):
            places_by_hash[hash_].append(place + origin)
        return places_by_hash

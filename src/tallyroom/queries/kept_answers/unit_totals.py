"""Sums over units: a window that moved on measures again the units with events at its ends or on changed days."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.cache import KeptRows
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.kept_units import KeptUnits
from tallyroom.queries.kept_answers.moved_windows import find_parts_to_read, list_day_revisions
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.row_binary import RowBinaryReader
from tallyroom.queries.unit_queries import CODE_BITS, MAX_PARTS_PLACES, UnitQuery, UnitTotals
from tallyroom.queries.window import Window

_NO_DAYS = Days(0, -1)
_MAX_CHANGED_UNITS = 5_000

_NOT_MEASURABLE = KeptRows(b"", b"", _NO_DAYS)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(KeptUnits)


async def fetch_unit_totals(context: KeepingContext, query: UnitQuery) -> UnitTotals | None:
    """Return what the units reached; None if a unit cannot be measured by its places."""
    fixed_values = {name: value for name, value in query.total_parameters.items() if name not in query.edge_names}
    length_in_days = (query.window.until_ms - query.window.from_ms) // DAY_MS
    key = context.build_key(query.total_sql, fixed_values | {"length_in_days": length_in_days})
    kept_rows = context.cache.find(context.scope.workspace_id, key)
    if kept_rows is _NOT_MEASURABLE:
        return None
    moved_units = None if kept_rows is None else await _move_units(context, query, kept_rows)
    context.cache.hit_count += moved_units is not None
    context.cache.miss_count += moved_units is None
    units = moved_units or await _read_units(context, query)
    if units is None:
        context.cache.keep(context.scope.workspace_id, key, _NOT_MEASURABLE)
        return None
    kept_rows = KeptRows(_encoder.encode(units), context.revisions.revision_of(_NO_DAYS), _NO_DAYS)
    context.cache.keep(context.scope.workspace_id, key, kept_rows)
    return units.totals


async def _move_units(context: KeepingContext, query: UnitQuery, kept_rows: KeptRows) -> KeptUnits | None:
    """Return the units of the query's window; None if events were removed, or too much has changed."""
    if kept_rows.revision != context.revisions.revision_of(_NO_DAYS):
        return None
    units = _decoder.decode(kept_rows.body)
    parts = find_parts_to_read(context.revisions, units.revision_by_day, [units.window], [query.window])
    read_places = None if parts is None else await _read_places(context, query, parts)
    if parts is None or read_places is None:
        return None
    revision_by_day = list_day_revisions(context.revisions, [query.window])
    moved_units = await units.move(query.window, parts, read_places, query.measure_unit, revision_by_day)
    if moved_units is None or len(moved_units.changed_places) > _MAX_CHANGED_UNITS:
        return None
    return moved_units


async def _read_places(
    context: KeepingContext, query: UnitQuery, parts: Sequence[Window]
) -> Mapping[int, Sequence[int]] | None:
    """Return the places in some parts of the time by unit, with moments since 1970; None if there are too many."""
    if not parts:
        return {}
    sql, parameters = query.build_events_sql(parts)
    answer = await context.reader.fetch_bytes(sql, context.scope, parameters.values, "RowBinary", parameters.span)
    hashes, places = RowBinaryReader(answer).read_pairs()
    if len(hashes) == MAX_PARTS_PLACES:
        return None
    origin = query.origin_ms << CODE_BITS
    places_by_hash: dict[int, list[int]] = defaultdict(list)
    for hash_, place in zip(hashes, places, strict=True):
        places_by_hash[hash_].append(place + origin)
    return places_by_hash


async def _read_units(context: KeepingContext, query: UnitQuery) -> KeptUnits | None:
    span = query.window.from_ms, query.window.until_ms
    answer = await context.reader.fetch_bytes(query.total_sql, context.scope, query.total_parameters, "RowBinary", span)
    reader = RowBinaryReader(answer)
    first_count, unmeasurable_count = reader.read_integer(), reader.read_integer()
    hashes, slots = reader.read_pairs()
    places = reader.read_integers()
    numbers = [reader.read_integers() for _ in range(query.stage_count - 1)]
    if unmeasurable_count:
        return None
    return KeptUnits(
        revision_by_day=list_day_revisions(context.revisions, [query.window]),
        window=query.window,
        origin_ms=query.origin_ms,
        first_count=first_count,
        numbers=[stage_numbers.tobytes() for stage_numbers in numbers],
        hashes=hashes.tobytes(),
        slots=slots.tobytes(),
        places=places.tobytes(),
        changed_places={},
    )

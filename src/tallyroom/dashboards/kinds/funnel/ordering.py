"""The SQL that puts the events of each unit in order, before anything is asked of them (rules/questions#funnel).

A plain funnel only sorts them. With `holding`, the events of each value follow each other, and the moments of
different values are further apart than any window: a chain never gets from one value to the next. With a breakdown,
each unit then has one row for the whole and one for each series that it starts.
"""

from collections.abc import Sequence

import msgspec

from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import origin_ms, select
from tallyroom.dashboards.kinds.funnel.sort_key import LATER_STEPS, SERIES_OF, Bit, PlaceOrder
from tallyroom.queries.question import Question

_RANK_BITS = 32
_VALUE_BITS = 32
_STARTS = f"groupUniqArray(toUInt8(bitShiftRight(steps, {Bit.SERIES.value}))) AS starts"
_STARTS_OR_FOLLOWS = f"{SERIES_OF} = series AND bitTest(toUInt32(place), 0) OR {SERIES_OF} = 0 AND {LATER_STEPS} > 0"


class Ordering(msgspec.Struct, frozen=True):
    """The events of each unit in order.

    Attributes:
        columns: SQL for a select list that defines ``places``, the integers of a unit's events in their order, and
            ``past_1`` and so on: for each exclusion, how many excluded events were before each of these events.
        source: SQL of what to select them from.
        after: SQL that has to follow the source.
        final_columns: names of columns of the source that are needed to the end.
        has_ties: SQL that is true if the order of arrival may change what a unit reaches.
        shift: the lowest bit of the moment in a place.
        rank_shift: the lowest bit of the rank that a place has among the unit's events of all values, with `holding`.
        by_series: whether the columns include ``series``, the number of the label that a row is about; 0 for the whole.
    """

    columns: list[str]
    source: str
    after: str
    final_columns: list[str]
    has_ties: str
    shift: int
    rank_shift: int = 0
    by_series: bool = False


def build_ordering(
    config: FunnelConfig, series: Sequence[str], question: Question, events: str, place_order: PlaceOrder
) -> Ordering:
    """Return the ordering of `events`; `series` has the labels of a breakdown."""
    ordering = _order_by_time(config, series, events, place_order)
    if config.holding is not None:
        ordering = _order_by_value(config, series, question, events, place_order)
    return _split_by_series(ordering, config) if series else ordering


def match_bit_width(config: FunnelConfig, series: Sequence[str]) -> int:
    """Return how many bits of a place say what an event is good for."""
    return Bit.END if config.exclude or series else Bit.EXCLUSION


def _order_by_time(config: FunnelConfig, series: Sequence[str], events: str, place_order: PlaceOrder) -> Ordering:
    columns = [f"arraySort(groupArray({place_order.place})) AS places"]
    columns += [f"{_excluded_before_sql('places', index)} AS past_{index + 1}" for index in range(len(config.exclude))]
    columns += [_STARTS] if series else []
    has_ties = place_order.has_ties_with_series("places") if series else place_order.has_ties("places")
    return Ordering(columns, events, "\nGROUP BY unit", [], has_ties, place_order.shift)


def _order_by_value(
    config: FunnelConfig, series: Sequence[str], question: Question, events: str, place_order: PlaceOrder
) -> Ordering:
    """Sort by time first, which gives each event its rank, and then by value.

    Both are sorted as integers, as the store is slow at sorting tuples: the place above the number that the value has
    among those of the unit. An excluded event that has no value has the number 0, which puts it before the values; what
    counts is how many of them came earlier.
    """
    in_time_sql = _build_in_time_sql(config, series, events, place_order)
    has_ties = place_order.has_ties_with_series("times") if series else place_order.has_ties("times")
    bits = match_bit_width(config, series)
    moment_bits = (question.window.until_ms - origin_ms(config, question)).bit_length()
    moment = f"toUInt64(bitShiftRight(place, {place_order.shift})) + bitShiftLeft(toUInt64(value), {moment_bits})"
    match_bits = f"bitAnd(toUInt32(place), {(1 << bits) - 1})"
    place = (
        f"bitShiftLeft(toUInt128({moment}), {_RANK_BITS + bits}) + bitShiftLeft(toUInt64(rank), {bits}) + {match_bits}"
    )
    unsorted_places = (
        f"arrayMap((place, value, rank) -> {place}, times, values, arrayEnumerateDense(times)) AS unsorted"
    )
    columns = ["arraySort(unsorted) AS places", *(["starts"] if series else [])]
    for index in range(len(config.exclude)):
        without_value = f"arrayMap((place, value) -> value = 0 AND {_is_excluded_sql(index)}, times, values)"
        earlier = f"arraySort((without_value, place) -> place, {_sum_before_sql(without_value)}, unsorted)"
        with_value = _excluded_before_sql("places", index)
        columns.append(f"arrayMap((one, other) -> one + other, {with_value}, {earlier}) AS past_{index + 1}")
    source = select(["*", unsorted_places, f"{has_ties} AS torn"], in_time_sql)
    return Ordering(columns, source, "", ["torn"], "torn", _RANK_BITS + bits, bits)


def _build_in_time_sql(config: FunnelConfig, series: Sequence[str], events: str, place_order: PlaceOrder) -> str:
    """Return SQL for each unit's ``times``, the places of its events in order, and the numbers of their ``values``."""
    values = "arrayEnumerateDense(groupArray(held))"
    if config.exclude:
        values = f"arrayMap((held, value) -> if(held = 0, 0, value), groupArray(held), {values})"
    pair = f"bitShiftLeft(to{place_order.wider}(place), {_VALUE_BITS}) + value"
    in_time = f"arraySort(arrayMap((place, value) -> {pair}, groupArray({place_order.place}), {values})) AS in_time"
    by_unit = select(["unit", in_time, *([_STARTS] if series else [])], events, "\nGROUP BY unit")
    apart = [
        f"arrayMap(each -> to{place_order.type}(bitShiftRight(each, {_VALUE_BITS})), in_time) AS times",
        "arrayMap(each -> toUInt32(each), in_time) AS values",
    ]
    return select(["unit", *(["starts"] if series else []), *apart], by_unit)


def _split_by_series(ordering: Ordering, config: FunnelConfig) -> Ordering:
    """Return a row for each series that a unit starts, with the events that its chains may consist of."""
    has_ties = "torn" if ordering.has_ties == "torn" else f"{ordering.has_ties} AS torn"
    in_order = select([*ordering.columns, has_ties], ordering.source, ordering.after)
    names = ["places", *(f"past_{number}" for number in range(1, len(config.exclude) + 1))]
    arrays = [f"arrayFilter(place -> {_STARTS_OR_FOLLOWS}, places)"]
    arrays += [f"arrayFilter((past, place) -> {_STARTS_OR_FOLLOWS}, {past}, places)" for past in names[1:]]
    each_series = f"arrayJoin(arrayMap(series -> (series, {', '.join(arrays)}), starts)) AS each_series"
    columns = ["each_series.1 AS series", *(f"each_series.{at} AS {name}" for at, name in enumerate(names, 2))]
    source = select([each_series, "torn"], in_order)
    fields = {"columns": columns, "source": source, "after": "", "final_columns": ["torn"], "has_ties": "torn"}
    return msgspec.structs.replace(ordering, **fields, by_series=True)


def _excluded_before_sql(places: str, exclusion: int) -> str:
    return _sum_before_sql(f"arrayMap(place -> {_is_excluded_sql(exclusion)}, {places})")


def _sum_before_sql(numbers: str) -> str:
    return f"CAST(arrayShiftRight(arrayCumSum({numbers}), 1), 'Array(UInt32)')"


def _is_excluded_sql(exclusion: int) -> str:
    return f"bitTest(toUInt32(place), {Bit.EXCLUSION + exclusion})"

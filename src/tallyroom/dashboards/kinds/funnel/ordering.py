"""The SQL that puts the events of each unit in order before chains are found among them (rules/questions#funnel).

With `holding`, the events of each value follow each other, further apart than any window. With a breakdown, each unit
then has one row for the total and one for each series that it starts.
"""

from collections.abc import Sequence

import msgspec

from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import build_select, origin_ms
from tallyroom.dashboards.kinds.funnel.sort_key import LATER_STEPS_SQL, SERIES_NUMBER_SQL, BitOffset, PlaceEncoding
from tallyroom.queries.question import Question

_RANK_BITS = 32
_VALUE_BITS = 32
_STARTS_COLUMN = f"groupUniqArray(toUInt8(bitShiftRight(steps, {BitOffset.SERIES.value}))) AS starts"
_STARTS_OR_FOLLOWS_CONDITION = (
    f"{SERIES_NUMBER_SQL} = series AND bitTest(toUInt32(place), 0) OR {SERIES_NUMBER_SQL} = 0 AND {LATER_STEPS_SQL} > 0"
)


class Ordering(msgspec.Struct, frozen=True):
    """The events of each unit in order.

    `columns` defines ``places``, the integers of a unit's events in their order, and ``past_1`` and so on: for each
    exclusion, how many excluded events were before each of these events. Without `holding`, ``excluded_1`` and so on
    are all of them. `after_sql` follows `source_sql`, whose `final_columns` are needed to the end. `ties_condition` is
    true if the order of arrival may change what a unit reaches. `moment_shift` and, with `holding`, `rank_shift` are
    the lowest bits of the moment and of the rank in a place, and `moment_bits` is how many bits the moment then has,
    below its value. With `has_series`, the columns include ``series``, the number of the row's label, 0 for the total.
    """

    columns: list[str]
    source_sql: str
    after_sql: str
    final_columns: list[str]
    ties_condition: str
    moment_shift: int
    rank_shift: int = 0
    moment_bits: int = 0
    has_series: bool = False


def build_ordering(
    config: FunnelConfig, labels: Sequence[str], question: Question, events_sql: str, place_encoding: PlaceEncoding
) -> Ordering:
    """Return the ordering of `events_sql`; `labels` are the labels of a breakdown."""
    ordering = _order_by_time(config, labels, events_sql, place_encoding)
    if config.holding is not None:
        ordering = _order_by_value(config, labels, question, events_sql, place_encoding)
    return _split_by_series(ordering, config) if labels else ordering


def match_bit_width(config: FunnelConfig, labels: Sequence[str]) -> int:
    """Return how many bits of a place encode what an event matches."""
    return BitOffset.END if config.exclude or labels else BitOffset.EXCLUSION


def _order_by_time(
    config: FunnelConfig, labels: Sequence[str], events_sql: str, place_encoding: PlaceEncoding
) -> Ordering:
    columns = [f"arraySort(groupArray({place_encoding.place_sql})) AS places"]
    columns += [
        f"{_excluded_before_sql('places', exclusion_index)} AS past_{exclusion_index + 1}"
        for exclusion_index in range(len(config.exclude))
    ]
    columns += [
        f"arrayCount(place -> {_is_excluded_sql(exclusion_index)}, places) AS excluded_{exclusion_index + 1}"
        for exclusion_index in range(len(config.exclude))
    ]
    columns += [_STARTS_COLUMN] if labels else []
    ties_condition = place_encoding.build_ties_condition("places", has_labels=bool(labels))
    return Ordering(columns, events_sql, "\nGROUP BY unit", [], ties_condition, place_encoding.moment_shift)


def _order_by_value(
    config: FunnelConfig, labels: Sequence[str], question: Question, events_sql: str, place_encoding: PlaceEncoding
) -> Ordering:
    """Sort by time first, which gives each event its rank, and then by value.

    Both sorts use integers, because the store is slow at sorting tuples: the upper bits are the number of the value
    among the unit's values. An excluded event without a value has the number 0.
    """
    in_time_sql = _build_in_time_sql(config, labels, events_sql, place_encoding)
    ties_condition = place_encoding.build_ties_condition("times", has_labels=bool(labels))
    match_bits = match_bit_width(config, labels)
    moment_bits = (question.window.until_ms - origin_ms(config, question)).bit_length()
    moment_sql = (
        f"toUInt64(bitShiftRight(place, {place_encoding.moment_shift})) + bitShiftLeft(toUInt64(value), {moment_bits})"
    )
    match_sql = f"bitAnd(toUInt32(place), {(1 << match_bits) - 1})"
    place_sql = (
        f"bitShiftLeft(toUInt128({moment_sql}), {_RANK_BITS + match_bits})"
        f" + bitShiftLeft(toUInt64(rank), {match_bits}) + {match_sql}"
    )
    unsorted_column = (
        f"arrayMap((place, value, rank) -> {place_sql}, times, values, arrayEnumerateDense(times)) AS unsorted"
    )
    columns = ["arraySort(unsorted) AS places", *(["starts"] if labels else [])]
    for exclusion_index in range(len(config.exclude)):
        without_value_sql = (
            f"arrayMap((place, value) -> value = 0 AND {_is_excluded_sql(exclusion_index)}, times, values)"
        )
        earlier_sql = f"arraySort((without_value, place) -> place, {_sum_before_sql(without_value_sql)}, unsorted)"
        with_value_sql = _excluded_before_sql("places", exclusion_index)
        columns.append(
            f"arrayMap((one, other) -> one + other, {with_value_sql}, {earlier_sql}) AS past_{exclusion_index + 1}"
        )
    source_sql = build_select(["*", unsorted_column, f"{ties_condition} AS torn"], in_time_sql)
    return Ordering(columns, source_sql, "", ["torn"], "torn", _RANK_BITS + match_bits, match_bits, moment_bits)


def _build_in_time_sql(
    config: FunnelConfig, labels: Sequence[str], events_sql: str, place_encoding: PlaceEncoding
) -> str:
    """Return SQL for each unit's ``times``, the places of its events in order, and the numbers of their ``values``."""
    value_numbers_sql = "arrayEnumerateDense(groupArray(held))"
    if config.exclude:
        value_numbers_sql = f"arrayMap((held, value) -> if(held = 0, 0, value), groupArray(held), {value_numbers_sql})"
    pair_sql = f"bitShiftLeft(to{place_encoding.wider_type}(place), {_VALUE_BITS}) + value"
    in_time_column = (
        f"arraySort(arrayMap((place, value) -> {pair_sql}, groupArray({place_encoding.place_sql}),"
        f" {value_numbers_sql})) AS in_time"
    )
    by_unit_sql = build_select(
        ["unit", in_time_column, *([_STARTS_COLUMN] if labels else [])], events_sql, "\nGROUP BY unit"
    )
    split_columns = [
        f"arrayMap(each -> to{place_encoding.integer_type}(bitShiftRight(each, {_VALUE_BITS})), in_time) AS times",
        "arrayMap(each -> toUInt32(each), in_time) AS values",
    ]
    return build_select(["unit", *(["starts"] if labels else []), *split_columns], by_unit_sql)


def _split_by_series(ordering: Ordering, config: FunnelConfig) -> Ordering:
    ties_column = "torn" if ordering.ties_condition == "torn" else f"{ordering.ties_condition} AS torn"
    in_order_sql = build_select([*ordering.columns, ties_column], ordering.source_sql, ordering.after_sql)
    column_names = ["places", *(f"past_{number}" for number in range(1, len(config.exclude) + 1))]
    arrays_sql = [f"arrayFilter(place -> {_STARTS_OR_FOLLOWS_CONDITION}, places)"]
    arrays_sql += [
        f"arrayFilter((past, place) -> {_STARTS_OR_FOLLOWS_CONDITION}, {past}, places)" for past in column_names[1:]
    ]
    each_series_column = f"arrayJoin(arrayMap(series -> (series, {', '.join(arrays_sql)}), starts)) AS each_series"
    columns = [
        "each_series.1 AS series",
        *(f"each_series.{element_number} AS {name}" for element_number, name in enumerate(column_names, 2)),
    ]
    excluded_columns = [] if config.holding else [f"excluded_{number}" for number, _ in enumerate(config.exclude, 1)]
    return msgspec.structs.replace(
        ordering,
        columns=columns,
        source_sql=build_select([each_series_column, "torn", *excluded_columns], in_order_sql),
        after_sql="",
        final_columns=["torn", *excluded_columns],
        ties_condition="torn",
        has_series=True,
    )


def _excluded_before_sql(places_sql: str, exclusion_index: int) -> str:
    return _sum_before_sql(f"arrayMap(place -> {_is_excluded_sql(exclusion_index)}, {places_sql})")


def _sum_before_sql(numbers_sql: str) -> str:
    return f"CAST(arrayShiftRight(arrayCumSum({numbers_sql}), 1), 'Array(UInt32)')"


def _is_excluded_sql(exclusion_index: int) -> str:
    return f"bitTest(toUInt32(place), {BitOffset.EXCLUSION + exclusion_index})"

"""What a rule measures in each minute of a long time, and what its window shows at the end of each.

The queries are few, whatever the length of the time: windows are put together from minutes (rules/alerts#preview).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from tallyroom.alerts.back_test.minute_queries import (
    MinuteRange,
    build_distinct_query,
    build_minute_query,
    build_quantile_query,
)
from tallyroom.alerts.back_test.sliding_window import slide_extremes, slide_parts, slide_totals
from tallyroom.alerts.rule import AlertRule
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.exact_sums import ExactSum, SumParts
from tallyroom.queries.formula import PartName
from tallyroom.queries.formula_parts import evaluate_rows
from tallyroom.queries.measures import Aggregate, StoredMeasure, measure_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows
from tallyroom.queries.values import Value, value_of

_DISTINCT = {"uniq", "uniq_actors"}
_EXTREMES = {"min", "max"}
_QUANTILES = {"median", "p95", "p99"}
_EVENT_COUNT_CONDITIONS = {"nodata", "anomaly"}
"""The conditions that depend on the number of events."""


class MinuteParts(msgspec.Struct):
    """Something for each minute that has it.

    Attributes:
        minutes: the numbers of these minutes, in any order.
        cells: what each of them has.
    """

    minutes: list[int] = []
    cells: list[StoredMeasure] = []

    def spread_cells(self, time_range: MinuteRange, empty: Any) -> list[Any]:
        """Return the cell of each minute from the earliest on, or `empty`; nothing of what lies after."""
        first_minute, last_minute = time_range.earliest_minute, time_range.last_minute
        spread = [empty] * (last_minute - first_minute + 1)
        for minute, cell in zip(self.minutes, self.cells, strict=True):
            if minute <= last_minute:
                spread[minute - first_minute] = cell
        return spread


class MinuteSeries(NamedTuple):
    """What the store has found for each minute.

    Attributes:
        event_counts: the number of events; empty if the rule does not depend on it.
        parts: what the measure over a window is made of: of a distinct count, by how much it changes; of a quantile,
            its value over the window; of other measures, their value over the minute.
    """

    event_counts: MinuteParts
    parts: MinuteParts


MinuteSeriesByPart = dict[PartName, MinuteSeries]
"""What the store has found for each part of a rule."""


FractionAt = Callable[[int], Fraction | None]
"""The value of the measure in one of the windows, by its place, before it was rounded."""


class WindowSeries(NamedTuple):
    """For each minute of a time range: the number of events in the window that ends there, and the measure's value."""

    event_counts: Sequence[int]
    values: Sequence[Value]
    fraction_at: FractionAt


class _CountedMinuteParts(MinuteParts):
    counted_minutes: list[int] = []
    counts: list[int] = []


def read_minute_series(rule: AlertRule, time_range: MinuteRange) -> QueryPlan[MinuteSeriesByPart]:
    """Read what the windows of a time range are made of."""
    series_by_part: MinuteSeriesByPart = {}
    for name, counted_measure in rule.measures_by_name.items():
        series_by_part[name] = yield from _read_measure_series(
            counted_measure, time_range, needs_event_counts=rule.condition in _EVENT_COUNT_CONDITIONS
        )
    return series_by_part


def build_window_series(rule: AlertRule, time_range: MinuteRange, series_by_part: MinuteSeriesByPart) -> WindowSeries:
    """Return what the window shows at the end of each minute of a time range."""
    windows_by_part = {
        name: _build_series(counted_measure, time_range, series_by_part[name])
        for name, counted_measure in rule.measures_by_name.items()
    }
    if rule.formula_tree is None:
        return windows_by_part["a"]
    event_counts = [
        sum(part_counts)
        for part_counts in zip(*(windows.event_counts for windows in windows_by_part.values()), strict=True)
    ]
    values = evaluate_rows(rule.formula_tree, {name: windows.values for name, windows in windows_by_part.items()})
    return WindowSeries(
        event_counts,
        values,
        lambda index: rule.compute_fraction(
            {name: windows.fraction_at(index) for name, windows in windows_by_part.items()}
        ),
    )


def _read_measure_series(
    counted_measure: CountedMeasure, time_range: MinuteRange, *, needs_event_counts: bool
) -> QueryPlan[MinuteSeries]:
    if counted_measure.measure not in _DISTINCT | _QUANTILES:
        return (yield from _read_minute_values(counted_measure, time_range))
    event_counts = (
        (yield from _read_minute_values(_count_of(counted_measure), time_range)).event_counts
        if needs_event_counts
        else MinuteParts()
    )
    parameters = QueryParameters()
    measure = measure_sql(counted_measure.measure, counted_measure.property, parameters)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{counted_measure.measure} is no aggregate")
    build_query = build_distinct_query if counted_measure.measure in _DISTINCT else build_quantile_query
    day_rows = yield from query_rows(
        build_query(measure, counted_measure, time_range, parameters), parameters, MinuteParts
    )
    return MinuteSeries(event_counts, _join_days(day_rows))


def _build_series(
    counted_measure: CountedMeasure, time_range: MinuteRange, minute_series: MinuteSeries
) -> WindowSeries:
    event_counts = slide_totals(minute_series.event_counts.spread_cells(time_range, 0), time_range.window_minutes)
    if counted_measure.measure == "count":
        return WindowSeries(event_counts, event_counts, lambda index: Fraction(event_counts[index]))
    return WindowSeries(event_counts, *_window_values(counted_measure, time_range, minute_series.parts))


def _count_of(counted_measure: CountedMeasure) -> CountedMeasure:
    return msgspec.structs.replace(counted_measure, measure="count", property=None)


def _read_minute_values(counted_measure: CountedMeasure, time_range: MinuteRange) -> QueryPlan[MinuteSeries]:
    parameters = QueryParameters()
    measure = measure_sql(counted_measure.measure, counted_measure.property, parameters)
    day_rows = yield from query_rows(
        build_minute_query(measure, counted_measure, time_range, parameters), parameters, _CountedMinuteParts
    )
    event_counts = _join_days([MinuteParts(day_row.counted_minutes, list(day_row.counts)) for day_row in day_rows])
    return MinuteSeries(event_counts, MinuteParts() if counted_measure.measure == "count" else _join_days(day_rows))


def _join_days(day_rows: Sequence[MinuteParts]) -> MinuteParts:
    minutes = [minute for day_row in day_rows for minute in day_row.minutes]
    return MinuteParts(minutes, [cell for day_row in day_rows for cell in day_row.cells])


def _window_values(
    counted_measure: CountedMeasure, time_range: MinuteRange, parts: MinuteParts
) -> tuple[Sequence[Value], FractionAt]:
    measure = measure_sql(counted_measure.measure, counted_measure.property, QueryParameters())
    if isinstance(measure, ExactSum):
        return _window_sums(measure, parts.spread_cells(time_range, SumParts(0, {})), time_range.window_minutes)
    values = _window_aggregates(counted_measure, time_range, parts)
    return values, lambda index: measure.to_fraction(values[index])


def _window_aggregates(counted_measure: CountedMeasure, time_range: MinuteRange, parts: MinuteParts) -> Sequence[Value]:
    if counted_measure.measure in _EXTREMES:
        extremes = slide_extremes(
            parts.spread_cells(time_range, None), time_range.window_minutes, is_minimum=counted_measure.measure == "min"
        )
        return [value_of(extreme) for extreme in extremes]
    if counted_measure.measure in _DISTINCT:
        return [int(count) for count in accumulate(parts.spread_cells(time_range, 0))][time_range.window_minutes - 1 :]
    return [value_of(quantile) for quantile in parts.spread_cells(time_range, None)[time_range.window_minutes - 1 :]]


def _window_sums(measure: ExactSum, cells: Sequence[SumParts], window_minutes: int) -> tuple[list[Value], FractionAt]:
    """Return the sum or average of each window; with numbers that are no decimals, only where it changes."""
    if not any(cell.bit_sums for cell in cells):
        totals = slide_totals([cell.millionths for cell in cells], window_minutes)
        value_counts = slide_totals([cell.count for cell in cells], window_minutes)
        return measure.to_values(totals, value_counts), lambda index: measure.to_fraction(
            SumParts(totals[index], {}, value_counts[index])
        )
    window_parts = list(slide_parts(cells, window_minutes))
    values: list[Value] = []
    previous_parts: SumParts | None = None
    value: Value = None
    for parts in window_parts:
        if parts is not previous_parts:
            previous_parts, value = parts, measure.to_value(parts)
        values.append(value)
    return values, lambda index: measure.to_fraction(window_parts[index])

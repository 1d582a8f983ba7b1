"""What a rule measures in each minute, and the windows built from the minutes (rules/alerts#preview)."""

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
from tallyroom.alerts.back_test.sliding_window import slide_extremes, slide_sum_parts, slide_totals
from tallyroom.alerts.rule import AlertRule
from tallyroom.queries.aggregate import Aggregate
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.exact_sums import ExactSum, SumParts
from tallyroom.queries.formula import PartName
from tallyroom.queries.formula_parts import evaluate_rows
from tallyroom.queries.measures import StoredValue, build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows
from tallyroom.queries.values import Value, to_answer_value

_DISTINCT_MEASURES = {"uniq", "uniq_actors"}
_EXTREME_MEASURES = {"min", "max"}
_QUANTILE_MEASURES = {"median", "p95", "p99"}
_EVENT_COUNT_CONDITIONS = {"nodata", "anomaly"}
"""The conditions that depend on the number of events."""


class MinuteCells(msgspec.Struct):
    """The cells of the minutes that have one; `minutes` are their numbers, in any order."""

    minutes: list[int] = []
    cells: list[StoredValue] = []

    def spread_cells(self, minute_range: MinuteRange, empty_cell: Any) -> list[Any]:
        """Return the cell of each minute from the earliest on, or `empty_cell`; later cells are left out."""
        first_minute, last_minute = minute_range.earliest_minute, minute_range.last_minute
        cell_by_minute_index = [empty_cell] * (last_minute - first_minute + 1)
        for minute, cell in zip(self.minutes, self.cells, strict=True):
            if minute <= last_minute:
                cell_by_minute_index[minute - first_minute] = cell
        return cell_by_minute_index


class MinuteSeries(NamedTuple):
    """What the store returned for each minute; `event_counts` are empty if the rule does not depend on them.

    `measure_cells` have the change of a distinct count, a quantile over the window, or another measure over the minute.
    """

    event_counts: MinuteCells
    measure_cells: MinuteCells


MinuteSeriesByPart = dict[PartName, MinuteSeries]
"""What the store returned for each part of a rule."""


ExactValueAt = Callable[[int], Fraction | None]
"""The unrounded value of the measure in one of the windows, by its index."""


class WindowSeries(NamedTuple):
    """For each minute of a time range: the number of events in the window that ends there, and the measure's value."""

    event_counts: Sequence[int]
    values: Sequence[Value]
    exact_value_at: ExactValueAt


class _CountedMinuteCells(MinuteCells):
    counted_minutes: list[int] = []
    counts: list[int] = []


def read_minute_series(rule: AlertRule, minute_range: MinuteRange) -> QueryPlan[MinuteSeriesByPart]:
    """Read the minutes from which the windows of a time range are built."""
    series_by_part: MinuteSeriesByPart = {}
    for name, counted_measure in rule.measure_by_part_name.items():
        series_by_part[name] = yield from _read_measure_series(
            counted_measure, minute_range, needs_event_counts=rule.condition in _EVENT_COUNT_CONDITIONS
        )
    return series_by_part


def build_window_series(rule: AlertRule, minute_range: MinuteRange, series_by_part: MinuteSeriesByPart) -> WindowSeries:
    """Return the window that ends at each minute of a time range."""
    window_series_by_part = {
        name: _build_measure_window_series(counted_measure, minute_range, series_by_part[name])
        for name, counted_measure in rule.measure_by_part_name.items()
    }
    if rule.formula_tree is None:
        return window_series_by_part["a"]
    counts_by_part = (series.event_counts for series in window_series_by_part.values())
    values_by_part = {name: series.values for name, series in window_series_by_part.items()}

    def exact_value_at(index: int) -> Fraction | None:
        return rule.compute_exact_value(
            {name: series.exact_value_at(index) for name, series in window_series_by_part.items()}
        )

    event_counts = [sum(part_counts) for part_counts in zip(*counts_by_part, strict=True)]
    return WindowSeries(event_counts, evaluate_rows(rule.formula_tree, values_by_part), exact_value_at)


def _read_measure_series(
    counted_measure: CountedMeasure, minute_range: MinuteRange, *, needs_event_counts: bool
) -> QueryPlan[MinuteSeries]:
    if counted_measure.measure not in _DISTINCT_MEASURES | _QUANTILE_MEASURES:
        return (yield from _read_minute_values(counted_measure, minute_range))
    event_counts = MinuteCells()
    if needs_event_counts:
        count_measure = msgspec.structs.replace(counted_measure, measure="count", property=None)
        event_counts = (yield from _read_minute_values(count_measure, minute_range)).event_counts
    parameters = QueryParameters()
    measure = build_measure(counted_measure.measure, counted_measure.property, parameters)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{counted_measure.measure} is not an aggregate")
    build_query = build_distinct_query if counted_measure.measure in _DISTINCT_MEASURES else build_quantile_query
    sql = build_query(measure, counted_measure, minute_range, parameters)
    day_rows = yield from query_rows(sql, parameters, MinuteCells)
    return MinuteSeries(event_counts, _join_days(day_rows))


def _build_measure_window_series(
    counted_measure: CountedMeasure, minute_range: MinuteRange, minute_series: MinuteSeries
) -> WindowSeries:
    event_counts = slide_totals(minute_series.event_counts.spread_cells(minute_range, 0), minute_range.window_minutes)
    if counted_measure.measure == "count":
        return WindowSeries(event_counts, event_counts, lambda index: Fraction(event_counts[index]))
    values = _compute_window_values(counted_measure, minute_range, minute_series.measure_cells)
    return WindowSeries(event_counts, *values)


def _read_minute_values(counted_measure: CountedMeasure, minute_range: MinuteRange) -> QueryPlan[MinuteSeries]:
    parameters = QueryParameters()
    measure = build_measure(counted_measure.measure, counted_measure.property, parameters)
    sql = build_minute_query(measure, counted_measure, minute_range, parameters)
    day_rows = yield from query_rows(sql, parameters, _CountedMinuteCells)
    event_counts = _join_days([MinuteCells(day_row.counted_minutes, list(day_row.counts)) for day_row in day_rows])
    return MinuteSeries(event_counts, MinuteCells() if counted_measure.measure == "count" else _join_days(day_rows))


def _join_days(day_rows: Sequence[MinuteCells]) -> MinuteCells:
    minutes = [minute for day_row in day_rows for minute in day_row.minutes]
    return MinuteCells(minutes, [cell for day_row in day_rows for cell in day_row.cells])


def _compute_window_values(
    counted_measure: CountedMeasure, minute_range: MinuteRange, measure_cells: MinuteCells
) -> tuple[Sequence[Value], ExactValueAt]:
    measure = build_measure(counted_measure.measure, counted_measure.property, QueryParameters())
    if isinstance(measure, ExactSum):
        cells = measure_cells.spread_cells(minute_range, SumParts(0, {}))
        return _compute_window_sums(measure, cells, minute_range.window_minutes)
    values = _compute_window_aggregates(counted_measure, minute_range, measure_cells)
    return values, lambda index: measure.to_fraction(values[index])


def _compute_window_aggregates(
    counted_measure: CountedMeasure, minute_range: MinuteRange, measure_cells: MinuteCells
) -> Sequence[Value]:
    window_minutes = minute_range.window_minutes
    if counted_measure.measure in _DISTINCT_MEASURES:
        changes = measure_cells.spread_cells(minute_range, 0)
        return [int(count) for count in accumulate(changes)][window_minutes - 1 :]
    cells = measure_cells.spread_cells(minute_range, None)
    if counted_measure.measure in _EXTREME_MEASURES:
        extremes = slide_extremes(cells, window_minutes, is_minimum=counted_measure.measure == "min")
        return [to_answer_value(extreme) for extreme in extremes]
    return [to_answer_value(quantile) for quantile in cells[window_minutes - 1 :]]


def _compute_window_sums(
    measure: ExactSum, cells: Sequence[SumParts], window_minutes: int
) -> tuple[list[Value], ExactValueAt]:
    """Return the sum or average of each window; with numbers that are not decimals, only where it changes."""
    if not any(cell.bit_sums for cell in cells):
        total_millionths = slide_totals([cell.millionths for cell in cells], window_minutes)
        number_counts = slide_totals([cell.number_count for cell in cells], window_minutes)
        return measure.to_values(total_millionths, number_counts), lambda index: measure.to_fraction(
            SumParts(total_millionths[index], {}, number_counts[index])
        )
    sum_parts_by_window = list(slide_sum_parts(cells, window_minutes))
    values: list[Value] = []
    previous_sum_parts: SumParts | None = None
    value: Value = None
    for sum_parts in sum_parts_by_window:
        if sum_parts is not previous_sum_parts:
            previous_sum_parts, value = sum_parts, measure.to_value(sum_parts)
        values.append(value)
    return values, lambda index: measure.to_fraction(sum_parts_by_window[index])

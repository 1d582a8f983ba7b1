"""What a rule measures in each minute of a long time, and what its window shows at the end of each.

The queries are few, whatever the length of the time: windows are put together from minutes (rules/alerts#preview).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from tallyroom.alerts.back_test.minute_queries import MinuteRange, distinct_changes, in_minutes, window_quantiles
from tallyroom.alerts.back_test.sliding_window import sliding_extremes, sliding_parts, sliding_totals
from tallyroom.alerts.rule import AlertRule
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.exact_sums import ExactSum, SumParts
from tallyroom.queries.formula import PartName
from tallyroom.queries.formula_parts import evaluate_each
from tallyroom.queries.measures import Aggregate, StoredMeasure, measured
from tallyroom.queries.query_plan import QueryPlan, rows
from tallyroom.queries.values import Value, value_of

_DISTINCT = {"uniq", "uniq_actors"}
_EXTREMES = {"min", "max"}
_QUANTILES = {"median", "p95", "p99"}
_OF_EVENTS = {"nodata", "anomaly"}
"""The conditions that depend on the number of events."""


class MinuteParts(msgspec.Struct):
    """Something for each minute that has it.

    Attributes:
        minutes: the numbers of these minutes, in any order.
        cells: what each of them has.
    """

    minutes: list[int] = []
    cells: list[StoredMeasure] = []

    def spread(self, time_range: MinuteRange, empty: Any) -> list[Any]:
        """Return the cell of each minute from the earliest on, or `empty`; nothing of what lies after."""
        first, last = time_range.earliest, time_range.last
        spread = [empty] * (last - first + 1)
        for minute, cell in zip(self.minutes, self.cells, strict=True):
            if minute <= last:
                spread[minute - first] = cell
        return spread


class MinuteSeries(NamedTuple):
    """What the store has found for each minute.

    Attributes:
        events: the number of events; empty if the rule does not depend on it.
        parts: what the measure over a window is made of: of a distinct count, by how much it changes; of a quantile,
            its value over the window; of other measures, their value over the minute.
    """

    events: MinuteParts
    parts: MinuteParts


Minutes = dict[PartName, MinuteSeries]
"""What the store has found for each part of a rule."""


FractionAt = Callable[[int], Fraction | None]
"""The value of the measure in one of the windows, by its place, before it was rounded."""


class WindowSeries(NamedTuple):
    """For each minute of a time range: the number of events in the window that ends there, and the measure's value."""

    events: Sequence[int]
    values: Sequence[Value]
    fraction: FractionAt


class _Measured(MinuteParts):
    counted_minutes: list[int] = []
    counts: list[int] = []


def find_minutes(rule: AlertRule, time_range: MinuteRange) -> QueryPlan[Minutes]:
    """Read what the windows of a time range are made of."""
    minutes: Minutes = {}
    for name, metric in rule.parts.items():
        minutes[name] = yield from _found_of(metric, time_range, of_events=rule.condition in _OF_EVENTS)
    return minutes


def window_series(rule: AlertRule, time_range: MinuteRange, minutes: Minutes) -> WindowSeries:
    """Return what the window shows at the end of each minute of a time range."""
    parts = {name: _series_of(metric, time_range, minutes[name]) for name, metric in rule.parts.items()}
    if rule.tree is None:
        return parts["a"]
    events = [sum(counts) for counts in zip(*(part.events for part in parts.values()), strict=True)]
    values = evaluate_each(rule.tree, {name: part.values for name, part in parts.items()})
    return WindowSeries(
        events, values, lambda index: rule.fraction({name: part.fraction(index) for name, part in parts.items()})
    )


def _found_of(metric: CountedMeasure, time_range: MinuteRange, *, of_events: bool) -> QueryPlan[MinuteSeries]:
    if metric.measure not in _DISTINCT | _QUANTILES:
        return (yield from _measured(metric, time_range))
    events = (yield from _measured(_counting(metric), time_range)).events if of_events else MinuteParts()
    bound = Bound()
    measure = measured(metric.measure, metric.property, bound)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{metric.measure} is no aggregate")
    query = distinct_changes if metric.measure in _DISTINCT else window_quantiles
    days = yield from rows(query(measure, metric, time_range, bound), bound, MinuteParts)
    return MinuteSeries(events, _joined(days))


def _series_of(metric: CountedMeasure, time_range: MinuteRange, minutes: MinuteSeries) -> WindowSeries:
    events = sliding_totals(minutes.events.spread(time_range, 0), time_range.window)
    if metric.measure == "count":
        return WindowSeries(events, events, lambda index: Fraction(events[index]))
    return WindowSeries(events, *_values(metric, time_range, minutes.parts))


def _counting(metric: CountedMeasure) -> CountedMeasure:
    return msgspec.structs.replace(metric, measure="count", property=None)


def _measured(metric: CountedMeasure, time_range: MinuteRange) -> QueryPlan[MinuteSeries]:
    bound = Bound()
    measure = measured(metric.measure, metric.property, bound)
    days = yield from rows(in_minutes(measure, metric, time_range, bound), bound, _Measured)
    events = _joined([MinuteParts(day.counted_minutes, list(day.counts)) for day in days])
    return MinuteSeries(events, MinuteParts() if metric.measure == "count" else _joined(days))


def _joined(days: Sequence[MinuteParts]) -> MinuteParts:
    minutes = [minute for day in days for minute in day.minutes]
    return MinuteParts(minutes, [cell for day in days for cell in day.cells])


def _values(metric: CountedMeasure, time_range: MinuteRange, parts: MinuteParts) -> tuple[Sequence[Value], FractionAt]:
    measure = measured(metric.measure, metric.property, Bound())
    if isinstance(measure, ExactSum):
        return _sums(measure, parts.spread(time_range, SumParts(0, {})), time_range.window)
    values = _aggregates(metric, time_range, parts)
    return values, lambda index: measure.fraction(values[index])


def _aggregates(metric: CountedMeasure, time_range: MinuteRange, parts: MinuteParts) -> Sequence[Value]:
    if metric.measure in _EXTREMES:
        extremes = sliding_extremes(parts.spread(time_range, None), time_range.window, lowest=metric.measure == "min")
        return [value_of(extreme) for extreme in extremes]
    if metric.measure in _DISTINCT:
        return [int(count) for count in accumulate(parts.spread(time_range, 0))][time_range.window - 1 :]
    return [value_of(quantile) for quantile in parts.spread(time_range, None)[time_range.window - 1 :]]


def _sums(measure: ExactSum, cells: Sequence[SumParts], window: int) -> tuple[list[Value], FractionAt]:
    """Return the sum or average of each window; with numbers that are no decimals, only where it changes."""
    if not any(cell.bit_sums for cell in cells):
        totals = sliding_totals([cell.millionths for cell in cells], window)
        counts = sliding_totals([cell.count for cell in cells], window)
        return measure.values(totals, counts), lambda index: measure.fraction(
            SumParts(totals[index], {}, counts[index])
        )
    sums = list(sliding_parts(cells, window))
    values: list[Value] = []
    last: SumParts | None = None
    value: Value = None
    for parts in sums:
        if parts is not last:
            last, value = parts, measure.value(parts)
        values.append(value)
    return values, lambda index: measure.fraction(sums[index])

"""What a rule measures in each minute of a long time, and what its window shows at the end of each.

The queries are few, whatever the length of the time: windows are put together from minutes (rules/alerts#preview).
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from tallyroom.alerts.minute_queries import MinuteSpan, distinct_changes, in_minutes, window_quantiles
from tallyroom.alerts.rule import AlertRule
from tallyroom.alerts.sliding import sliding_extremes, sliding_parts, sliding_totals
from tallyroom.engine.bound import Bound
from tallyroom.engine.exact import ExactSum, SumParts
from tallyroom.engine.measures import ComputedMeasure, StoredMeasure, measured
from tallyroom.engine.query_plan import QueryPlan, rows
from tallyroom.engine.values import Value, value_of

Cells = list[tuple[int, StoredMeasure]]
"""Something for each minute that has it, by the minute's number."""

_DISTINCT = {"uniq", "uniq_actors"}
_EXTREMES = {"min", "max"}


class MinuteSeries(NamedTuple):
    """What the store has found for each minute.

    Attributes:
        events: the number of events.
        parts: what the measure over a window is made of: of a distinct count, by how much it changes; of a quantile,
            its value over the window; of other measures, their value over the minute. Empty for a count.
    """

    events: Cells
    parts: Cells


class WindowSeries(NamedTuple):
    """For each minute of a span, the number of events in the window that ends there, and the value of the measure."""

    events: Sequence[int]
    values: Sequence[Value]


class _Found(msgspec.Struct):
    minutes: Cells


def find_minutes(rule: AlertRule, span: MinuteSpan) -> QueryPlan[MinuteSeries]:
    """Read what the windows of a span are made of."""
    events = yield from _cells(in_minutes, "count", None, rule, span)
    if rule.measure == "count":
        return MinuteSeries(events, [])
    parts = yield from _cells(_QUERIES.get(rule.measure, in_minutes), rule.measure, rule.property, rule, span)
    return MinuteSeries(events, parts)


def window_series(rule: AlertRule, span: MinuteSpan, cells: MinuteSeries) -> WindowSeries:
    """Return what the window shows at the end of each minute of a span."""
    events = sliding_totals([int(each) for each in _spread(cells.events, span, 0)], span.window)
    return WindowSeries(events, events if rule.measure == "count" else _values(rule, span, cells.parts))


_QUERIES: dict[str, Any] = dict.fromkeys(_DISTINCT, distinct_changes) | dict.fromkeys(
    ("median", "p95", "p99"), window_quantiles
)


def _cells(query: Any, measure: Any, property_: str | None, rule: AlertRule, span: MinuteSpan) -> QueryPlan[Cells]:
    bound = Bound()
    found = yield from rows(query(measured(measure, property_, bound), rule, span, bound), bound, _Found)
    return [cell for row in found for cell in row.minutes]


def _values(rule: AlertRule, span: MinuteSpan, parts: Cells) -> Sequence[Value]:
    measure = measured(rule.measure, rule.property, Bound())
    if isinstance(measure, ExactSum):
        return _sums(measure, _spread(parts, span, SumParts(0, {})), span.window)
    if rule.measure in _EXTREMES:
        extremes = sliding_extremes(_spread(parts, span, None), span.window, lowest=rule.measure == "min")
        return [value_of(each) for each in extremes]
    if rule.measure in _DISTINCT:
        return [int(each) for each in accumulate(_spread(parts, span, 0))][span.window - 1 :]
    return [value_of(each) for each in _spread(parts, span, None)[span.window - 1 :]]


def _sums(measure: ComputedMeasure, cells: Sequence[SumParts], window: int) -> list[Value]:
    """Return the sum or average of each window; it is worked out anew only where it changes."""
    values: list[Value] = []
    last: SumParts | None = None
    value: Value = None
    for parts in sliding_parts(cells, window):
        if parts is not last:
            last, value = parts, measure.value(parts)
        values.append(value)
    return values


def _spread(cells: Iterable[tuple[int, Any]], span: MinuteSpan, empty: Any) -> list[Any]:
    """Return the cell of each minute from the earliest on, or `empty`; what lies after the span is left out."""
    spread = [empty] * (span.last - span.earliest + 1)
    for minute, cell in cells:
        if minute <= span.last:
            spread[minute - span.earliest] = cell
    return spread

"""Numbers compared with the window before, and followed over time: a counter shows one, a KPI widget up to six.

All measures of the same events are computed in one pass over those events.
"""

import math
from collections.abc import Callable, Sequence

import msgspec

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.buckets import Buckets, MeasuredSeries
from tallyroom.queries.event_choice import EventsChoice, check_events, named, names_of
from tallyroom.queries.filters import Filters, check_filters, conditions
from tallyroom.queries.keys import Key
from tallyroom.queries.measures import (
    ComputedMeasure,
    Measure,
    StoredMeasure,
    check_measure,
    empty_value,
    measured,
    stored_measure,
    total_of,
)
from tallyroom.queries.query_plan import QueryPlan, rows, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window, instant


class CountedMeasure(EventsChoice, frozen=True, kw_only=True, rename="camel"):
    """A measure of some events."""

    measure: Measure
    property: Key | None = None
    filters: Filters = ()


class ComparedNumber(msgspec.Struct, frozen=True):
    """A number of the window, that of the window before, and the change as a fraction.

    `previous` is None as well where nobody asked for it, `delta` where there is nothing to compare with.
    """

    value: Value
    previous: Value
    delta: float | None


class _Part(msgspec.Struct, frozen=True):
    """Measures of the same events, which those of `metric` are."""

    number: int
    metric: CountedMeasure
    measures: list[ComputedMeasure]


class _Found(msgspec.Struct):
    part: int
    key: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def check_counted(metric: CountedMeasure, path: Sequence[str | int]) -> None:
    """Refuse a measure whose property does not fit, and filters whose values do not fit their operators.

    Raises:
        ValidationFailed: names the fields under `path`.
    """
    check_events(metric, path)
    check_measure(metric.measure, metric.property, path)
    check_filters(metric.filters, [*path, "filters"])


def of_events(metric: CountedMeasure, question: Question, bound: Bound) -> list[str]:
    """Return SQL conditions for the events of `metric`, at any time."""
    return [*named(metric, bound), *conditions((*metric.filters, *question.filters), bound)]


def compare(
    metrics: Sequence[CountedMeasure], question: Question, before: Window | None
) -> QueryPlan[list[ComparedNumber]]:
    """Measure each of `metrics` in the window, and in the window `before` if there is one, in one query."""
    bound = Bound()
    measures = _measures(metrics, bound)
    stored_values = yield from _stored(metrics, measures, bound, lambda part: _selects(part, question, before, bound))
    values = [
        {key: measure.value(stored_value) for key, stored_value in of_metric.items()}
        for measure, of_metric in zip(measures, stored_values, strict=True)
    ]
    return [_compared(metric, of_metric, before) for metric, of_metric in zip(metrics, values, strict=True)]


def follow(metrics: Sequence[CountedMeasure], question: Question, buckets: Buckets) -> QueryPlan[list[MeasuredSeries]]:
    """Measure each of `metrics` in every bucket, in one query."""
    bound = Bound()
    key, measures = buckets.number(bound), _measures(metrics, bound)
    stored_values = yield from _stored(
        metrics, measures, bound, lambda part: [_select(part, key, buckets.window, question, bound)]
    )
    return [
        MeasuredSeries(
            buckets.points(
                ((key, measure.value(stored_value)) for key, stored_value in by_bucket.items()),
                empty_value(metric.measure),
            ),
            total_of(metric.measure, measure, by_bucket.values()),
        )
        for metric, measure, by_bucket in zip(metrics, measures, stored_values, strict=True)
    ]


def _measures(metrics: Sequence[CountedMeasure], bound: Bound) -> list[ComputedMeasure]:
    return [measured(metric.measure, metric.property, bound) for metric in metrics]


def _stored(
    metrics: Sequence[CountedMeasure],
    measures: Sequence[ComputedMeasure],
    bound: Bound,
    selects_of: Callable[[_Part], list[str]],
) -> QueryPlan[list[dict[int, StoredMeasure]]]:
    """Return the values of each item by the key that the SELECTs of its part group by."""
    parts = _parts(metrics)
    selects: list[str] = []
    for number, indices in enumerate(parts):
        selects += selects_of(_Part(number, metrics[indices[0]], [measures[index] for index in indices]))
    part_rows = yield from rows("\nUNION ALL\n".join(selects), bound, _Found)
    stored_values: list[dict[int, StoredMeasure]] = [{} for _ in metrics]
    for row in part_rows:
        for index, text in zip(parts[row.part], row.measures, strict=True):
            stored_values[index][row.key] = stored_measure(text)
    return stored_values


def _parts(metrics: Sequence[CountedMeasure]) -> list[list[int]]:
    """Return the indices of the items, grouped by the events that they are about."""
    parts: dict[bytes, list[int]] = {}
    for index, metric in enumerate(metrics):
        parts.setdefault(msgspec.json.encode([names_of(metric), metric.filters]), []).append(index)
    return list(parts.values())


def _selects(part: _Part, question: Question, before: Window | None, bound: Bound) -> list[str]:
    """Return the SELECTs of a part: a single pass over both windows if one follows the other."""
    window = question.window
    if before is None:
        return [_select(part, "1", window, question, bound)]
    if before.until_ms + 1 == window.from_ms:
        current = f"timestamp >= {instant('current_ms', window.from_ms, bound)}"
        return [_select(part, current, Window(before.from_ms, window.until_ms), question, bound)]
    return [_select(part, "1", window, question, bound), _select(part, "0", before, question, bound)]


def _select(part: _Part, key: str, window: Window, question: Question, bound: Bound) -> str:
    where = scoped_where(window.condition(bound), *of_events(part.metric, question, bound))
    return f"""
SELECT {part.number} AS part, {key} AS key,
  [{", ".join(f"toJSONString({measure.over_events()})" for measure in part.measures)}] AS measures
FROM events
{where}
GROUP BY key""".strip()


def _compared(metric: CountedMeasure, values: dict[int, Value], before: Window | None) -> ComparedNumber:
    empty = empty_value(metric.measure)
    value = values.get(1, empty)
    previous = None if before is None else values.get(0, empty)
    return ComparedNumber(value, previous, delta_of(value, previous))


def delta_of(value: Value, previous: Value) -> float | None:
    """Return the change as a fraction; None where there is nothing to compare with."""
    if value is None or not previous:
        return None
    delta = (value - previous) / abs(previous)
    return delta if math.isfinite(delta) else None

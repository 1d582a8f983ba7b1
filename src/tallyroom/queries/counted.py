"""Numbers compared with the window before, and followed over time: a counter shows one, a KPI widget up to six.

All measures of the same events are computed in one pass over those events.
"""

import math
from collections.abc import Callable, Sequence

import msgspec

from tallyroom.queries.bound import Bound
from tallyroom.queries.buckets import Buckets, MeasuredSeries
from tallyroom.queries.chosen_events import EventsChoice, check_events, named, names_of
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
    """Measures of the same events, which those of `counted` are."""

    number: int
    counted: CountedMeasure
    measures: list[ComputedMeasure]


class _Found(msgspec.Struct):
    part: int
    key: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def check_counted(counted: CountedMeasure, path: Sequence[str | int]) -> None:
    """Refuse a measure whose property does not fit, and filters whose values do not fit their operators.

    Raises:
        ValidationFailed: names the fields under `path`.
    """
    check_events(counted, path)
    check_measure(counted.measure, counted.property, path)
    check_filters(counted.filters, [*path, "filters"])


def of_events(counted: CountedMeasure, question: Question, bound: Bound) -> list[str]:
    """Return SQL conditions for the events of `counted`, at any time."""
    return [*named(counted, bound), *conditions((*counted.filters, *question.filters), bound)]


def compare(
    items: Sequence[CountedMeasure], question: Question, before: Window | None
) -> QueryPlan[list[ComparedNumber]]:
    """Measure each of `items` in the window, and in the window `before` if there is one, in one query."""
    bound = Bound()
    measures = _measures(items, bound)
    stored = yield from _stored(items, measures, bound, lambda part: _selects(part, question, before, bound))
    values = [
        {key: measure.value(each) for key, each in of_item.items()}
        for measure, of_item in zip(measures, stored, strict=True)
    ]
    return [_compared(item, of_item, before) for item, of_item in zip(items, values, strict=True)]


def follow(items: Sequence[CountedMeasure], question: Question, buckets: Buckets) -> QueryPlan[list[MeasuredSeries]]:
    """Measure each of `items` in every bucket, in one query."""
    bound = Bound()
    key, measures = buckets.number(bound), _measures(items, bound)
    stored = yield from _stored(
        items, measures, bound, lambda part: [_select(part, key, buckets.window, question, bound)]
    )
    return [
        MeasuredSeries(
            buckets.points(((key, measure.value(each)) for key, each in found.items()), empty_value(item.measure)),
            total_of(item.measure, measure, found.values()),
        )
        for item, measure, found in zip(items, measures, stored, strict=True)
    ]


def _measures(items: Sequence[CountedMeasure], bound: Bound) -> list[ComputedMeasure]:
    return [measured(item.measure, item.property, bound) for item in items]


def _stored(
    items: Sequence[CountedMeasure],
    measures: Sequence[ComputedMeasure],
    bound: Bound,
    selects_of: Callable[[_Part], list[str]],
) -> QueryPlan[list[dict[int, StoredMeasure]]]:
    """Return the values of each item by the key that the SELECTs of its part group by."""
    parts = _parts(items)
    selects: list[str] = []
    for number, indices in enumerate(parts):
        selects += selects_of(_Part(number, items[indices[0]], [measures[index] for index in indices]))
    found = yield from rows("\nUNION ALL\n".join(selects), bound, _Found)
    stored: list[dict[int, StoredMeasure]] = [{} for _ in items]
    for row in found:
        for index, text in zip(parts[row.part], row.measures, strict=True):
            stored[index][row.key] = stored_measure(text)
    return stored


def _parts(items: Sequence[CountedMeasure]) -> list[list[int]]:
    """Return the indices of the items, grouped by the events that they are about."""
    parts: dict[bytes, list[int]] = {}
    for index, item in enumerate(items):
        parts.setdefault(msgspec.json.encode([names_of(item), item.filters]), []).append(index)
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
    where = scoped_where(window.condition(bound), *of_events(part.counted, question, bound))
    return f"""
SELECT {part.number} AS part, {key} AS key,
  [{", ".join(f"toJSONString({measure.over_events()})" for measure in part.measures)}] AS measures
FROM events
{where}
GROUP BY key""".strip()


def _compared(item: CountedMeasure, values: dict[int, Value], before: Window | None) -> ComparedNumber:
    empty = empty_value(item.measure)
    value = values.get(1, empty)
    previous = None if before is None else values.get(0, empty)
    return ComparedNumber(value, previous, delta_of(value, previous))


def delta_of(value: Value, previous: Value) -> float | None:
    """Return the change as a fraction; None where there is nothing to compare with."""
    if value is None or not previous:
        return None
    delta = (value - previous) / abs(previous)
    return delta if math.isfinite(delta) else None

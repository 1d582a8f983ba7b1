"""Numbers compared with the window before: a counter shows one of them, a KPI widget up to six.

All measures of the same events are computed in one pass over those events.
"""

import math
from collections.abc import Sequence

import msgspec

from tallyroom.engine.bound import Bound
from tallyroom.engine.config import EventName
from tallyroom.engine.filters import Filters, check_filters, conditions
from tallyroom.engine.keys import Key
from tallyroom.engine.measures import ComputedMeasure, Measure, StoredMeasure, check_measure, empty_value, measured
from tallyroom.engine.query_plan import QueryPlan, rows, scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.values import Value
from tallyroom.engine.window import instant


class CountedMeasure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A measure of some events."""

    event: EventName
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


class _Found(msgspec.Struct):
    part: int
    current: bool
    measures: list[str | None]  # each as JSON, because measures can have different types


def check_counted(counted: CountedMeasure, path: Sequence[str | int]) -> None:
    """Refuse a measure whose property does not fit, and filters whose values do not fit their operators.

    Raises:
        ValidationFailed: names the fields under `path`.
    """
    check_measure(counted.measure, counted.property, path)
    check_filters(counted.filters, [*path, "filters"])


def of_events(counted: CountedMeasure, question: Question, bound: Bound) -> list[str]:
    """Return SQL conditions for the events of `counted`, at any time."""
    return [
        f"name = {bound.text('event', counted.event)}",
        *conditions((*counted.filters, *question.segment), bound),
    ]


def compare(
    items: Sequence[CountedMeasure], question: Question, *, before: bool = True
) -> QueryPlan[list[ComparedNumber]]:
    """Measure each of `items` in the window, and in the window before if `before`, in one query."""
    bound = Bound()
    parts = _parts(items)
    measures = [measured(item.measure, item.property, bound) for item in items]
    selects = [
        _select(number, items[indices[0]], [measures[index] for index in indices], question, bound, before=before)
        for number, indices in enumerate(parts)
    ]
    found = yield from rows("\nUNION ALL\n".join(selects), bound, _Found)
    values = {
        (index, row.current): measures[index].value(text and msgspec.json.decode(text, type=StoredMeasure))
        for row in found
        for index, text in zip(parts[row.part], row.measures, strict=True)
    }
    return [_compared(item, index, values, before=before) for index, item in enumerate(items)]


def _parts(items: Sequence[CountedMeasure]) -> list[list[int]]:
    """Return the indices of the items, grouped by the events that they are about."""
    parts: dict[bytes, list[int]] = {}
    for index, item in enumerate(items):
        parts.setdefault(msgspec.json.encode([item.event, item.filters]), []).append(index)
    return list(parts.values())


def _select(  # of one part; all its items have the same events as `counted`
    part: int,
    counted: CountedMeasure,
    measures: Sequence[ComputedMeasure],
    question: Question,
    bound: Bound,
    *,
    before: bool,
) -> str:
    window = question.window
    span = window.condition_with_before(bound) if before else window.condition(bound)
    where = scoped_where(span, *of_events(counted, question, bound))
    return f"""
SELECT {part} AS part, toBool(timestamp >= {instant("current_ms", window.from_ms, bound)}) AS current,
  [{", ".join(f"toJSONString({measure.over_events()})" for measure in measures)}] AS measures
FROM events
{where}
GROUP BY current""".strip()


def _compared(
    item: CountedMeasure, index: int, values: dict[tuple[int, bool], Value], *, before: bool
) -> ComparedNumber:
    empty = empty_value(item.measure)
    value = values.get((index, True), empty)
    previous = values.get((index, False), empty) if before else None
    return ComparedNumber(value, previous, _delta(value, previous))


def _delta(value: Value, previous: Value) -> float | None:
    if value is None or not previous:
        return None
    delta = (value - previous) / abs(previous)
    return delta if math.isfinite(delta) else None

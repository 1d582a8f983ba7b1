"""What all alerts of one environment with windows of the same length see at a beat: one query (rules/alerts#beats)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from tallyroom.alerts.evaluation.conditions import Observation, Sample
from tallyroom.alerts.rule import PAST_DAYS, AlertRule
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.event_choice import named, names_of
from tallyroom.queries.filters import Filter, conditions
from tallyroom.queries.measures import ComputedMeasure, StoredMeasure, empty_value, measured, stored_measure
from tallyroom.queries.query_plan import QueryPlan, rows, scoped_where
from tallyroom.queries.values import Value, fraction_of
from tallyroom.queries.window import between


class WindowSteps(NamedTuple):
    """`number` windows of the same length; the newest ends at the beat, and each ends `step_ms` before the next."""

    number: int
    step_ms: int
    length_ms: int

    @property
    def reach_ms(self) -> int:
        """The time from the beginning of the first window to the end of the last."""
        return (self.number - 1) * self.step_ms + self.length_ms


class _Part(NamedTuple):
    """The same events in the same windows, and the distinct measures of them that rules need."""

    windows: WindowSteps
    measures: list[CountedMeasure]


class _Reading(NamedTuple):
    """A measure in a window: how it is computed, what the store returned, and the value."""

    measure: ComputedMeasure
    cell: StoredMeasure
    value: Value


class _Seen(NamedTuple):
    """A part of a rule in a window; `reading` is None where no event of the part has any."""

    events: int
    value: Value
    reading: _Reading | None = None

    def fraction(self) -> Fraction | None:
        """The value without rounding."""
        return fraction_of(self.value) if self.reading is None else self.reading.measure.fraction(self.reading.cell)


_Key = tuple[tuple[str, ...] | None, WindowSteps]
"""The names of the events, None for all events, and the windows."""
_Values = dict[tuple[int, int], list[_Reading]]
"""The measures of each part in each window."""


class _Found(msgspec.Struct):
    part: int
    window: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def observe(rules: Sequence[AlertRule], beat_ms: int) -> QueryPlan[list[Observation]]:
    """Return what each rule sees at a beat; all rules have windows of the same length."""
    bound = Bound()
    parts = _parts(rules)
    part_measures = [_computed(part, bound) for part in parts.values()]
    selects = [
        _select(number, part, measures, beat_ms, bound)
        for number, (part, measures) in enumerate(zip(parts.values(), part_measures, strict=True))
    ]
    window_rows = yield from rows("\nUNION ALL\n".join(selects), bound, _Found)
    values: _Values = {
        (row.part, row.window): [
            _reading(measure, text) for measure, text in zip(part_measures[row.part], row.measures, strict=True)
        ]
        for row in window_rows
    }
    return [_observation(rule, parts, values) for rule in rules]


def windows_of(rule: AlertRule) -> WindowSteps:
    """Return the windows that a rule looks at."""
    length_ms = rule.window_minutes * MINUTE_MS
    if rule.condition == "anomaly":
        return WindowSteps(1 + PAST_DAYS, DAY_MS, length_ms)
    return WindowSteps(2 if rule.condition in {"rises", "drops"} else 1, length_ms, length_ms)


def _parts(rules: Sequence[AlertRule]) -> dict[_Key, _Part]:
    parts: dict[_Key, _Part] = {}
    for rule in rules:
        windows = windows_of(rule)
        for metric in rule.parts.values():
            part = parts.setdefault((names_of(metric), windows), _Part(windows, []))
            part.measures.extend(measure for measure in _measures_of(metric) if measure not in part.measures)
    return parts


def _measures_of(metric: CountedMeasure) -> tuple[CountedMeasure, CountedMeasure]:
    """Return what is needed of a window: the number of its events, and their measure."""
    return msgspec.structs.replace(metric, measure="count", property=None), metric


def _computed(part: _Part, bound: Bound) -> list[ComputedMeasure]:
    """Return the measures of a part, each only over the events that match its filters."""
    filters: list[tuple[Filter, ...]] = []
    for metric in part.measures:
        if metric.filters not in filters:
            filters.append(metric.filters)
    matches = [" AND ".join(conditions(metric_filters, bound)) for metric_filters in filters]
    return list(_narrowed(part, filters, matches, bound))


def _narrowed(
    part: _Part, filters: list[tuple[Filter, ...]], matches: list[str], bound: Bound
) -> Iterator[ComputedMeasure]:
    for metric in part.measures:
        number = filters.index(metric.filters)
        measure = measured(metric.measure, metric.property, bound)
        yield measure.among(matches[number], str(number)) if matches[number] else measure


def _select(part: int, of: _Part, measures: Sequence[ComputedMeasure], beat_ms: int, bound: Bound) -> str:
    windows = of.windows
    age = f"({bound.integer('beat_ms', beat_ms)} - toUnixTimestamp64Milli(timestamp))"
    step = bound.integer("step_ms", windows.step_ms)
    clauses = [between(beat_ms - windows.reach_ms + 1, beat_ms, bound), *named(of.measures[0], bound)]
    if windows.length_ms < windows.step_ms:
        clauses.append(f"{age} % {step} < {bound.integer('length_ms', windows.length_ms)}")
    return f"""
SELECT {part} AS part, toUInt16(intDiv({age}, {step})) AS window,
  [{", ".join(f"toJSONString({measure.over_events()})" for measure in measures)}] AS measures
FROM events
{scoped_where(*clauses)}
GROUP BY window""".strip()


def _reading(measure: ComputedMeasure, text: str | None) -> _Reading:
    cell = stored_measure(text)
    return _Reading(measure, cell, measure.value(cell))


def _observation(rule: AlertRule, parts: dict[_Key, _Part], values: _Values) -> Observation:
    windows = windows_of(rule)
    by_part = {name: _seen(metric, windows, parts, values) for name, metric in rule.parts.items()}

    def sample(window: int) -> Sample:
        value = rule.value({name: part_windows[window].value for name, part_windows in by_part.items()})
        return Sample(sum(part_windows[window].events for part_windows in by_part.values()), value)

    def exactly() -> list[Fraction | None]:
        return [
            rule.fraction({name: part_windows[window].fraction() for name, part_windows in by_part.items()})
            for window in range(windows.number)
        ]

    current, *earlier = (sample(window) for window in range(windows.number))
    return Observation(current, earlier, exactly)


def _seen(metric: CountedMeasure, windows: WindowSteps, parts: dict[_Key, _Part], values: _Values) -> list[_Seen]:
    """Return what is measured in each of the windows."""
    part = parts[names_of(metric), windows]
    number = list(parts.values()).index(part)
    events, measure = map(part.measures.index, _measures_of(metric))
    empty = _Seen(0, empty_value(metric.measure))
    window_readings = [values.get((number, window)) for window in range(windows.number)]
    return [
        empty
        if readings is None
        else _Seen(int(readings[events].value or 0), readings[measure].value, readings[measure])
        for readings in window_readings
    ]

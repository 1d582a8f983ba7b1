"""What all alerts of one environment with windows of the same length see at a beat: one query (rules/alerts#beats)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from tallyroom.alerts.evaluation.conditions import Observation, Sample
from tallyroom.alerts.rule import PAST_DAYS, AlertRule
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.bound import Bound
from tallyroom.queries.chosen_events import named, names_of
from tallyroom.queries.counted import CountedMeasure
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
    stored: StoredMeasure
    value: Value


class _Seen(NamedTuple):
    """A part of a rule in a window; `reading` is None where no event of the part has any."""

    events: int
    value: Value
    reading: _Reading | None = None

    def fraction(self) -> Fraction | None:
        """The value without rounding."""
        return fraction_of(self.value) if self.reading is None else self.reading.measure.fraction(self.reading.stored)


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
    computed = [_computed(part, bound) for part in parts.values()]
    selects = [
        _select(number, part, measures, beat_ms, bound)
        for number, (part, measures) in enumerate(zip(parts.values(), computed, strict=True))
    ]
    found = yield from rows("\nUNION ALL\n".join(selects), bound, _Found)
    values: _Values = {
        (row.part, row.window): [_reading(*each) for each in zip(computed[row.part], row.measures, strict=True)]
        for row in found
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
        for counted in rule.parts.values():
            part = parts.setdefault((names_of(counted), windows), _Part(windows, []))
            part.measures.extend(each for each in _measures_of(counted) if each not in part.measures)
    return parts


def _measures_of(counted: CountedMeasure) -> tuple[CountedMeasure, CountedMeasure]:
    """Return what is needed of a window: the number of its events, and their measure."""
    return msgspec.structs.replace(counted, measure="count", property=None), counted


def _computed(part: _Part, bound: Bound) -> list[ComputedMeasure]:
    """Return the measures of a part, each only over the events that match its filters."""
    filters: list[tuple[Filter, ...]] = []
    for counted in part.measures:
        if counted.filters not in filters:
            filters.append(counted.filters)
    matches = [" AND ".join(conditions(each, bound)) for each in filters]
    return list(_narrowed(part, filters, matches, bound))


def _narrowed(
    part: _Part, filters: list[tuple[Filter, ...]], matches: list[str], bound: Bound
) -> Iterator[ComputedMeasure]:
    for counted in part.measures:
        number = filters.index(counted.filters)
        measure = measured(counted.measure, counted.property, bound)
        yield measure.among(matches[number], str(number)) if matches[number] else measure


def _select(part: int, of: _Part, measures: Sequence[ComputedMeasure], beat_ms: int, bound: Bound) -> str:
    windows = of.windows
    age = f"({bound.integer('beat_ms', beat_ms)} - toUnixTimestamp64Milli(timestamp))"
    step = bound.integer("step_ms", windows.step_ms)
    chosen = [between(beat_ms - windows.reach_ms + 1, beat_ms, bound), *named(of.measures[0], bound)]
    if windows.length_ms < windows.step_ms:
        chosen.append(f"{age} % {step} < {bound.integer('length_ms', windows.length_ms)}")
    return f"""
SELECT {part} AS part, toUInt16(intDiv({age}, {step})) AS window,
  [{", ".join(f"toJSONString({measure.over_events()})" for measure in measures)}] AS measures
FROM events
{scoped_where(*chosen)}
GROUP BY window""".strip()


def _reading(measure: ComputedMeasure, text: str | None) -> _Reading:
    stored = stored_measure(text)
    return _Reading(measure, stored, measure.value(stored))


def _observation(rule: AlertRule, parts: dict[_Key, _Part], values: _Values) -> Observation:
    windows = windows_of(rule)
    seen = {name: _seen(counted, windows, parts, values) for name, counted in rule.parts.items()}

    def sample(window: int) -> Sample:
        value = rule.value({name: each[window].value for name, each in seen.items()})
        return Sample(sum(each[window].events for each in seen.values()), value)

    def exactly() -> list[Fraction | None]:
        return [
            rule.fraction({name: each[window].fraction() for name, each in seen.items()})
            for window in range(windows.number)
        ]

    current, *earlier = (sample(window) for window in range(windows.number))
    return Observation(current, earlier, exactly)


def _seen(counted: CountedMeasure, windows: WindowSteps, parts: dict[_Key, _Part], values: _Values) -> list[_Seen]:
    """Return what is measured in each of the windows."""
    part = parts[names_of(counted), windows]
    number = list(parts.values()).index(part)
    events, measure = (part.measures.index(each) for each in _measures_of(counted))
    empty = _Seen(0, empty_value(counted.measure))
    found = [values.get((number, window)) for window in range(windows.number)]
    return [
        empty if each is None else _Seen(int(each[events].value or 0), each[measure].value, each[measure])
        for each in found
    ]

"""What all alerts of one environment with windows of the same length see at a beat: one query (rules/alerts#beats)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from tallyroom.alerts.evaluation.conditions import Observation, Sample
from tallyroom.alerts.rule import PAST_DAYS, AlertRule
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.event_choice import chosen_names, event_conditions
from tallyroom.queries.filters import Filter, filter_conditions
from tallyroom.queries.measures import ComputedMeasure, StoredMeasure, empty_value, measure_sql, read_stored_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.queries.values import Value, fraction_of
from tallyroom.queries.window import time_condition


class WindowSteps(NamedTuple):
    """`window_count` windows of the same length; the newest ends at the beat, each other `step_ms` before the next."""

    window_count: int
    step_ms: int
    length_ms: int

    @property
    def duration_ms(self) -> int:
        """The time from the beginning of the first window to the end of the last."""
        return (self.window_count - 1) * self.step_ms + self.length_ms


class _MeasureGroup(NamedTuple):
    """The same events in the same windows, and the distinct measures of them that rules need."""

    windows: WindowSteps
    measures: list[CountedMeasure]


class _MeasuredValue(NamedTuple):
    """A measure in a window: how it is computed, what the store returned, and the value."""

    measure: ComputedMeasure
    cell: StoredMeasure
    value: Value


class _WindowValue(NamedTuple):
    """A part of a rule in a window; `measured_value` is None where no event of the part has any."""

    event_count: int
    value: Value
    measured_value: _MeasuredValue | None = None

    def fraction(self) -> Fraction | None:
        """The value without rounding."""
        return (
            fraction_of(self.value)
            if self.measured_value is None
            else self.measured_value.measure.to_fraction(self.measured_value.cell)
        )


_GroupKey = tuple[tuple[str, ...] | None, WindowSteps]
"""The names of the events, None for all events, and the windows."""
_ValuesByWindow = dict[tuple[int, int], list[_MeasuredValue]]
"""The measures of each group in each window."""


class _WindowRow(msgspec.Struct):
    part: int
    window: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def observe_rules(rules: Sequence[AlertRule], beat_ms: int) -> QueryPlan[list[Observation]]:
    """Return what each rule sees at a beat; all rules have windows of the same length."""
    parameters = QueryParameters()
    groups = _group_measures(rules)
    group_measures = [_compute_measures(group, parameters) for group in groups.values()]
    selects = [
        _build_select(group_index, group, measures, beat_ms, parameters)
        for group_index, (group, measures) in enumerate(zip(groups.values(), group_measures, strict=True))
    ]
    window_rows = yield from query_rows("\nUNION ALL\n".join(selects), parameters, _WindowRow)
    values_by_window: _ValuesByWindow = {
        (row.part, row.window): [
            _read_measured_value(measure, json_text)
            for measure, json_text in zip(group_measures[row.part], row.measures, strict=True)
        ]
        for row in window_rows
    }
    return [_build_observation(rule, groups, values_by_window) for rule in rules]


def windows_of(rule: AlertRule) -> WindowSteps:
    """Return the windows that a rule looks at."""
    length_ms = rule.window_minutes * MINUTE_MS
    if rule.condition == "anomaly":
        return WindowSteps(1 + PAST_DAYS, DAY_MS, length_ms)
    return WindowSteps(2 if rule.condition in {"rises", "drops"} else 1, length_ms, length_ms)


def _group_measures(rules: Sequence[AlertRule]) -> dict[_GroupKey, _MeasureGroup]:
    groups: dict[_GroupKey, _MeasureGroup] = {}
    for rule in rules:
        windows = windows_of(rule)
        for counted_measure in rule.measures_by_name.values():
            group = groups.setdefault((chosen_names(counted_measure), windows), _MeasureGroup(windows, []))
            group.measures.extend(
                window_measure
                for window_measure in _count_and_measure(counted_measure)
                if window_measure not in group.measures
            )
    return groups


def _count_and_measure(counted_measure: CountedMeasure) -> tuple[CountedMeasure, CountedMeasure]:
    """Return what is needed of a window: the number of its events, and their measure."""
    return msgspec.structs.replace(counted_measure, measure="count", property=None), counted_measure


def _compute_measures(group: _MeasureGroup, parameters: QueryParameters) -> list[ComputedMeasure]:
    """Return the measures of a group, each only over the events that match its filters."""
    filters: list[tuple[Filter, ...]] = []
    for counted_measure in group.measures:
        if counted_measure.filters not in filters:
            filters.append(counted_measure.filters)
    match_conditions = [" AND ".join(filter_conditions(measure_filters, parameters)) for measure_filters in filters]
    return list(_filter_measures(group, filters, match_conditions, parameters))


def _filter_measures(
    group: _MeasureGroup, filters: list[tuple[Filter, ...]], match_conditions: list[str], parameters: QueryParameters
) -> Iterator[ComputedMeasure]:
    for counted_measure in group.measures:
        filter_index = filters.index(counted_measure.filters)
        measure = measure_sql(counted_measure.measure, counted_measure.property, parameters)
        yield (
            measure.restrict(match_conditions[filter_index], str(filter_index))
            if match_conditions[filter_index]
            else measure
        )


def _build_select(
    group_index: int,
    group: _MeasureGroup,
    measures: Sequence[ComputedMeasure],
    beat_ms: int,
    parameters: QueryParameters,
) -> str:
    windows = group.windows
    age = f"({parameters.integer('beat_ms', beat_ms)} - toUnixTimestamp64Milli(timestamp))"
    step = parameters.integer("step_ms", windows.step_ms)
    clauses = [
        time_condition(beat_ms - windows.duration_ms + 1, beat_ms, parameters),
        *event_conditions(group.measures[0], parameters),
    ]
    if windows.length_ms < windows.step_ms:
        clauses.append(f"{age} % {step} < {parameters.integer('length_ms', windows.length_ms)}")
    return f"""
SELECT {group_index} AS part, toUInt16(intDiv({age}, {step})) AS window,
  [{", ".join(f"toJSONString({measure.aggregate_sql()})" for measure in measures)}] AS measures
FROM events
{scoped_where(*clauses)}
GROUP BY window""".strip()


def _read_measured_value(measure: ComputedMeasure, json_text: str | None) -> _MeasuredValue:
    cell = read_stored_measure(json_text)
    return _MeasuredValue(measure, cell, measure.to_value(cell))


def _build_observation(
    rule: AlertRule, groups: dict[_GroupKey, _MeasureGroup], values_by_window: _ValuesByWindow
) -> Observation:
    windows = windows_of(rule)
    values_by_name = {
        name: _list_window_values(counted_measure, windows, groups, values_by_window)
        for name, counted_measure in rule.measures_by_name.items()
    }

    def build_sample(window_index: int) -> Sample:
        value = rule.compute_value(
            {name: window_values[window_index].value for name, window_values in values_by_name.items()}
        )
        return Sample(sum(window_values[window_index].event_count for window_values in values_by_name.values()), value)

    def get_exact_values() -> list[Fraction | None]:
        return [
            rule.compute_fraction(
                {name: window_values[window_index].fraction() for name, window_values in values_by_name.items()}
            )
            for window_index in range(windows.window_count)
        ]

    current, *earlier = (build_sample(window_index) for window_index in range(windows.window_count))
    return Observation(current, earlier, get_exact_values)


def _list_window_values(
    counted_measure: CountedMeasure,
    windows: WindowSteps,
    groups: dict[_GroupKey, _MeasureGroup],
    values_by_window: _ValuesByWindow,
) -> list[_WindowValue]:
    """Return what is measured in each of the windows."""
    group = groups[chosen_names(counted_measure), windows]
    group_index = list(groups.values()).index(group)
    count_index, measure_index = map(group.measures.index, _count_and_measure(counted_measure))
    empty = _WindowValue(0, empty_value(counted_measure.measure))
    values_of_windows = [
        values_by_window.get((group_index, window_index)) for window_index in range(windows.window_count)
    ]
    return [
        empty
        if measured_values is None
        else _WindowValue(
            int(measured_values[count_index].value or 0),
            measured_values[measure_index].value,
            measured_values[measure_index],
        )
        for measured_values in values_of_windows
    ]

"""What all alerts of one environment with windows of the same length see at a beat: one query (rules/alerts#beats)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from tallyroom.alerts.evaluation.conditions import Observation, Sample
from tallyroom.alerts.rule import PAST_DAY_COUNT, AlertRule
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.event_choice import chosen_event_names, event_conditions
from tallyroom.queries.filters import Filter, filter_conditions
from tallyroom.queries.measures import MeasureSql, StoredValue, build_measure, empty_value, read_stored_value
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.queries.values import Value, value_to_fraction
from tallyroom.queries.window import time_condition


class WindowLayout(NamedTuple):
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

    window_layout: WindowLayout
    counted_measures: list[CountedMeasure]


class _MeasuredValue(NamedTuple):
    """A measure in a window: how it is computed, what the store returned, and the value."""

    measure: MeasureSql
    stored_value: StoredValue
    value: Value


class _WindowValue(NamedTuple):
    """A part of a rule in a window; `measured_value` is None if no event of the part has any."""

    event_count: int
    value: Value
    measured_value: _MeasuredValue | None = None

    def exact_value(self) -> Fraction | None:
        """The unrounded value."""
        if self.measured_value is None:
            return value_to_fraction(self.value)
        return self.measured_value.measure.to_fraction(self.measured_value.stored_value)


_GroupKey = tuple[tuple[str, ...] | None, WindowLayout]
"""The names of the events, None for all events, and the windows."""
_ValuesByGroupWindow = dict[tuple[int, int], list[_MeasuredValue]]
"""The measures of each group in each window."""


class _WindowRow(msgspec.Struct):
    part: int
    window: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def observe_rules(rules: Sequence[AlertRule], beat_at_ms: int) -> QueryPlan[list[Observation]]:
    """Return what each rule sees at a beat; all rules have windows of the same length."""
    parameters = QueryParameters()
    group_by_key = _group_measures(rules)
    measures_by_group = [_build_group_measures(group, parameters) for group in group_by_key.values()]
    select_statements = [
        _build_select(group_index, group, measures, beat_at_ms, parameters)
        for group_index, (group, measures) in enumerate(zip(group_by_key.values(), measures_by_group, strict=True))
    ]
    window_rows = yield from query_rows("\nUNION ALL\n".join(select_statements), parameters, _WindowRow)
    values_by_group_window: _ValuesByGroupWindow = {
        (row.part, row.window): [
            _read_measured_value(measure, json_text)
            for measure, json_text in zip(measures_by_group[row.part], row.measures, strict=True)
        ]
        for row in window_rows
    }
    return [_build_observation(rule, group_by_key, values_by_group_window) for rule in rules]


def window_layout_of(rule: AlertRule) -> WindowLayout:
    """Return the windows that a rule reads."""
    length_ms = rule.window_minutes * MINUTE_MS
    if rule.condition == "anomaly":
        return WindowLayout(1 + PAST_DAY_COUNT, DAY_MS, length_ms)
    return WindowLayout(2 if rule.condition in {"rises", "drops"} else 1, length_ms, length_ms)


def _group_measures(rules: Sequence[AlertRule]) -> dict[_GroupKey, _MeasureGroup]:
    group_by_key: dict[_GroupKey, _MeasureGroup] = {}
    for rule in rules:
        window_layout = window_layout_of(rule)
        for counted_measure in rule.measure_by_part_name.values():
            key = chosen_event_names(counted_measure), window_layout
            measures = group_by_key.setdefault(key, _MeasureGroup(window_layout, [])).counted_measures
            measures.extend(measure for measure in _count_and_measure(counted_measure) if measure not in measures)
    return group_by_key


def _count_and_measure(counted_measure: CountedMeasure) -> tuple[CountedMeasure, CountedMeasure]:
    """Return the two measures of a window: the number of its events, and the rule's measure."""
    return msgspec.structs.replace(counted_measure, measure="count", property=None), counted_measure


def _build_group_measures(group: _MeasureGroup, parameters: QueryParameters) -> list[MeasureSql]:
    """Return the measures of a group, each only over the events that match its filters."""
    filter_sets: list[tuple[Filter, ...]] = []
    for counted_measure in group.counted_measures:
        if counted_measure.filters not in filter_sets:
            filter_sets.append(counted_measure.filters)
    match_conditions = [" AND ".join(filter_conditions(measure_filters, parameters)) for measure_filters in filter_sets]
    measures: list[MeasureSql] = []
    for counted_measure in group.counted_measures:
        measure = build_measure(counted_measure.measure, counted_measure.property, parameters)
        index = filter_sets.index(counted_measure.filters)
        measures.append(measure.restrict(match_conditions[index], str(index)) if match_conditions[index] else measure)
    return measures


def _build_select(
    group_index: int, group: _MeasureGroup, measures: Sequence[MeasureSql], beat_at_ms: int, parameters: QueryParameters
) -> str:
    window_layout = group.window_layout
    age_sql = f"({parameters.bind_integer('beat_ms', beat_at_ms)} - toUnixTimestamp64Milli(timestamp))"
    step_sql = parameters.bind_integer("step_ms", window_layout.step_ms)
    conditions = [
        time_condition(beat_at_ms - window_layout.duration_ms + 1, beat_at_ms, parameters),
        *event_conditions(group.counted_measures[0], parameters),
    ]
    if window_layout.length_ms < window_layout.step_ms:
        conditions.append(f"{age_sql} % {step_sql} < {parameters.bind_integer('length_ms', window_layout.length_ms)}")
    return f"""
SELECT {group_index} AS part, toUInt16(intDiv({age_sql}, {step_sql})) AS window,
  [{", ".join(f"toJSONString({measure.aggregate_sql()})" for measure in measures)}] AS measures
FROM events
{scoped_where(*conditions)}
GROUP BY window""".strip()


def _read_measured_value(measure: MeasureSql, json_text: str | None) -> _MeasuredValue:
    stored_value = read_stored_value(json_text)
    return _MeasuredValue(measure, stored_value, measure.to_value(stored_value))


def _build_observation(
    rule: AlertRule, group_by_key: dict[_GroupKey, _MeasureGroup], values_by_group_window: _ValuesByGroupWindow
) -> Observation:
    window_layout = window_layout_of(rule)
    values_by_part_name = {
        name: _list_window_values(counted_measure, window_layout, group_by_key, values_by_group_window)
        for name, counted_measure in rule.measure_by_part_name.items()
    }

    indexes = range(window_layout.window_count)

    def build_sample(index: int) -> Sample:
        value_by_part = {name: values[index].value for name, values in values_by_part_name.items()}
        event_count = sum(values[index].event_count for values in values_by_part_name.values())
        return Sample(event_count, rule.compute_value(value_by_part))

    def compute_exact_value(index: int) -> Fraction | None:
        return rule.compute_exact_value(
            {name: values[index].exact_value() for name, values in values_by_part_name.items()}
        )

    current_sample, *earlier_samples = map(build_sample, indexes)
    return Observation(current_sample, earlier_samples, lambda: [compute_exact_value(index) for index in indexes])


def _list_window_values(
    counted_measure: CountedMeasure,
    window_layout: WindowLayout,
    group_by_key: dict[_GroupKey, _MeasureGroup],
    values_by_group_window: _ValuesByGroupWindow,
) -> list[_WindowValue]:
    group = group_by_key[chosen_event_names(counted_measure), window_layout]
    group_index = list(group_by_key.values()).index(group)
    count_index, measure_index = map(group.counted_measures.index, _count_and_measure(counted_measure))
    empty_window_value = _WindowValue(0, empty_value(counted_measure.measure))
    window_values: list[_WindowValue] = []
    for window_index in range(window_layout.window_count):
        if (values := values_by_group_window.get((group_index, window_index))) is None:
            window_values.append(empty_window_value)
            continue
        count, measured = values[count_index].value, values[measure_index]
        window_values.append(_WindowValue(int(count or 0), measured.value, measured))
    return window_values

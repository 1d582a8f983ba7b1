"""Numbers compared with the previous window, and over time. All measures of the same events take one pass over them."""

import math
from collections.abc import Callable, Sequence

import msgspec

from tallyroom.queries.buckets import Buckets, MeasuredSeries
from tallyroom.queries.event_choice import EventChoiceFields, check_event_choice, chosen_event_names, event_conditions
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.keys import Key
from tallyroom.queries.measures import (
    Measure,
    MeasureSql,
    StoredValue,
    build_measure,
    check_measure,
    combine_stored_values,
    empty_value,
    read_stored_value,
)
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window, timestamp_sql


class CountedMeasure(EventChoiceFields, frozen=True, kw_only=True, rename="camel"):
    """A measure of some events."""

    measure: Measure
    property: Key | None = None
    filters: Filters = ()


class ComparedNumber(msgspec.Struct, frozen=True):
    """A number, the same number of the previous window, and the change as a fraction; None if there is none."""

    value: Value
    previous: Value
    delta: float | None


class _EventGroup(msgspec.Struct, frozen=True):
    index: int
    metric: CountedMeasure
    measures: list[MeasureSql]


class _MeasureRow(msgspec.Struct):
    part: int
    key: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def check_counted_measure(metric: CountedMeasure, path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed`, with fields under `path`, for an unsuitable property or filter value."""
    check_event_choice(metric, path)
    check_measure(metric.measure, metric.property, path)
    check_filters(metric.filters, [*path, "filters"])


def metric_conditions(metric: CountedMeasure, question: Question, parameters: QueryParameters) -> list[str]:
    """Return SQL conditions for the events of `metric`, at any time."""
    return [*event_conditions(metric, parameters), *filter_conditions((*metric.filters, *question.filters), parameters)]


def query_compared_numbers(
    metrics: Sequence[CountedMeasure], question: Question, earlier_window: Window | None
) -> QueryPlan[list[ComparedNumber]]:
    """Measure each of `metrics` in the window, and in `earlier_window` if there is one, in one query."""
    parameters = QueryParameters()
    measures = _build_measures(metrics, parameters)
    stored_value_maps = yield from _query_stored_value_maps(
        metrics,
        measures,
        parameters,
        lambda event_group: _build_selects(event_group, question, earlier_window, parameters),
    )
    return [
        _compare_values(metric, {key: measure.to_value(value) for key, value in stored_values.items()}, earlier_window)
        for metric, measure, stored_values in zip(metrics, measures, stored_value_maps, strict=True)
    ]


def query_series(
    metrics: Sequence[CountedMeasure], question: Question, buckets: Buckets
) -> QueryPlan[list[MeasuredSeries]]:
    """Measure each of `metrics` in every bucket, in one query."""
    parameters = QueryParameters()
    bucket_sql, measures = buckets.bucket_number_sql(parameters), _build_measures(metrics, parameters)
    stored_value_maps = yield from _query_stored_value_maps(
        metrics,
        measures,
        parameters,
        lambda event_group: [_build_select(event_group, bucket_sql, buckets.window, question, parameters)],
    )
    return [
        MeasuredSeries(
            buckets.fill_points(
                ((bucket, measure.to_value(stored_value)) for bucket, stored_value in stored_value_by_bucket.items()),
                empty_value(metric.measure),
            ),
            combine_stored_values(metric.measure, measure, stored_value_by_bucket.values()),
        )
        for metric, measure, stored_value_by_bucket in zip(metrics, measures, stored_value_maps, strict=True)
    ]


def _build_measures(metrics: Sequence[CountedMeasure], parameters: QueryParameters) -> list[MeasureSql]:
    return [build_measure(metric.measure, metric.property, parameters) for metric in metrics]


def _query_stored_value_maps(
    metrics: Sequence[CountedMeasure],
    measures: Sequence[MeasureSql],
    parameters: QueryParameters,
    build_selects: Callable[[_EventGroup], list[str]],
) -> QueryPlan[list[dict[int, StoredValue]]]:
    index_groups = _group_indices_by_events(metrics)
    selects: list[str] = []
    for group_index, metric_indices in enumerate(index_groups):
        selects += build_selects(
            _EventGroup(group_index, metrics[metric_indices[0]], [measures[index] for index in metric_indices])
        )
    measure_rows = yield from query_rows("\nUNION ALL\n".join(selects), parameters, _MeasureRow)
    stored_value_maps: list[dict[int, StoredValue]] = [{} for _ in metrics]
    for row in measure_rows:
        for index, text in zip(index_groups[row.part], row.measures, strict=True):
            stored_value_maps[index][row.key] = read_stored_value(text)
    return stored_value_maps


def _group_indices_by_events(metrics: Sequence[CountedMeasure]) -> list[list[int]]:
    indices_by_events: dict[bytes, list[int]] = {}
    for index, metric in enumerate(metrics):
        events_key = msgspec.json.encode([chosen_event_names(metric), metric.filters])
        indices_by_events.setdefault(events_key, []).append(index)
    return list(indices_by_events.values())


def _build_selects(
    event_group: _EventGroup, question: Question, earlier_window: Window | None, parameters: QueryParameters
) -> list[str]:
    window = question.window
    if earlier_window is None:
        return [_build_select(event_group, "1", window, question, parameters)]
    if earlier_window.until_ms + 1 == window.from_ms:
        is_current_sql = f"timestamp >= {timestamp_sql('current_ms', window.from_ms, parameters)}"
        both_windows = Window(earlier_window.from_ms, window.until_ms)
        return [_build_select(event_group, is_current_sql, both_windows, question, parameters)]
    return [
        _build_select(event_group, "1", window, question, parameters),
        _build_select(event_group, "0", earlier_window, question, parameters),
    ]


def _build_select(
    event_group: _EventGroup, key_sql: str, window: Window, question: Question, parameters: QueryParameters
) -> str:
    where_sql = scoped_where(window.condition(parameters), *metric_conditions(event_group.metric, question, parameters))
    return f"""
SELECT {event_group.index} AS part, {key_sql} AS key,
  [{", ".join(f"toJSONString({measure.aggregate_sql()})" for measure in event_group.measures)}] AS measures
FROM events
{where_sql}
GROUP BY key""".strip()


def _compare_values(
    metric: CountedMeasure, value_by_is_current: dict[int, Value], earlier_window: Window | None
) -> ComparedNumber:
    default = empty_value(metric.measure)
    value = value_by_is_current.get(1, default)
    previous = None if earlier_window is None else value_by_is_current.get(0, default)
    return ComparedNumber(value, previous, relative_change(value, previous))


def relative_change(value: Value, previous: Value) -> float | None:
    """Return the change as a fraction; None if there is nothing to compare with."""
    if value is None or not previous:
        return None
    delta = (value - previous) / abs(previous)
    return delta if math.isfinite(delta) else None

"""Numbers compared with the window before, and followed over time: a counter shows one, a KPI widget up to six.

All measures of the same events are computed in one pass over those events.
"""

import math
from collections.abc import Callable, Sequence

import msgspec

from tallyroom.queries.buckets import Buckets, MeasuredSeries
from tallyroom.queries.event_choice import EventChoiceFields, check_event_choice, chosen_names, event_conditions
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.keys import Key
from tallyroom.queries.measures import (
    ComputedMeasure,
    Measure,
    StoredMeasure,
    check_measure,
    combine_stored_values,
    empty_value,
    measure_sql,
    read_stored_measure,
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
    """A number of the window, that of the window before, and the change as a fraction.

    `previous` is None as well where nobody asked for it, `delta` where there is nothing to compare with.
    """

    value: Value
    previous: Value
    delta: float | None


class _EventGroup(msgspec.Struct, frozen=True):
    """Measures of the same events, which those of `metric` are."""

    index: int
    metric: CountedMeasure
    measures: list[ComputedMeasure]


class _MeasureRow(msgspec.Struct):
    part: int
    key: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def check_counted_measure(metric: CountedMeasure, path: Sequence[str | int]) -> None:
    """Refuse a measure whose property does not fit, and filters whose values do not fit their operators.

    Raises:
        ValidationFailed: names the fields under `path`.
    """
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
    stored_values = yield from _query_stored_values(
        metrics, measures, parameters, lambda group: _build_selects(group, question, earlier_window, parameters)
    )
    values = [
        {key: measure.to_value(stored_value) for key, stored_value in metric_values.items()}
        for measure, metric_values in zip(measures, stored_values, strict=True)
    ]
    return [
        _compare_values(metric, metric_values, earlier_window)
        for metric, metric_values in zip(metrics, values, strict=True)
    ]


def query_series(
    metrics: Sequence[CountedMeasure], question: Question, buckets: Buckets
) -> QueryPlan[list[MeasuredSeries]]:
    """Measure each of `metrics` in every bucket, in one query."""
    parameters = QueryParameters()
    bucket_sql, measures = buckets.number_sql(parameters), _build_measures(metrics, parameters)
    stored_values = yield from _query_stored_values(
        metrics,
        measures,
        parameters,
        lambda group: [_build_select(group, bucket_sql, buckets.window, question, parameters)],
    )
    return [
        MeasuredSeries(
            buckets.fill_points(
                ((bucket, measure.to_value(stored_value)) for bucket, stored_value in by_bucket.items()),
                empty_value(metric.measure),
            ),
            combine_stored_values(metric.measure, measure, by_bucket.values()),
        )
        for metric, measure, by_bucket in zip(metrics, measures, stored_values, strict=True)
    ]


def _build_measures(metrics: Sequence[CountedMeasure], parameters: QueryParameters) -> list[ComputedMeasure]:
    return [measure_sql(metric.measure, metric.property, parameters) for metric in metrics]


def _query_stored_values(
    metrics: Sequence[CountedMeasure],
    measures: Sequence[ComputedMeasure],
    parameters: QueryParameters,
    build_selects: Callable[[_EventGroup], list[str]],
) -> QueryPlan[list[dict[int, StoredMeasure]]]:
    """Return the values of each item by the key that the SELECTs of its events group by."""
    groups = _group_by_events(metrics)
    selects: list[str] = []
    for group_index, indices in enumerate(groups):
        selects += build_selects(_EventGroup(group_index, metrics[indices[0]], [measures[index] for index in indices]))
    measure_rows = yield from query_rows("\nUNION ALL\n".join(selects), parameters, _MeasureRow)
    stored_values: list[dict[int, StoredMeasure]] = [{} for _ in metrics]
    for row in measure_rows:
        for index, text in zip(groups[row.part], row.measures, strict=True):
            stored_values[index][row.key] = read_stored_measure(text)
    return stored_values


def _group_by_events(metrics: Sequence[CountedMeasure]) -> list[list[int]]:
    """Return the indices of the items, grouped by the events that they are about."""
    groups: dict[bytes, list[int]] = {}
    for index, metric in enumerate(metrics):
        groups.setdefault(msgspec.json.encode([chosen_names(metric), metric.filters]), []).append(index)
    return list(groups.values())


def _build_selects(
    group: _EventGroup, question: Question, earlier_window: Window | None, parameters: QueryParameters
) -> list[str]:
    """Return the SELECTs of a group: a single pass over both windows if one follows the other."""
    window = question.window
    if earlier_window is None:
        return [_build_select(group, "1", window, question, parameters)]
    if earlier_window.until_ms + 1 == window.from_ms:
        is_current = f"timestamp >= {timestamp_sql('current_ms', window.from_ms, parameters)}"
        return [_build_select(group, is_current, Window(earlier_window.from_ms, window.until_ms), question, parameters)]
    return [
        _build_select(group, "1", window, question, parameters),
        _build_select(group, "0", earlier_window, question, parameters),
    ]


def _build_select(
    group: _EventGroup, key_sql: str, window: Window, question: Question, parameters: QueryParameters
) -> str:
    where = scoped_where(window.condition(parameters), *metric_conditions(group.metric, question, parameters))
    return f"""
SELECT {group.index} AS part, {key_sql} AS key,
  [{", ".join(f"toJSONString({measure.aggregate_sql()})" for measure in group.measures)}] AS measures
FROM events
{where}
GROUP BY key""".strip()


def _compare_values(metric: CountedMeasure, values: dict[int, Value], earlier_window: Window | None) -> ComparedNumber:
    default = empty_value(metric.measure)
    value = values.get(1, default)
    previous = None if earlier_window is None else values.get(0, default)
    return ComparedNumber(value, previous, relative_change(value, previous))


def relative_change(value: Value, previous: Value) -> float | None:
    """Return the change as a fraction; None where there is nothing to compare with."""
    if value is None or not previous:
        return None
    delta = (value - previous) / abs(previous)
    return delta if math.isfinite(delta) else None

"""Numbers compared with the previous window, and over time. All measures of the same events take one pass over them."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.buckets import Buckets, MeasuredSeries
from tallyroom.queries.cells import CellRow, SlicedRows
from tallyroom.queries.counted_measure import CountedMeasure, build_measures, group_by_events, metric_conditions
from tallyroom.queries.distinct_values import build_distinct_query
from tallyroom.queries.measures import (
    MERGEABLE_MEASURES,
    Measure,
    MeasureSql,
    StoredValue,
    combine_stored_values,
    empty_value,
    read_stored_value,
)
from tallyroom.queries.medians import build_median_query
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, query_rows_or_forms, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.sliced_measures import build_sliced_measures, merge_sliced_measures
from tallyroom.queries.slices import SlicedQuery
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window, edge_sql
from tallyroom.queries.window_queries import WindowNumbers, WindowQuery

_MIN_SLICED_MS = 3 * DAY_MS  # contains at least two whole days
_WINDOW_QUERY_BUILDERS: dict[Measure, Callable[[CountedMeasure, Question, Sequence[Window]], WindowQuery]] = {
    "uniq": build_distinct_query,
    "uniq_actors": build_distinct_query,
    "median": build_median_query,
}


class ComparedNumber(msgspec.Struct, frozen=True):
    """A number, the same number of the previous window, and the change as a fraction; None if there is none."""

    value: Value
    previous: Value
    delta: float | None


class _EventGroup(msgspec.Struct, frozen=True):
    index: int
    metric: CountedMeasure
    measures: list[MeasureSql]


class _OtherForms(NamedTuple):
    """Queries for the same numbers that may be partly known; in `key_of_row`, a slice belongs to one of the numbers.

    `window_query` has the earlier window, if any, and the window.
    """

    sliced_query: SlicedQuery | None
    key_of_row: Callable[[CellRow], int]
    window_query: WindowQuery | None = None


class _MeasureRow(msgspec.Struct):
    part: int
    key: int
    measures: list[str | None]  # each as JSON, because measures can have different types


def query_compared_numbers(
    metrics: Sequence[CountedMeasure], question: Question, earlier_window: Window | None
) -> QueryPlan[list[ComparedNumber]]:
    """Measure each of `metrics` in the window, and in `earlier_window` if there is one.

    This takes one query. Over a longer time, it takes one for the measures that follow from parts of it, one for each
    that has a window query, and one for all others.
    """
    number_by_index: dict[int, ComparedNumber] = {}
    for indices in _split_by_mergeability(metrics, question.window):
        some_metrics = [metrics[index] for index in indices]
        numbers = yield from _query_numbers(some_metrics, question, earlier_window)
        number_by_index |= zip(indices, numbers, strict=True)
    return [number_by_index[index] for index in range(len(metrics))]


def query_series(
    metrics: Sequence[CountedMeasure], question: Question, buckets: Buckets
) -> QueryPlan[list[MeasuredSeries]]:
    """Measure each of `metrics` in every bucket, in one query."""
    parameters = QueryParameters()
    bucket_sql, measures = buckets.bucket_number_sql(parameters), build_measures(metrics, parameters)
    stored_value_maps = yield from _query_stored_value_maps(
        metrics,
        measures,
        parameters,
        lambda event_group: [_build_select(event_group, bucket_sql, buckets.window, question, parameters)],
        _OtherForms(build_sliced_measures(metrics, question, buckets, [buckets.window]), lambda row: row.bucket),
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


def _split_by_mergeability(metrics: Sequence[CountedMeasure], window: Window) -> list[list[int]]:
    """Return the indices of the metrics with mergeable measures, each one with a window query, and the others.

    Over a short time, one query for all of them costs less.
    """
    if _is_short(window):
        return [list(range(len(metrics)))]
    mergeable_indices: list[int] = []
    window_indices: list[int] = []
    other_indices: list[int] = []
    for index, metric in enumerate(metrics):
        if metric.measure in MERGEABLE_MEASURES:
            mergeable_indices.append(index)
        else:
            (window_indices if metric.measure in _WINDOW_QUERY_BUILDERS else other_indices).append(index)
    index_lists = [mergeable_indices, *([index] for index in window_indices), other_indices]
    return [indices for indices in index_lists if indices]


def _query_numbers(
    metrics: Sequence[CountedMeasure], question: Question, earlier_window: Window | None
) -> QueryPlan[list[ComparedNumber]]:
    parameters = QueryParameters()
    measures = build_measures(metrics, parameters)
    sliced_query = window_query = None
    windows = _list_disjoint_windows(question, earlier_window)
    if windows is not None:
        sliced_query = build_sliced_measures(metrics, question, None, windows)
        window_query = _build_window_query(metrics, question, windows)
    stored_value_maps = yield from _query_stored_value_maps(
        metrics,
        measures,
        parameters,
        lambda event_group: _build_selects(event_group, question, earlier_window, parameters),
        _OtherForms(
            sliced_query,
            lambda row: int(row.slice >= question.window.from_ms) if earlier_window else 1,
            window_query,
        ),
    )
    return [
        _compare_values(metric, {key: measure.to_value(value) for key, value in stored_values.items()}, earlier_window)
        for metric, measure, stored_values in zip(metrics, measures, stored_value_maps, strict=True)
    ]


def _is_short(window: Window) -> bool:
    return window.until_ms - window.from_ms < _MIN_SLICED_MS


def _list_disjoint_windows(question: Question, earlier_window: Window | None) -> list[Window] | None:
    """Return both windows in order, so that the slices of the window are the last ones; None if they overlap."""
    windows = [question.window] if earlier_window is None else [earlier_window, question.window]
    return None if any(later.from_ms <= earlier.until_ms for earlier, later in pairwise(windows)) else windows


def _build_window_query(
    metrics: Sequence[CountedMeasure], question: Question, windows: Sequence[Window]
) -> WindowQuery | None:
    """Return the query for a measure of whole windows, if it is all that is asked for."""
    if len(metrics) > 1 or _is_short(question.window):
        return None
    build_query = _WINDOW_QUERY_BUILDERS.get(metrics[0].measure)
    return build_query and build_query(metrics[0], question, windows)


def _query_stored_value_maps(
    metrics: Sequence[CountedMeasure],
    measures: Sequence[MeasureSql],
    parameters: QueryParameters,
    build_selects: Callable[[_EventGroup], list[str]],
    other_forms: _OtherForms,
) -> QueryPlan[list[dict[int, StoredValue]]]:
    index_groups = group_by_events(metrics)
    selects: list[str] = []
    for group_index, metric_indices in enumerate(index_groups):
        selects += build_selects(
            _EventGroup(group_index, metrics[metric_indices[0]], [measures[index] for index in metric_indices])
        )
    stored_value_maps: list[dict[int, StoredValue]] = [{} for _ in metrics]
    measure_rows = yield from query_rows_or_forms(
        UNION_ALL.join(selects), parameters, _MeasureRow, other_forms.sliced_query, other_forms.window_query
    )
    if isinstance(measure_rows, SlicedRows):
        return merge_sliced_measures(metrics, measures, measure_rows, other_forms.key_of_row)
    if isinstance(measure_rows, WindowNumbers):
        return [dict(enumerate(measure_rows.numbers, 2 - len(measure_rows.numbers)))]
    for row in measure_rows:
        for index, text in zip(index_groups[row.part], row.measures, strict=True):
            stored_value_maps[index][row.key] = read_stored_value(text)
    return stored_value_maps


def _build_selects(
    event_group: _EventGroup, question: Question, earlier_window: Window | None, parameters: QueryParameters
) -> list[str]:
    window = question.window
    if earlier_window is None:
        return [_build_select(event_group, "1", window, question, parameters)]
    if earlier_window.until_ms + 1 == window.from_ms:
        is_current_sql = f"timestamp >= {edge_sql('current_ms', window.from_ms, parameters)}"
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

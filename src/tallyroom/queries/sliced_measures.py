"""Measures in slices of time: the query, and how its rows become the measures of the whole time."""

from collections.abc import Callable, Sequence
from typing import Literal

from tallyroom.queries.buckets import Buckets
from tallyroom.queries.cells import CellRow, SlicedRows, cell_columns, merge_cells
from tallyroom.queries.counted_measure import CountedMeasure, build_measures, group_by_events, metric_conditions
from tallyroom.queries.measures import MERGEABLE_MEASURES, MeasureSql, StoredValue, build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, scoped_where, to_subquery
from tallyroom.queries.question import Question
from tallyroom.queries.slices import SLICE_MARK, TIME_MARK, SlicedQuery, slice_by_bucket, slice_by_day
from tallyroom.queries.window import Window


def build_sliced_measures(
    metrics: Sequence[CountedMeasure], question: Question, buckets: Buckets | None, windows: Sequence[Window]
) -> SlicedQuery | None:
    """Return the query in days if the measures follow from parts of the time, else in buckets if there are any."""
    are_mergeable = all(metric.measure in MERGEABLE_MEASURES for metric in metrics)
    if buckets is None and not are_mergeable:
        return None
    parameters = QueryParameters()
    measures = build_measures(metrics, parameters)
    bucket_sql = "0" if buckets is None else buckets.bucket_number_sql(parameters)
    selects = []
    for part, indices in enumerate(group_by_events(metrics)):
        columns_sql = cell_columns([measures[index] for index in indices], part, bucket_sql)
        where_sql = scoped_where(TIME_MARK, *metric_conditions(metrics[indices[0]], question, parameters))
        selects.append(f"SELECT {columns_sql}\nFROM events\n{where_sql}\nGROUP BY slice, bucket")
    sql = UNION_ALL.join(selects)
    if buckets is None or are_mergeable:
        return slice_by_day(sql, parameters, windows)
    return slice_by_bucket(sql, parameters, buckets, bucket_sql)


def build_sliced_measure(  # what the cells of a measure depend on
    metric: CountedMeasure,
    by: Literal["label", "part"],
    buckets: Buckets | None,
    question: Question,
    build_events_sql: Callable[[list[str], QueryParameters], str],
) -> SlicedQuery | None:
    """Return the query in days, by labels or parts; None if the measure does not follow from parts of the time.

    `build_events_sql` returns SQL for the events of the time `TIME_MARK`, with their label or part and some columns.
    """
    if metric.measure not in MERGEABLE_MEASURES:
        return None
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    bucket_sql = "0" if buckets is None else buckets.bucket_number_sql(parameters)
    place_sql = "part, '' AS label" if by == "part" else "0 AS part, label"
    sql = f"""
SELECT {SLICE_MARK} AS slice, {place_sql}, {bucket_sql} AS bucket,
  [toJSONString({measure.aggregate_inputs_sql()})] AS measures
FROM {to_subquery(build_events_sql(["timestamp", *measure.input_columns()], parameters))}
GROUP BY slice, {by}, bucket"""
    return slice_by_day(sql.strip(), parameters, [question.window], may_have_many_rows=by == "label")


def merge_sliced_measures(
    metrics: Sequence[CountedMeasure],
    measures: Sequence[MeasureSql],
    sliced_rows: SlicedRows,
    key_of_row: Callable[[CellRow], int] = lambda row: row.bucket,
) -> list[dict[int, StoredValue]]:
    """Return each metric's values by key, by default by bucket, from the rows of `build_sliced_measures`."""
    index_groups = group_by_events(metrics)
    for row in sliced_rows.rows:
        row.bucket = key_of_row(row)
    measures_by_part = {part: [measures[index] for index in indices] for part, indices in enumerate(index_groups)}
    value_maps: list[dict[int, StoredValue]] = [{} for _ in metrics]
    for key, values in merge_cells(sliced_rows.rows, measures_by_part).items():
        for index, value in zip(index_groups[key.part], values, strict=True):
            value_maps[index][key.bucket] = value
    return value_maps

"""The labels of a breakdown, ranked by a measure, and their values over time (rules/questions#breakdown).

Each map that can have labels is read by a separate SELECT: a single pass would read every property of every event.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.buckets import Buckets, TimePoint
from tallyroom.queries.cells import SlicedRows
from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.keys import GROUP, LabelSource, label_sources, resolve_key
from tallyroom.queries.label_ranking import LabelSeriesRow, rank_labels
from tallyroom.queries.measures import MeasureSql, StoredValue, build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import (
    UNION_ALL,
    QueryPlan,
    pause_after,
    query_rows,
    query_rows_or_slices,
    scoped_where,
    to_subquery,
)
from tallyroom.queries.question import Question
from tallyroom.queries.sliced_measures import build_sliced_measure
from tallyroom.queries.slices import TIME_MARK, SlicedQuery
from tallyroom.queries.units import choose_unit
from tallyroom.queries.values import Value

RestKind = Literal["none", "other"]  # the events without a label, or those with labels that rank too low to be shown


class LabelRow(msgspec.Struct):
    """A label and the measure of its events; for a row of the rest, the label is null, and `kind` names it.

    Answers for the public have the `color` of the label, 1 to 8, except for the row of other labels.
    """

    label: str | None
    value: Value
    kind: RestKind | UnsetType = UNSET
    color: int | UnsetType = UNSET


class LabelSeries(msgspec.Struct):
    """A label, or the rest named by `kind`, with its values by bucket and its total; UNSET if that is unknown."""

    label: str | None
    bucket_values: list[tuple[int, Value]]
    total: Value | UnsetType
    kind: RestKind | UnsetType = UNSET


class _TopLabelRow(msgspec.Struct):
    label: str
    total: StoredValue


def format_label(label: str | None, kind: RestKind | UnsetType) -> str:
    """Return a label as pictures and mails show it: the rest is "(none)" or "(other)", a blank label "(empty)"."""
    if label is None:
        return f"({kind})"
    return label if label.strip() else "(empty)"


def check_breakdown(breakdown_key: str, question: Question) -> None:
    """Raise `ValidationFailed` for a breakdown by group without groups (rules/questions#breakdown-by-group)."""
    if breakdown_key == GROUP and question.group_key is None:
        reason = f"cannot be {GROUP}: the workspace has no default group key, or its plan does not include groups"
        raise ValidationFailed.at(["config", "breakdown"], reason)


def query_top_labels(
    metric: CountedMeasure, breakdown_key: str, limit: int, question: Question
) -> QueryPlan[list[LabelRow]]:
    """Find the `limit` labels with the highest values."""
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    sql = f"""
SELECT label, {measure.aggregate_inputs_sql()} AS total
FROM {to_subquery(labelled_events_sql(metric, breakdown_key, measure.input_columns(), question, parameters))}
GROUP BY label
{_order_by_rank(measure)}
LIMIT {parameters.bind_integer("limit", limit)}"""
    sliced_query = _build_sliced_labels(metric, breakdown_key, None, question)
    answer_rows = yield from query_rows_or_slices(sql, parameters, _TopLabelRow, sliced_query)
    total_rows: Sequence[_TopLabelRow | LabelSeriesRow] | None = (
        rank_labels(measure, answer_rows, limit) if isinstance(answer_rows, SlicedRows) else answer_rows
    )
    if total_rows is None:
        total_rows = yield from query_rows(sql, parameters, _TopLabelRow)
    return [LabelRow(row.label, measure.to_value(row.total)) for row in total_rows]


def query_label_series(
    metric: CountedMeasure, breakdown_key: str, limit: int, buckets: Buckets, question: Question
) -> QueryPlan[list[LabelSeries]]:
    """Find the `limit` labels with the highest values in the whole window, with a value for each bucket."""
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    columns = [f"{buckets.bucket_number_sql(parameters)} AS bucket", *measure.input_columns()]
    events_sql = labelled_events_sql(metric, breakdown_key, columns, question, parameters)
    build_sql = _build_count_sql if metric.measure == "count" else _build_state_sql
    label_series = []
    sql = build_sql(measure, events_sql, parameters.bind_integer("limit", limit))
    sliced_query = _build_sliced_labels(metric, breakdown_key, buckets, question)
    answer_rows = yield from query_rows_or_slices(sql, parameters, LabelSeriesRow, sliced_query)
    series_rows = rank_labels(measure, answer_rows, limit) if isinstance(answer_rows, SlicedRows) else answer_rows
    if series_rows is None:
        series_rows = yield from query_rows(sql, parameters, LabelSeriesRow)
    for series_row in series_rows:
        bucket_values = [(bucket, measure.to_value(stored_value)) for bucket, stored_value in series_row.points]
        label_series.append(LabelSeries(series_row.label, bucket_values, measure.to_value(series_row.total)))
        yield from pause_after(series_row.points)
    return label_series


def build_points(
    label_series: Iterable[LabelSeries], buckets: Buckets, default: Value
) -> QueryPlan[list[list[TimePoint]]]:
    """Return the points of each series in its buckets."""
    point_lists = []
    for series in label_series:
        point_lists.append(buckets.fill_points(series.bucket_values, default))
        yield from pause_after(point_lists[-1])
    return point_lists


def labelled_events_sql(
    metric: CountedMeasure,
    breakdown_key: str,
    columns: list[str],
    question: Question,
    parameters: QueryParameters,
    time_sql: str | None = None,
) -> str:
    """Return SQL with one row for each label of each event, with `columns`; `time_sql` replaces the window."""
    conditions = [
        *metric_conditions(metric, question, parameters),
        time_sql or question.window.condition(parameters),
    ]
    selects = []
    for label_sql, label_condition in _find_label_sources(breakdown_key, question, parameters):
        where_sql = scoped_where(*conditions, label_condition)
        selects.append(f"SELECT {', '.join([f'{label_sql} AS label', *columns])}\nFROM events\n{where_sql}")
    return UNION_ALL.join(selects)


def unlabelled_events_sql(
    metric: CountedMeasure,
    breakdown_key: str,
    columns: list[str],
    question: Question,
    parameters: QueryParameters,
    time_sql: str | None = None,
) -> str:
    """Return SQL with one row for each event without a label, with `columns`; `time_sql` replaces the window."""
    conditions = [
        *metric_conditions(metric, question, parameters),
        time_sql or question.window.condition(parameters),
    ]
    label_source = (
        choose_unit("group", question, parameters) if breakdown_key == GROUP else resolve_key(breakdown_key, parameters)
    )
    return f"SELECT {', '.join(columns)}\nFROM events\n{scoped_where(*conditions, f'NOT ({label_source.present_sql})')}"


def _build_sliced_labels(
    metric: CountedMeasure, breakdown_key: str, buckets: Buckets | None, question: Question
) -> SlicedQuery | None:
    def build_events_sql(columns: list[str], parameters: QueryParameters) -> str:
        return labelled_events_sql(metric, breakdown_key, columns, question, parameters, TIME_MARK)

    return build_sliced_measure(metric, "label", buckets, question, build_events_sql)


def _find_label_sources(breakdown_key: str, question: Question, parameters: QueryParameters) -> list[LabelSource]:
    if breakdown_key != GROUP:
        return label_sources(breakdown_key, parameters)
    group_unit = choose_unit("group", question, parameters)
    return [LabelSource(group_unit.sql, group_unit.present_sql)]


def _build_count_sql(measure: MeasureSql, events_sql: str, limit_placeholder: str) -> str:
    """Return SQL that counts only the top labels by bucket, with a few bytes per event even if all labels differ."""
    highest_totals_sql = f"""
SELECT label, count() AS total, groupArray(bucket) AS buckets
FROM {to_subquery(events_sql)}
GROUP BY label
{_order_by_rank(measure)}
LIMIT {limit_placeholder}"""
    by_bucket_sql = f"""
SELECT label, total, arrayJoin(buckets) AS bucket, count() AS counted
FROM {to_subquery(highest_totals_sql)}
GROUP BY label, total, bucket"""
    return f"""
SELECT label, total, groupArray((bucket, counted)) AS points
FROM {to_subquery(by_bucket_sql)}
GROUP BY label, total
{_order_by_rank(measure)}"""


def _build_state_sql(measure: MeasureSql, events_sql: str, limit_placeholder: str) -> str:
    """Return SQL that keeps one state for each label and bucket, and merges them for the whole window."""
    by_bucket_sql = f"""
SELECT label, bucket, {measure.state_sql()} AS state
FROM {to_subquery(events_sql)}
GROUP BY label, bucket"""
    return f"""
SELECT label, {measure.merge_sql("state")} AS total, groupArray((bucket, {measure.finalize_sql("state")})) AS points
FROM {to_subquery(by_bucket_sql)}
GROUP BY label
{_order_by_rank(measure)}
LIMIT {limit_placeholder}"""


def _order_by_rank(measure: MeasureSql) -> str:
    return f"ORDER BY {measure.rank_sql('total')} DESC NULLS LAST, label"

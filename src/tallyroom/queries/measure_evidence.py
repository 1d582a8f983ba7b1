"""The events that contribute to a measure: all, in a bucket, with a label (rules/questions#who-is-behind-a-number)."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from tallyroom.queries.breakdown import (
    check_breakdown,
    labelled_events_sql,
    query_top_labels,
    unlabelled_events_sql,
)
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.data_point import DataPoint, PointFields, check_data_point, data_point_refusal
from tallyroom.queries.evidence import AT_MS, EvidenceQuery
from tallyroom.queries.measures import contribution_condition
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, scoped_where, to_subquery
from tallyroom.queries.question import Question

_EVENT_COLUMNS = ("actor AS unit", f"{AT_MS} AS at_ms", "spool", "seq")
_UNIT_CONDITIONS = ("unit != ''", "adds")


class Breakdown(msgspec.Struct, frozen=True):
    """The key by which a measure is split, and the most labels that the answer shows."""

    key: str
    label_limit: int


def metric_events_sql(
    metric: CountedMeasure, question: Question, parameters: QueryParameters, *more_conditions: str
) -> str:
    """Return SQL for the events in the window that contribute to a measure and meet `more_conditions`."""
    where_sql = scoped_where(
        *metric_conditions(metric, question, parameters),
        question.window.condition(parameters),
        "actor != ''",
        contribution_condition(metric.measure, metric.property, parameters),
        *more_conditions,
    )
    return f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{where_sql}"


def build_evidence_query(metric: CountedMeasure, question: Question) -> EvidenceQuery:
    """Return the events behind a measure of the whole window."""
    parameters = QueryParameters()
    return EvidenceQuery(metric_events_sql(metric, question, parameters), parameters)


def find_evidence_query(
    metric: CountedMeasure,
    breakdown: Breakdown | None,
    buckets: Buckets | None,
    question: Question,
    data_point: DataPoint,
) -> QueryPlan[EvidenceQuery]:
    """Find the events behind a data point of a measure; raise `ValidationFailed` if the answer has no such number."""
    check_metric_point(data_point, None if breakdown is None else breakdown.key, buckets, question, may_have_rest=True)
    parameters = QueryParameters()
    point_question, bucket_conditions = _narrow_to_bucket(buckets, data_point, question, parameters)
    if breakdown is None or not (isinstance(data_point.label, str) or data_point.label is None):
        return EvidenceQuery(metric_events_sql(metric, point_question, parameters, *bucket_conditions), parameters)
    event_columns = [*_EVENT_COLUMNS, _build_contribution_column(metric, bucket_conditions, parameters)]
    if data_point.kind == "none":
        event_rows_sql = unlabelled_events_sql(metric, breakdown.key, event_columns, point_question, parameters)
        return EvidenceQuery(_select_from_rows("unit, at_ms", event_rows_sql, _UNIT_CONDITIONS), parameters)
    event_rows_sql = labelled_events_sql(metric, breakdown.key, event_columns, point_question, parameters)
    if isinstance(data_point.label, str):
        conditions = [*_UNIT_CONDITIONS, f"label = {parameters.bind_text('label', data_point.label)}"]
        return EvidenceQuery(_select_from_rows("unit, at_ms", event_rows_sql, conditions), parameters)
    label_rows = yield from query_top_labels(metric, breakdown.key, breakdown.label_limit, question)
    is_other_sql = f"label NOT IN {parameters.bind_texts('shown', [row.label or '' for row in label_rows])}"
    distinct_sql = _select_from_rows(
        "DISTINCT unit, at_ms, spool, seq", event_rows_sql, [*_UNIT_CONDITIONS, is_other_sql]
    )
    return EvidenceQuery(_select_from_rows("unit, at_ms", distinct_sql, []), parameters)


def build_parts_evidence_query(
    parts: Sequence[CountedMeasure],
    breakdown_key: str | None,
    buckets: Buckets | None,
    question: Question,
    data_point: DataPoint,
    shown_labels: Sequence[str] | None = None,
) -> EvidenceQuery:
    """Return the events behind a data point of a formula, each once: those that contribute to one of its parts.

    With `shown_labels`, the data point is one of all other labels.
    """
    check_metric_point(data_point, breakdown_key, buckets, question, may_have_rest=shown_labels is not None)
    parameters = QueryParameters()
    point_question, bucket_conditions = _narrow_to_bucket(buckets, data_point, question, parameters)
    label_conditions = _build_label_conditions(data_point, shown_labels, parameters)
    selects = []
    for part in parts:
        columns = [*_EVENT_COLUMNS, _build_contribution_column(part, bucket_conditions, parameters)]
        selects.append(
            _build_event_rows_sql(part, columns, point_question, parameters)
            if breakdown_key is None or not label_conditions
            else labelled_events_sql(part, breakdown_key, columns, point_question, parameters)
        )
    row_conditions = [*_UNIT_CONDITIONS, *label_conditions]
    distinct_sql = _select_from_rows("DISTINCT unit, at_ms, spool, seq", UNION_ALL.join(selects), row_conditions)
    return EvidenceQuery(_select_from_rows("unit, at_ms", distinct_sql, []), parameters)


def check_metric_point(
    data_point: DataPoint,
    breakdown_key: str | None,
    buckets: Buckets | None,
    question: Question,
    *,
    may_have_rest: bool,
) -> None:
    """Raise `ValidationFailed` unless the answer has such a number; `may_have_rest` allows the rest of labels."""
    allowed_fields: list[PointFields] = [()]
    if breakdown_key is not None:
        check_breakdown(breakdown_key, question)
        allowed_fields += [("label",), ("label", "kind")] if may_have_rest else [("label",)]
    if buckets is not None:
        allowed_fields += [(*point_fields, "t") for point_fields in allowed_fields]
    check_data_point(data_point, *allowed_fields)
    if (data_point.label is None) != (data_point.kind is not UNSET):
        raise data_point_refusal("kind", "is required if label is null, and not valid otherwise")


def _build_label_conditions(
    data_point: DataPoint, shown_labels: Sequence[str] | None, parameters: QueryParameters
) -> list[str]:
    if shown_labels is not None:
        return [f"label NOT IN {parameters.bind_texts('shown', list(shown_labels))}"]
    return [f"label = {parameters.bind_text('label', data_point.label)}"] if isinstance(data_point.label, str) else []


def _build_event_rows_sql(
    metric: CountedMeasure, columns: Sequence[str], question: Question, parameters: QueryParameters
) -> str:
    where_sql = scoped_where(*metric_conditions(metric, question, parameters), question.window.condition(parameters))
    return f"SELECT {', '.join(columns)}\nFROM events\n{where_sql}"


def _narrow_to_bucket(
    buckets: Buckets | None, data_point: DataPoint, question: Question, parameters: QueryParameters
) -> tuple[Question, list[str]]:
    if buckets is None or not isinstance(data_point.t, str):
        return question, []
    window, bucket_number = buckets.find_bucket(data_point.t)
    is_in_bucket_sql = f"{buckets.bucket_number_sql(parameters)} = {parameters.bind_integer('bucket', bucket_number)}"
    return msgspec.structs.replace(question, window=window), [is_in_bucket_sql]


def _build_contribution_column(
    metric: CountedMeasure, bucket_conditions: Sequence[str], parameters: QueryParameters
) -> str:
    conditions = [contribution_condition(metric.measure, metric.property, parameters), *bucket_conditions]
    return f"{' AND '.join(conditions)} AS adds"


def _select_from_rows(columns: str, rows_sql: str, conditions: Sequence[str]) -> str:
    where_sql = f"\nWHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {columns}\nFROM {to_subquery(rows_sql)}{where_sql}"

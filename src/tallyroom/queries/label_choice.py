"""Labels that are already chosen, and the rest, measured in another query (rules/questions#rest-of-a-breakdown).

Only the ranking of a breakdown determines which events are the rest, and which labels to look up in an earlier window.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.breakdown import (
    LabelRow,
    LabelSeries,
    RestKind,
    labelled_events_sql,
    unlabelled_events_sql,
)
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.cells import SlicedRows, merge_cells
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.measures import MeasureSql, StoredValue, build_measure, empty_value
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, pause_after, query_rows_or_slices, to_subquery
from tallyroom.queries.question import Question
from tallyroom.queries.sliced_measures import build_sliced_measure
from tallyroom.queries.slices import TIME_MARK, SlicedQuery
from tallyroom.queries.values import Value

Rest = Literal["none", "other", "both"]

_Part = tuple[int, str | None, RestKind | UnsetType]
"""Its number in the query, its label, and its kind if it belongs to the rest."""

_OTHER_PART, _NONE_PART = 0, -1
_PART_NUMBER_BY_KIND: dict[RestKind, int] = {"none": _NONE_PART, "other": _OTHER_PART}
_KINDS_BY_REST: dict[Rest, tuple[RestKind, ...]] = {"none": ("none",), "other": ("other",), "both": ("none", "other")}


class LabelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What to measure: the answer's `labels`, in order and only if `includes_labels`, and parts of the rest."""

    labels: list[str]
    includes_labels: bool
    rest_kinds: tuple[RestKind, ...]


class _PartRow(msgspec.Struct):
    part: int  # the rank of a shown label from 1, `_OTHER_PART` or `_NONE_PART`
    points: list[tuple[int, StoredValue]]


def choose_rest(ranking: Sequence[LabelRow | LabelSeries], rest: Rest | None) -> LabelChoice:
    """Return the choice of the rest; the labels found are not measured again."""
    labels = [entry.label for entry in ranking if entry.label is not None]
    return LabelChoice(labels=labels, includes_labels=False, rest_kinds=() if rest is None else _KINDS_BY_REST[rest])


def query_chosen_series(
    metric: CountedMeasure, breakdown_key: str, label_choice: LabelChoice, buckets: Buckets | None, question: Question
) -> QueryPlan[list[LabelSeries]]:
    """Return a series for each chosen label, in order, and then for the rest.

    `buckets` belong to the window to measure in; None makes one bucket, number 0, of the question's window.
    """
    parts = _list_parts(label_choice)
    if not parts:
        return []
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    bucket_sql = "0" if buckets is None else buckets.bucket_number_sql(parameters)
    columns = [f"{bucket_sql} AS bucket", *measure.input_columns()]
    window_question = question if buckets is None else msgspec.structs.replace(question, window=buckets.window)
    by_bucket_sql = f"""
SELECT part, bucket, {measure.aggregate_inputs_sql()} AS value
FROM {to_subquery(_build_parts_sql(metric, breakdown_key, label_choice, columns, window_question, parameters))}
GROUP BY part, bucket"""
    sql = f"""
SELECT part, groupArray((bucket, value)) AS points
FROM {to_subquery(by_bucket_sql)}
GROUP BY part"""
    sliced_query = _build_sliced_parts(metric, breakdown_key, label_choice, buckets, window_question)
    answer_rows = yield from query_rows_or_slices(sql, parameters, _PartRow, sliced_query)
    part_rows = _merge_parts(answer_rows, measure, parts) if isinstance(answer_rows, SlicedRows) else answer_rows
    series_by_part = {}
    for part_row in part_rows:
        bucket_values = [(bucket, measure.to_value(stored_value)) for bucket, stored_value in part_row.points]
        total = measure.combine([stored_value for _, stored_value in part_row.points])
        series_by_part[part_row.part] = bucket_values, total
        yield from pause_after(part_row.points)
    empty_series: tuple[list[tuple[int, Value]], Value] = [], empty_value(metric.measure)
    return [LabelSeries(label, *series_by_part.get(part, empty_series), kind) for part, label, kind in parts]


def _list_parts(label_choice: LabelChoice) -> list[_Part]:
    """Return what to measure."""
    labels = label_choice.labels if label_choice.includes_labels else []
    return [
        *((part_number, label, UNSET) for part_number, label in enumerate(labels, 1)),
        *((_PART_NUMBER_BY_KIND[kind], None, kind) for kind in label_choice.rest_kinds),
    ]


def _build_sliced_parts(
    metric: CountedMeasure, breakdown_key: str, label_choice: LabelChoice, buckets: Buckets | None, question: Question
) -> SlicedQuery | None:
    def build_events_sql(columns: list[str], parameters: QueryParameters) -> str:
        return _build_parts_sql(metric, breakdown_key, label_choice, columns, question, parameters, TIME_MARK)

    return build_sliced_measure(metric, "part", buckets, question, build_events_sql)


def _merge_parts(sliced_rows: SlicedRows, measure: MeasureSql, parts: Sequence[_Part]) -> list[_PartRow]:
    row_by_part: dict[int, _PartRow] = {}
    for key, [value] in merge_cells(sliced_rows.rows, {part: [measure] for part, _, _ in parts}).items():
        row_by_part.setdefault(key.part, _PartRow(key.part, [])).points.append((key.bucket, value))
    return list(row_by_part.values())


def _build_parts_sql(
    metric: CountedMeasure,
    breakdown_key: str,
    label_choice: LabelChoice,
    columns: list[str],
    question: Question,
    parameters: QueryParameters,
    time_sql: str | None = None,
) -> str:
    selects = []
    if label_choice.includes_labels or "other" in label_choice.rest_kinds:
        rank_sql = _build_rank_sql(label_choice, parameters)
        labelled_sql = labelled_events_sql(metric, breakdown_key, columns, question, parameters, time_sql)
        select = f"SELECT {rank_sql} AS part, * EXCEPT (label)\nFROM {to_subquery(labelled_sql)}"
        selects.append(f"{select}\n{_build_part_where(label_choice)}".strip())
    if "none" in label_choice.rest_kinds:
        selects.append(
            unlabelled_events_sql(
                metric, breakdown_key, [f"{_NONE_PART} AS part", *columns], question, parameters, time_sql
            )
        )
    return UNION_ALL.join(selects)


def _build_rank_sql(label_choice: LabelChoice, parameters: QueryParameters) -> str:
    if not label_choice.labels:
        return f"{_OTHER_PART}"
    ranks_placeholder = parameters.bind_integers("places", [*range(1, len(label_choice.labels) + 1)])
    return (
        f"transform(label, {parameters.bind_texts('shown', label_choice.labels)}, {ranks_placeholder}, {_OTHER_PART})"
    )


def _build_part_where(label_choice: LabelChoice) -> str:
    if not label_choice.includes_labels:
        return f"WHERE part = {_OTHER_PART}"
    return "" if "other" in label_choice.rest_kinds else f"WHERE part != {_OTHER_PART}"

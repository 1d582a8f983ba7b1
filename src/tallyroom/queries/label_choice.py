"""Labels that are already chosen, and the rest, measured in another query (rules/questions#rest-of-a-breakdown).

A breakdown first ranks its labels. Only then is it known which events have none of those shown, and which labels to
look up in the window that the answer is compared with.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.breakdown import (
    UNION,
    LabelRow,
    LabelSeries,
    RestKind,
    labelled_events_sql,
    to_subquery,
    unlabelled_events_sql,
)
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.measures import StoredMeasure, empty_value, measure_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, pause_after, query_rows
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value

Rest = Literal["none", "other", "both"]

_OTHER, _NONE = 0, -1
_PART_NUMBERS: dict[RestKind, int] = {"none": _NONE, "other": _OTHER}
_REST_KINDS: dict[Rest, tuple[RestKind, ...]] = {"none": ("none",), "other": ("other",), "both": ("none", "other")}


class LabelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What to measure.

    Attributes:
        labels: the labels of the answer, in their order.
        includes_labels: whether to measure them as well.
        rest_kinds: what to measure of the rest.
    """

    labels: list[str]
    includes_labels: bool
    rest_kinds: tuple[RestKind, ...]


class _PartRow(msgspec.Struct):
    part: int  # the rank of a shown label from 1 on, `_OTHER` or `_NONE`
    points: list[tuple[int, StoredMeasure]]


def choose_rest(ranking: Sequence[LabelRow | LabelSeries], rest: Rest | None) -> LabelChoice:
    """Return the choice of the rest of what was found, which needs no measuring again."""
    labels = [entry.label for entry in ranking if entry.label is not None]
    return LabelChoice(labels=labels, includes_labels=False, rest_kinds=() if rest is None else _REST_KINDS[rest])


def query_chosen_series(
    metric: CountedMeasure, key: str, choice: LabelChoice, buckets: Buckets | None, question: Question
) -> QueryPlan[list[LabelSeries]]:
    """Return a series for each label of the choice, in their order, and then for the rest.

    Args:
        metric: the measure.
        key: of the breakdown.
        choice: what to measure.
        buckets: of the window to measure in; None makes one bucket, number 0, of the window of the question.
        question: the question.
    """
    parts = _list_parts(choice)
    if not parts:
        return []
    parameters = QueryParameters()
    measure = measure_sql(metric.measure, metric.property, parameters)
    bucket_sql = "0" if buckets is None else buckets.number_sql(parameters)
    columns = [f"{bucket_sql} AS bucket", *measure.input_columns()]
    window_question = question if buckets is None else msgspec.structs.replace(question, window=buckets.window)
    by_bucket = f"""
SELECT part, bucket, {measure.aggregate_inputs_sql()} AS value
FROM {to_subquery(_build_parts_sql(metric, key, choice, columns, window_question, parameters))}
GROUP BY part, bucket"""
    sql = f"""
SELECT part, groupArray((bucket, value)) AS points
FROM {to_subquery(by_bucket)}
GROUP BY part"""
    series_by_part = {}
    for row in (yield from query_rows(sql, parameters, _PartRow)):
        bucket_values = [(bucket, measure.to_value(stored_value)) for bucket, stored_value in row.points]
        series_by_part[row.part] = bucket_values, measure.combine([stored_value for _, stored_value in row.points])
        yield from pause_after(row.points)
    no_events: tuple[list[tuple[int, Value]], Value] = [], empty_value(metric.measure)
    return [LabelSeries(label, *series_by_part.get(part, no_events), kind) for part, label, kind in parts]


def _list_parts(choice: LabelChoice) -> list[tuple[int, str | None, RestKind | UnsetType]]:
    """Return what to measure: its number in the query, its label, and its kind if it is of the rest."""
    rest = [(_PART_NUMBERS[kind], None, kind) for kind in choice.rest_kinds]
    return [*((rank, label, UNSET) for rank, label in enumerate(choice.labels, 1) if choice.includes_labels), *rest]


def _build_parts_sql(
    metric: CountedMeasure,
    key: str,
    choice: LabelChoice,
    columns: list[str],
    question: Question,
    parameters: QueryParameters,
) -> str:
    """Return SQL for one row for each label of each event, and for each event without one, that belongs to a part."""
    selects = []
    if choice.includes_labels or "other" in choice.rest_kinds:
        rank_sql = _build_rank_sql(choice, parameters)
        labelled_sql = labelled_events_sql(metric, key, columns, question, parameters)
        select = f"SELECT {rank_sql} AS part, * EXCEPT (label)\nFROM {to_subquery(labelled_sql)}"
        selects.append(f"{select}\n{_build_where(choice)}".strip())
    if "none" in choice.rest_kinds:
        selects.append(unlabelled_events_sql(metric, key, [f"{_NONE} AS part", *columns], question, parameters))
    return UNION.join(selects)


def _build_rank_sql(choice: LabelChoice, parameters: QueryParameters) -> str:
    """Return SQL for the rank of a label among those shown, or `_OTHER`."""
    if not choice.labels:
        return f"{_OTHER}"
    ranks = parameters.integers("places", [*range(1, len(choice.labels) + 1)])
    return f"transform(label, {parameters.texts('shown', choice.labels)}, {ranks}, {_OTHER})"


def _build_where(choice: LabelChoice) -> str:
    """Return the WHERE clause that leaves out the labels that nobody wants."""
    if not choice.includes_labels:
        return f"WHERE part = {_OTHER}"
    return "" if "other" in choice.rest_kinds else f"WHERE part != {_OTHER}"

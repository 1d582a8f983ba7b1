"""Labels that are already chosen, and the rest, measured in another query (rules/questions#rest-of-a-breakdown).

A breakdown first ranks its labels. Only then is it known which events have none of those shown, and which labels to
look up in the window that the answer is compared with.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.breakdown import UNION, LabelRow, RestKind, Track, labelled, nested, unlabelled
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.measures import StoredMeasure, empty_value, measured
from tallyroom.queries.query_plan import QueryPlan, rows, turn_after
from tallyroom.queries.question import Question
from tallyroom.queries.values import Value

Rest = Literal["none", "other", "both"]

_OTHER, _NONE = 0, -1
_PARTS: dict[RestKind, int] = {"none": _NONE, "other": _OTHER}
_KINDS: dict[Rest, tuple[RestKind, ...]] = {"none": ("none",), "other": ("other",), "both": ("none", "other")}


class LabelsChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What to measure.

    Attributes:
        labels: the labels of the answer, in their order.
        again: whether to measure them as well.
        rest: what to measure of the rest.
    """

    labels: list[str]
    again: bool
    rest: tuple[RestKind, ...]


class _Followed(msgspec.Struct):
    part: int  # the place of a shown label from 1 on, `_OTHER` or `_NONE`
    points: list[tuple[int, StoredMeasure]]


def choice_of(ranking: Sequence[LabelRow | Track], rest: Rest | None) -> LabelsChoice:
    """Return the choice of the rest of what was found, which needs no measuring again."""
    labels = [entry.label for entry in ranking if entry.label is not None]
    return LabelsChoice(labels=labels, again=False, rest=() if rest is None else _KINDS[rest])


def followed(
    metric: CountedMeasure, key: str, choice: LabelsChoice, buckets: Buckets | None, question: Question
) -> QueryPlan[list[Track]]:
    """Return a track for each label of the choice, in their order, and then for the rest.

    Args:
        metric: the measure.
        key: of the breakdown.
        choice: what to measure.
        buckets: of the window to measure in; None makes one bucket, number 0, of the window of the question.
        question: the question.
    """
    parts = _wanted(choice)
    if not parts:
        return []
    bound = Bound()
    measure = measured(metric.measure, metric.property, bound)
    number = "0" if buckets is None else buckets.number(bound)
    columns = [f"{number} AS bucket", *measure.inputs()]
    window_question = question if buckets is None else msgspec.structs.replace(question, window=buckets.window)
    in_buckets = f"""
SELECT part, bucket, {measure.over_inputs()} AS value
FROM {nested(_in_parts(metric, key, choice, columns, window_question, bound))}
GROUP BY part, bucket"""
    sql = f"""
SELECT part, groupArray((bucket, value)) AS points
FROM {nested(in_buckets)}
GROUP BY part"""
    by_part = {}
    for row in (yield from rows(sql, bound, _Followed)):
        values = [(bucket, measure.value(stored_value)) for bucket, stored_value in row.points]
        by_part[row.part] = values, measure.total([stored_value for _, stored_value in row.points])
        yield from turn_after(row.points)
    nothing: tuple[list[tuple[int, Value]], Value] = [], empty_value(metric.measure)
    return [Track(label, *by_part.get(part, nothing), kind) for part, label, kind in parts]


def _wanted(choice: LabelsChoice) -> list[tuple[int, str | None, RestKind | UnsetType]]:
    """Return what to measure: its number in the query, its label, and its kind if it is of the rest."""
    rest = [(_PARTS[kind], None, kind) for kind in choice.rest]
    return [*((place, label, UNSET) for place, label in enumerate(choice.labels, 1) if choice.again), *rest]


def _in_parts(
    metric: CountedMeasure, key: str, choice: LabelsChoice, columns: list[str], question: Question, bound: Bound
) -> str:
    """Return SQL for one row for each label of each event, and for each event without one, that belongs to a part."""
    selects = []
    if choice.again or "other" in choice.rest:
        place = _place(choice, bound)
        pairs = labelled(metric, key, columns, question, bound)
        selects.append(f"SELECT {place} AS part, * EXCEPT (label)\nFROM {nested(pairs)}\n{_condition(choice)}".strip())
    if "none" in choice.rest:
        selects.append(unlabelled(metric, key, [f"{_NONE} AS part", *columns], question, bound))
    return UNION.join(selects)


def _place(choice: LabelsChoice, bound: Bound) -> str:
    """Return SQL for the place of a label among those shown, or `_OTHER`."""
    if not choice.labels:
        return f"{_OTHER}"
    places = bound.integers("places", [*range(1, len(choice.labels) + 1)])
    return f"transform(label, {bound.texts('shown', choice.labels)}, {places}, {_OTHER})"


def _condition(choice: LabelsChoice) -> str:
    """Return the WHERE clause that leaves out the labels that nobody wants."""
    if not choice.again:
        return f"WHERE part = {_OTHER}"
    return "" if "other" in choice.rest else f"WHERE part != {_OTHER}"

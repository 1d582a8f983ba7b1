"""The events that add to a measure: all, in a bucket, with a label (rules/questions#behind-a-number)."""

from collections.abc import Sequence
from textwrap import indent

import msgspec
from msgspec import UNSET

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.breakdown import UNION, check_breakdown, labelled, ranked, unlabelled
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.compared_numbers import CountedMeasure, of_events
from tallyroom.queries.data_point import Form, Spot, check_form, no_such
from tallyroom.queries.evidence import AT_MS, Evidence
from tallyroom.queries.measures import contributes
from tallyroom.queries.query_plan import QueryPlan, scoped_where
from tallyroom.queries.question import Question

_COLUMNS = ("actor AS unit", f"{AT_MS} AS at_ms", "spool", "seq")
_CONDITIONS = ("unit != ''", "adds")


class Breakdown(msgspec.Struct, frozen=True):
    """By which key a measure is split, and how many labels the answer shows at most."""

    key: str
    limit: int


def events_of(metric: CountedMeasure, question: Question, bound: Bound, *more: str) -> str:
    """Return SQL for the events of a question's window that add to a measure and meet `more` conditions."""
    where = scoped_where(
        *of_events(metric, question, bound),
        question.window.condition(bound),
        "actor != ''",
        contributes(metric.measure, metric.property, bound),
        *more,
    )
    return f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{where}"


def evidence_of(metric: CountedMeasure, question: Question) -> Evidence:
    """Return the events behind a measure of the whole window."""
    bound = Bound()
    return Evidence(events_of(metric, question, bound), bound)


def evidence_at(
    metric: CountedMeasure, breakdown: Breakdown | None, buckets: Buckets | None, question: Question, spot: Spot
) -> QueryPlan[Evidence]:
    """Find the events behind a spot of a measure's answer: the whole, a point, a label, or a point of a label.

    Args:
        metric: the measure.
        breakdown: how it is split; None if it is not.
        buckets: those of the answer; None if it is not over time.
        question: the question.
        spot: which number.

    Raises:
        ValidationFailed: the answer has no such number.
    """
    _check_spot(spot, None if breakdown is None else breakdown.key, buckets, question, has_rest=True)
    bound = Bound()
    spot_question, in_bucket = _within(buckets, spot, question, bound)
    if breakdown is None or not (isinstance(spot.label, str) or spot.label is None):
        return Evidence(events_of(metric, spot_question, bound, *in_bucket), bound)
    columns = [*_COLUMNS, _adds(metric, in_bucket, bound)]
    if spot.kind == "none":
        rows = unlabelled(metric, breakdown.key, columns, spot_question, bound)
        return Evidence(_nested("unit, at_ms", rows, _CONDITIONS), bound)
    rows = labelled(metric, breakdown.key, columns, spot_question, bound)
    if isinstance(spot.label, str):
        return Evidence(
            _nested("unit, at_ms", rows, [*_CONDITIONS, f"label = {bound.text('label', spot.label)}"]), bound
        )
    label_rows = yield from ranked(metric, breakdown.key, breakdown.limit, question)
    unseen = f"label NOT IN {bound.texts('shown', [row.label or '' for row in label_rows])}"
    each_once = _nested("DISTINCT unit, at_ms, spool, seq", rows, [*_CONDITIONS, unseen])
    return Evidence(_nested("unit, at_ms", each_once, []), bound)


def evidence_of_parts(
    parts: Sequence[CountedMeasure], key: str | None, buckets: Buckets | None, question: Question, spot: Spot
) -> Evidence:
    """Return the events behind a spot of a formula: those that add to one of its parts, each of them once.

    Args:
        parts: the parts.
        key: by which they are split; None if they are not.
        buckets: those of the answer; None if it is not over time.
        question: the question.
        spot: which number.

    Raises:
        ValidationFailed: the answer has no such number.
    """
    _check_spot(spot, key, buckets, question, has_rest=False)
    bound = Bound()
    spot_question, in_bucket = _within(buckets, spot, question, bound)
    if key is None or not isinstance(spot.label, str):
        selects = [_rows_of(part, [*_COLUMNS, _adds(part, in_bucket, bound)], spot_question, bound) for part in parts]
        conditions = [*_CONDITIONS]
    else:
        selects = [
            labelled(part, key, [*_COLUMNS, _adds(part, in_bucket, bound)], spot_question, bound) for part in parts
        ]
        conditions = [*_CONDITIONS, f"label = {bound.text('label', spot.label)}"]
    each_once = _nested("DISTINCT unit, at_ms, spool, seq", UNION.join(selects), conditions)
    return Evidence(_nested("unit, at_ms", each_once, []), bound)


def _rows_of(metric: CountedMeasure, columns: Sequence[str], question: Question, bound: Bound) -> str:
    """Return SQL for one row for each event of a measure, with `columns`."""
    where = scoped_where(*of_events(metric, question, bound), question.window.condition(bound))
    return f"SELECT {', '.join(columns)}\nFROM events\n{where}"


def _within(buckets: Buckets | None, spot: Spot, question: Question, bound: Bound) -> tuple[Question, list[str]]:
    """Return the question about the time of a spot, and the conditions that its events are in the bucket."""
    if buckets is None or not isinstance(spot.t, str):
        return question, []
    window, number = buckets.find(spot.t)
    in_bucket = f"{buckets.number(bound)} = {bound.integer('bucket', number)}"
    return msgspec.structs.replace(question, window=window), [in_bucket]


def _adds(metric: CountedMeasure, in_bucket: Sequence[str], bound: Bound) -> str:
    """Return the column that is true for an event that adds to a measure."""
    return f"{' AND '.join([contributes(metric.measure, metric.property, bound), *in_bucket])} AS adds"


def _check_spot(spot: Spot, key: str | None, buckets: Buckets | None, question: Question, *, has_rest: bool) -> None:
    forms: list[Form] = [()]
    if key is not None:
        check_breakdown(key, question)
        forms += [("label",), ("label", "kind")] if has_rest else [("label",)]
    if buckets is not None:
        forms += [(*form, "t") for form in forms]
    check_form(spot, *forms)
    if (spot.label is None) != (spot.kind is not UNSET):
        raise no_such("kind", "is required with a label of null, and not valid with another")


def _nested(columns: str, sql: str, conditions: Sequence[str]) -> str:
    where = f"\nWHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {columns}\nFROM (\n{indent(sql.strip(), '  ')}\n){where}"

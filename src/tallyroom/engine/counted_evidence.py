"""The events that add to a measure: all, in a bucket, with a label (rules/questions#behind-a-number)."""

from textwrap import indent

import msgspec
from msgspec import UNSET

from tallyroom.engine.bound import Bound
from tallyroom.engine.breakdown import check_breakdown, labelled, ranked, unlabelled
from tallyroom.engine.buckets import Buckets
from tallyroom.engine.counted import CountedMeasure, of_events
from tallyroom.engine.evidence import AT_MS, Evidence
from tallyroom.engine.measures import contributes
from tallyroom.engine.query_plan import QueryPlan, scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.spot import Form, Spot, check_form, no_such


class Breakdown(msgspec.Struct, frozen=True):
    """By which key a measure is split, and how many labels the answer shows at most."""

    key: str
    limit: int


def events_of(counted: CountedMeasure, question: Question, bound: Bound, *more: str) -> str:
    """Return SQL for the events of a question's window that add to a measure and meet `more` conditions."""
    where = scoped_where(
        *of_events(counted, question, bound),
        question.window.condition(bound),
        "actor != ''",
        contributes(counted.measure, counted.property, bound),
        *more,
    )
    return f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{where}"


def evidence_of(counted: CountedMeasure, question: Question) -> Evidence:
    """Return the events behind a measure of the whole window."""
    bound = Bound()
    return Evidence(events_of(counted, question, bound), bound)


def evidence_at(
    counted: CountedMeasure, breakdown: Breakdown | None, buckets: Buckets | None, question: Question, spot: Spot
) -> QueryPlan[Evidence]:
    """Find the events behind a spot of a measure's answer: the whole, a point, a label, or a point of a label.

    Args:
        counted: the measure.
        breakdown: how it is split; None if it is not.
        buckets: those of the answer; None if it is not over time.
        question: the question.
        spot: which number.

    Raises:
        ValidationFailed: the answer has no such number.
    """
    _check_spot(spot, breakdown, buckets, question)
    bound, in_bucket, asked = Bound(), [], question
    if buckets is not None and isinstance(spot.t, str):
        window, number = buckets.find(spot.t)
        asked = msgspec.structs.replace(question, window=window)
        in_bucket = [f"{buckets.number(bound)} = {bound.integer('bucket', number)}"]
    if breakdown is None or not (isinstance(spot.label, str) or spot.label is None):
        return Evidence(events_of(counted, asked, bound, *in_bucket), bound)
    columns = ["actor AS unit", f"{AT_MS} AS at_ms", "spool", "seq"]
    adds = [contributes(counted.measure, counted.property, bound), *in_bucket]
    columns.append(f"{' AND '.join(adds)} AS adds")
    wanted = ["unit != ''", "adds"]
    if spot.kind == "none":
        rows = unlabelled(counted, breakdown.key, columns, asked, bound)
        return Evidence(_nested("unit, at_ms", rows, wanted), bound)
    rows = labelled(counted, breakdown.key, columns, asked, bound)
    if isinstance(spot.label, str):
        return Evidence(_nested("unit, at_ms", rows, [*wanted, f"label = {bound.text('label', spot.label)}"]), bound)
    shown = yield from ranked(counted, breakdown.key, breakdown.limit, question)
    wanted.append(f"label NOT IN {bound.texts('shown', [row.label or '' for row in shown])}")
    each_once = _nested("DISTINCT unit, at_ms, spool, seq", rows, wanted)
    return Evidence(_nested("unit, at_ms", each_once, []), bound)


def _check_spot(spot: Spot, breakdown: Breakdown | None, buckets: Buckets | None, question: Question) -> None:
    forms: list[Form] = [()]
    if breakdown is not None:
        check_breakdown(breakdown.key, question)
        forms += [("label",), ("label", "kind")]
    if buckets is not None:
        forms += [(*form, "t") for form in forms]
    check_form(spot, *forms)
    if (spot.label is None) != (spot.kind is not UNSET):
        raise no_such("kind", "is required with a label of null, and not valid with another")


def _nested(columns: str, sql: str, wanted: list[str]) -> str:
    where = f"\nWHERE {' AND '.join(wanted)}" if wanted else ""
    return f"SELECT {columns}\nFROM (\n{indent(sql.strip(), '  ')}\n){where}"

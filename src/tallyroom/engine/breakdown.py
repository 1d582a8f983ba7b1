"""The labels of a breakdown, ranked by a measure, and their values over time (rules/questions#breakdown).

An event can have its labels in one of three places, and a separate SELECT reads each place: a single pass over all
three would read every property of every event.
"""

from textwrap import indent

import msgspec

from tallyroom.engine.bound import Bound
from tallyroom.engine.buckets import Buckets
from tallyroom.engine.counted import CountedMeasure, of_events
from tallyroom.engine.keys import labels
from tallyroom.engine.measures import ComputedMeasure, StoredMeasure, measured
from tallyroom.engine.query_plan import QueryPlan, rows, scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.values import Value


class Row(msgspec.Struct):
    """A label and what its events measure."""

    label: str
    value: Value


class Track(msgspec.Struct):
    """A label and what its events measure in the buckets that have some, by their numbers."""

    label: str
    values: list[tuple[int, Value]]


class _Ranked(msgspec.Struct):
    label: str
    total: StoredMeasure


class _Tracked(msgspec.Struct):
    label: str
    points: list[tuple[int, StoredMeasure]]


def ranked(counted: CountedMeasure, key: str, limit: int, question: Question) -> QueryPlan[list[Row]]:
    """Find the labels with the highest values, at most `limit`."""
    bound = Bound()
    measure = measured(counted.measure, counted.property, bound)
    sql = f"""
SELECT label, {measure.over_inputs()} AS total
FROM {_nested(labelled(counted, key, measure.inputs(), question, bound))}
GROUP BY label
{_ranked_by(measure)}
LIMIT {bound.integer("limit", limit)}"""
    found = yield from rows(sql, bound, _Ranked)
    return [Row(row.label, measure.value(row.total)) for row in found]


def tracked(
    counted: CountedMeasure, key: str, limit: int, buckets: Buckets, question: Question
) -> QueryPlan[list[Track]]:
    """Find the labels with the highest values in the whole window, at most `limit`, with a value for each bucket."""
    bound = Bound()
    measure = measured(counted.measure, counted.property, bound)
    columns = [f"{buckets.number(bound)} AS bucket", *measure.inputs()]
    source = labelled(counted, key, columns, question, bound)
    write = _counts if counted.measure == "count" else _states
    found = yield from rows(write(measure, source, bound.integer("limit", limit)), bound, _Tracked)
    return [Track(row.label, [(bucket, measure.value(each)) for bucket, each in row.points]) for row in found]


def labelled(counted: CountedMeasure, key: str, columns: list[str], question: Question, bound: Bound) -> str:
    """Return SQL for one row for each label of each event, with `columns`."""
    chosen = [*of_events(counted, question, bound), question.window.condition(bound)]
    selects = [
        f"SELECT {', '.join([f'{label} AS label', *columns])}\nFROM events\n{scoped_where(*chosen, present)}"
        for label, present in labels(key, bound)
    ]
    return "\nUNION ALL\n".join(selects)


def _counts(measure: ComputedMeasure, labelled: str, limit: str) -> str:
    """Return SQL that keeps a few bytes per event, and counts by bucket only the labels with the highest totals.

    It takes little memory even if every event has a label of its own.
    """
    highest = f"""
SELECT label, count() AS total, groupArray(bucket) AS buckets
FROM {_nested(labelled)}
GROUP BY label
{_ranked_by(measure)}
LIMIT {limit}"""
    counted = f"""
SELECT label, total, arrayJoin(buckets) AS bucket, count() AS counted
FROM {_nested(highest)}
GROUP BY label, total, bucket"""
    return f"""
SELECT label, groupArray((bucket, counted)) AS points
FROM {_nested(counted)}
GROUP BY label, total
{_ranked_by(measure)}"""


def _states(measure: ComputedMeasure, labelled: str, limit: str) -> str:
    """Return SQL that keeps one state for each label and bucket, and merges them for the whole window."""
    measured_once = f"""
SELECT label, bucket, {measure.state()} AS state
FROM {_nested(labelled)}
GROUP BY label, bucket"""
    return f"""
SELECT label, {measure.merged("state")} AS total, groupArray((bucket, {measure.finished("state")})) AS points
FROM {_nested(measured_once)}
GROUP BY label
{_ranked_by(measure)}
LIMIT {limit}"""


def _ranked_by(measure: ComputedMeasure) -> str:
    """Return the ORDER BY that puts the highest value first; `total` is the measure over a whole label."""
    return f"ORDER BY {measure.rank('total')} DESC NULLS LAST, label"


def _nested(sql: str) -> str:
    return f"(\n{indent(sql.strip(), '  ')}\n)"

"""The labels of a breakdown, ranked by a measure, and their values over time (rules/questions#breakdown).

An event can have its labels in one of several places, and a separate SELECT reads each place: a single pass over all of
them would read every property of every event.
"""

from collections.abc import Iterable
from textwrap import indent
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.buckets import Buckets, TimePoint
from tallyroom.queries.compared_numbers import CountedMeasure, of_events
from tallyroom.queries.keys import GROUP, Labels, labels, read
from tallyroom.queries.measures import ComputedMeasure, StoredMeasure, measured
from tallyroom.queries.query_plan import QueryPlan, rows, scoped_where, turn_after
from tallyroom.queries.question import Question
from tallyroom.queries.units import unit_of
from tallyroom.queries.values import Value

RestKind = Literal["none", "other"]
"""What no shown label stands for: events without a label, or labels that rank too low to be shown."""

UNION = "\nUNION ALL\n"


class LabelRow(msgspec.Struct):
    """A label and what its events measure; `kind` is that of a row for the rest, whose label is null."""

    label: str | None
    value: Value
    kind: RestKind | UnsetType = UNSET


class Track(msgspec.Struct):
    """A label, or what `kind` says of the rest, and what its events measure in the buckets that have some.

    `total` is the measure over the whole window, UNSET where it was not measured and the buckets do not tell.
    """

    label: str | None
    values: list[tuple[int, Value]]
    total: Value | UnsetType
    kind: RestKind | UnsetType = UNSET


class _Ranked(msgspec.Struct):
    label: str
    total: StoredMeasure


class _Tracked(msgspec.Struct):
    label: str
    total: StoredMeasure
    points: list[tuple[int, StoredMeasure]]


def label_in_words(label: str | None, kind: RestKind | UnsetType) -> str:
    """Return a label as pictures and mails show it: the rest is "(none)" or "(other)"."""
    return f"({kind})" if label is None else label


def check_breakdown(key: str, question: Question) -> None:
    """Refuse a breakdown by group where there are no groups (rules/questions#breakdown-by-group).

    Raises:
        ValidationFailed: names the field `breakdown`.
    """
    if key == GROUP and question.group_key is None:
        reason = f"cannot be {GROUP}: the workspace has no default group key, or its plan has no groups"
        raise ValidationFailed.at(["config", "breakdown"], reason)


def ranked(metric: CountedMeasure, key: str, limit: int, question: Question) -> QueryPlan[list[LabelRow]]:
    """Find the labels with the highest values, at most `limit`."""
    bound = Bound()
    measure = measured(metric.measure, metric.property, bound)
    sql = f"""
SELECT label, {measure.over_inputs()} AS total
FROM {nested(labelled(metric, key, measure.inputs(), question, bound))}
GROUP BY label
{_ranked_by(measure)}
LIMIT {bound.integer("limit", limit)}"""
    totals = yield from rows(sql, bound, _Ranked)
    return [LabelRow(row.label, measure.value(row.total)) for row in totals]


def tracked(
    metric: CountedMeasure, key: str, limit: int, buckets: Buckets, question: Question
) -> QueryPlan[list[Track]]:
    """Find the labels with the highest values in the whole window, at most `limit`, with a value for each bucket."""
    bound = Bound()
    measure = measured(metric.measure, metric.property, bound)
    columns = [f"{buckets.number(bound)} AS bucket", *measure.inputs()]
    source = labelled(metric, key, columns, question, bound)
    write = _counts if metric.measure == "count" else _states
    tracks = []
    for row in (yield from rows(write(measure, source, bound.integer("limit", limit)), bound, _Tracked)):
        values = [(bucket, measure.value(stored_value)) for bucket, stored_value in row.points]
        tracks.append(Track(row.label, values, measure.value(row.total)))
        yield from turn_after(row.points)
    return tracks


def points_of(tracks: Iterable[Track], buckets: Buckets, empty: Value) -> QueryPlan[list[list[TimePoint]]]:
    """Return the points of each track in the buckets that it was measured in."""
    point_lists = []
    for track in tracks:
        point_lists.append(buckets.points(track.values, empty))
        yield from turn_after(point_lists[-1])
    return point_lists


def labelled(metric: CountedMeasure, key: str, columns: list[str], question: Question, bound: Bound) -> str:
    """Return SQL for one row for each label of each event, with `columns`."""
    conditions = [*of_events(metric, question, bound), question.window.condition(bound)]
    selects = [
        f"SELECT {', '.join([f'{label} AS label', *columns])}\nFROM events\n{scoped_where(*conditions, present)}"
        for label, present in _sources(key, question, bound)
    ]
    return UNION.join(selects)


def unlabelled(metric: CountedMeasure, key: str, columns: list[str], question: Question, bound: Bound) -> str:
    """Return SQL for one row for each event that has no label, with `columns`."""
    conditions = [*of_events(metric, question, bound), question.window.condition(bound)]
    present = unit_of("group", question, bound).present if key == GROUP else read(key, bound).present
    return f"SELECT {', '.join(columns)}\nFROM events\n{scoped_where(*conditions, f'NOT ({present})')}"


def _sources(key: str, question: Question, bound: Bound) -> list[Labels]:
    if key != GROUP:
        return labels(key, bound)
    group = unit_of("group", question, bound)
    return [Labels(group.sql, group.present)]


def _counts(measure: ComputedMeasure, source: str, limit: str) -> str:
    """Return SQL that keeps a few bytes per event, and counts by bucket only the labels with the highest totals.

    It takes little memory even if every event has a label of its own.
    """
    highest = f"""
SELECT label, count() AS total, groupArray(bucket) AS buckets
FROM {nested(source)}
GROUP BY label
{_ranked_by(measure)}
LIMIT {limit}"""
    by_bucket = f"""
SELECT label, total, arrayJoin(buckets) AS bucket, count() AS counted
FROM {nested(highest)}
GROUP BY label, total, bucket"""
    return f"""
SELECT label, total, groupArray((bucket, counted)) AS points
FROM {nested(by_bucket)}
GROUP BY label, total
{_ranked_by(measure)}"""


def _states(measure: ComputedMeasure, source: str, limit: str) -> str:
    """Return SQL that keeps one state for each label and bucket, and merges them for the whole window."""
    measured_once = f"""
SELECT label, bucket, {measure.state()} AS state
FROM {nested(source)}
GROUP BY label, bucket"""
    return f"""
SELECT label, {measure.merged("state")} AS total, groupArray((bucket, {measure.finished("state")})) AS points
FROM {nested(measured_once)}
GROUP BY label
{_ranked_by(measure)}
LIMIT {limit}"""


def _ranked_by(measure: ComputedMeasure) -> str:
    """Return the ORDER BY that puts the highest value first; `total` is the measure over a whole label."""
    return f"ORDER BY {measure.rank('total')} DESC NULLS LAST, label"


def nested(sql: str) -> str:
    """Return a SELECT as a subquery."""
    return f"(\n{indent(sql.strip(), '  ')}\n)"

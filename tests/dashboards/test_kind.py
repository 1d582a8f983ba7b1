"""Which answers show nothing, for every kind of answer (rules/questions#notices)."""

import pytest

from harness.oracles.kinds import kind_with
from tallyroom.dashboards.kinds.external.question import External
from tallyroom.dashboards.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.note.question import Note
from tallyroom.dashboards.kinds.retention.question import Cohort, Retention
from tallyroom.dashboards.kinds.table.question import Table, TableRow
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Result
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.values import Bucket

DAY = "2026-11-20T00:00:00.000Z"


def points(*values: float | None) -> list[TimePoint]:
    return [TimePoint(DAY, value) for value in values]


def series(*values: float | None) -> Multiseries:
    return Multiseries(interval="day", series=[Series("a", points(0)), Series("b", points(*values))])


def cohorts(*sizes: int) -> Retention:
    return Retention(
        granularity="day", unit_kind="actor", cohorts=[Cohort(start=DAY, size=size, values=[size]) for size in sizes]
    )


def steps(count: int) -> Funnel:
    step = FunnelStep(event="a", count=count, rate=0, step_rate=0, waiting=0, median_seconds_from_previous=None)
    return Funnel(unit_kind="actor", steps=[step])


ANSWERS: list[tuple[Result, bool]] = [
    (Counter(value=0, previous=1, delta=None), True),
    (Counter(value=-1, previous=0, delta=None), False),
    (Timeseries(interval="day", points=points(0, None)), True),
    (Timeseries(interval="day", points=points(0, 1)), False),
    (Categorical(rows=[]), True),
    (Categorical(rows=[LabelRow("a", 0)]), True),
    (Categorical(rows=[LabelRow("a", 1)]), False),
    (Multiseries(interval="day", series=[]), True),
    (series(0, None), True),
    (series(0, 2), False),
    (Kpi(items=[KpiNumber(label="a", value=1, previous=None, delta=None)]), False),
    (Kpi(items=[KpiNumber(label="a", value=value, previous=None, delta=None) for value in (1, 0)]), True),
    (steps(0), True),
    (steps(1), False),
    (Histogram(buckets=[]), True),
    (Histogram(buckets=[Bucket(0, 1, 1)]), False),
    (Heatmap(cells=[[0, 0], [0, 0]]), True),
    (Heatmap(cells=[[0, 0], [0, 1]]), False),
    (cohorts(0, 0), True),
    (cohorts(0, 1), False),
    (Table(columns=["time"], rows=[]), True),
    (Table(columns=["time"], rows=[TableRow("1", {"time": DAY})]), False),
    (External(value=None, fetched_at=None, error="unreachable"), False),
    (Note(text=""), False),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS, ids=repr)
def test_an_answer_of_nothing_but_zeros_is_empty(answer: Result, expected: bool) -> None:
    assert kind_with(answer).is_empty(answer) == expected


def test_every_kind_of_answer_is_among_them() -> None:
    assert {type(answer) for answer, _ in ANSWERS} == {result for kind in KINDS.values() for result in kind.results}

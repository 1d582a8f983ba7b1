"""Who is behind a number: for every kind and every number, exactly those whom a plain search finds.

See rules/questions#who-is-behind-a-number.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec import UNSET

from harness.builders.events import FEW, MANY, NAMES, ZONES, crowds, drawn
from harness.builders.events import filters as some_filters
from harness.builders.journeys import made_config, made_event
from harness.oracles.calendar_walk import start_of_hour
from harness.oracles.filters import labels_of, matching, numbers_of, present
from harness.oracles.funnels import expected_funnel
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, checked, insert_each, question
from harness.suite.few import few
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import HOUR_MS
from tallyroom.dashboards.kinds.formula.kind import FORMULA
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.dashboards.kinds.histogram.kind import HISTOGRAM
from tallyroom.dashboards.kinds.kpi.kind import KPI
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.kinds.retention.kind import RETENTION
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.drill_down import UnitList
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.question import ChosenInterval, Question
from tallyroom.storage.event_store.scope import Scope

Row = tuple[str, int, int, int]
Chosen = Iterable[Happened]

MEASURES = ["count", "uniq_actors", "sum", "avg", "min", "max", "median", "p95", "uniq"]
BREAKDOWNS = ["plan", "tags", "g", "n", "_group", "absent", "_actor", "_source", "name", "prop:plan"]


class Case:
    """Events in a workspace of their own, and a question about them.

    Args:
        store: the event store.
        scope: of the workspace.
        events: what happened.
        source: of chance.
        segment: filters beside those of a config.
    """

    def __init__(
        self, store: EventStore, scope: Scope, events: list[Happened], source: Random, segment: list[Any]
    ) -> None:
        self.store, self.scope, self.source = store, scope, source
        self.timezone = source.choice(ZONES)
        self.zone = ZoneInfo(self.timezone)
        time_range: TimeRange = source.choice(["24h", "7d", "30d", "90d", "mtd", "last_month"])
        interval: ChosenInterval | None = source.choice([None, None, "hour", "day", "week", "month"])
        if interval == "hour" and time_range == "90d":
            interval = "day"  # or there would be too many points
        self.interval = interval
        self.question: Question = question(
            time_range, timezone=self.timezone, group_key="g", filters=segment, interval=interval
        )
        self.all = sorted(matching(events, segment), key=lambda each: each.order)
        window = self.question.window
        self.events = [each for each in self.all if window.from_ms <= each.at_ms <= window.until_ms]

    async def answer(self, kind: QuestionKind[Any], config: dict[str, Any]) -> Any:
        """The answer of which the numbers are."""
        return await ask(self.store, self.scope, kind, config, self.question)

    async def drill_down(self, kind: QuestionKind[Any], config: dict[str, Any], at: dict[str, Any]) -> list[Row]:
        """All rows, page by page; the total says how many."""
        assert kind.find_evidence_query
        plan = kind.find_evidence_query(checked(kind, config), self.question, msgspec.convert(at, DataPoint))
        evidence = await run_query_plan(plan, self.store.reader, self.scope)
        assert evidence.unit_kind == config.get("count", "actor")
        listed = UnitList(self.store.reader, self.scope, evidence, NOW_MS, UNSET)
        size, after = self.source.choice([2, 50, 50, 50]), None
        found: list[Row] = []
        while True:
            page = await listed.fetch_page(size, after)
            found += [(each.unit, each.event_count, each.first_ms, each.last_ms) for each in page.units]
            if len(page.units) < size:
                assert page.unit_count == len(found)
                return found
            after = found[-1][1], found[-1][0]

    def local(self, at_ms: int) -> datetime:
        """What the clocks of the workspace show."""
        return datetime.fromtimestamp(at_ms / 1000, self.zone)


def rows(events: Chosen, unit_of: Callable[[Happened], str] = lambda each: each.actor) -> list[Row]:
    """Those who have events, the busiest first."""
    times = defaultdict(list)
    for each in events:
        if unit := unit_of(each):
            times[unit].append(each.at_ms)
    found = [(unit, len(own), min(own), max(own)) for unit, own in times.items()]
    return sorted(found, key=lambda row: (-row[1], row[0].encode()))


def group_of(event: Happened) -> str:
    group = event.properties.get("g")
    return group if isinstance(group, str) else ""


def labels(key: str, event: Happened) -> list[str]:
    """The labels of a breakdown that an event has."""
    return [group_of(event)] if key == "_group" and group_of(event) else labels_of(key, event)


def contributing(events: Chosen, measured: dict[str, Any]) -> list[Happened]:
    """The events with a value that the measure is of."""
    key = measured.get("property")
    if key is None:
        return list(events)
    has = present if measured["measure"] == "uniq" else numbers_of
    return [each for each in events if has(key, each)]


def made_measure(source: Random) -> dict[str, Any]:
    measure = source.choice(MEASURES)
    key = {"count": None, "uniq_actors": None, "uniq": source.choice(["plan", "tags", "n", "_source"])}.get(
        measure, "n"
    )
    return {"event": source.choice(NAMES), "measure": measure} | ({} if key is None else {"property": key})


def period_of(at: datetime, granularity: str) -> int:
    """The number of the day, week or month in which a moment falls."""
    day = at.date()
    ordinal = day.toordinal()  # 1 is a Monday
    return {"day": ordinal, "week": (ordinal - 1) // 7, "month": day.year * 12 + day.month}[granularity]


async def metric(case: Case) -> None:
    """The whole, each point, each label, the rest of the labels, and each point of a label."""
    config = made_measure(case.source) | {"limit": 2}
    config |= case.source.choice([{}, {"overTime": True}, {"breakdown": case.source.choice(BREAKDOWNS)}])
    if "breakdown" in config:
        config["overTime"] = case.source.random() < 0.5
    events = contributing((each for each in case.events if each.name == config["event"]), config)
    answer = await case.answer(METRIC, config)
    assert await case.drill_down(METRIC, config, {}) == rows(events)
    is_number = config["measure"] == "uniq_actors"
    for point in answer.get("points", []):
        found = await case.drill_down(METRIC, config, {"t": point["t"]})
        assert found == rows(in_bucket(case, events, point["t"], answer["interval"]))
        assert not is_number or len(found) == point["value"]
    for row in [*answer.get("rows", []), *answer.get("series", [])]:
        own = [each for each in events if row["label"] in labels(config["breakdown"], each)]
        found = await case.drill_down(METRIC, config, {"label": row["label"]})
        assert found == rows(own)
        assert not is_number or len(found) == row.get("value", len(found))
        for point in case.source.sample(row.get("points", []), min(5, len(row.get("points", [])))):
            found = await case.drill_down(METRIC, config, {"label": row["label"], "t": point["t"]})
            assert found == rows(in_bucket(case, own, point["t"], answer["interval"]))
            assert not is_number or len(found) == point["value"]
    if "breakdown" in config:
        shown = {row["label"] for row in [*answer.get("rows", []), *answer.get("series", [])]}
        labelled = [(each, set(labels(config["breakdown"], each))) for each in events]
        none, other = ([each for each, own in labelled if not own], [each for each, own in labelled if own - shown])
        assert await case.drill_down(METRIC, config, {"label": None, "kind": "none"}) == rows(none)
        assert await case.drill_down(METRIC, config, {"label": None, "kind": "other"}) == rows(other)


async def formula(case: Case) -> None:
    """The whole, each point, each label, and each point of a label: the events of all parts."""
    parts = {"a": made_measure(case.source), "b": made_measure(case.source)}
    config: dict[str, Any] = parts | {"expression": "a + b", "limit": 2}
    config |= case.source.choice([{}, {"overTime": True}, {"breakdown": case.source.choice(BREAKDOWNS)}])
    if "breakdown" in config:
        config["overTime"] = case.source.random() < 0.5
    own = [contributing((each for each in case.events if each.name == part["event"]), part) for part in parts.values()]
    events = sorted({each.seq: each for part in own for each in part}.values(), key=lambda each: each.order)
    answer = await case.answer(FORMULA, config)
    assert await case.drill_down(FORMULA, config, {}) == rows(events)
    for point in answer.get("points", []):
        inside = in_bucket(case, events, point["t"], answer["interval"])
        assert await case.drill_down(FORMULA, config, {"t": point["t"]}) == rows(inside)
    for row in [*answer.get("rows", []), *answer.get("series", [])]:
        named = [each for each in events if row["label"] in labels(config["breakdown"], each)]
        assert await case.drill_down(FORMULA, config, {"label": row["label"]}) == rows(named)
        for point in row.get("points", [])[-3:]:
            inside = in_bucket(case, named, point["t"], answer["interval"])
            assert await case.drill_down(FORMULA, config, {"label": row["label"], "t": point["t"]}) == rows(inside)


def in_bucket(case: Case, events: Chosen, t: str, interval: str) -> list[Happened]:
    """The events of the minute, hour, day, week or month that begins at `t`."""
    begins = round(datetime.fromisoformat(t).timestamp() * 1000)
    if interval == "minute":
        return [each for each in events if each.at_ms // 60_000 == begins // 60_000]
    if interval == "hour":
        return [each for each in events if start_of_hour(each.at_ms, case.zone) == begins]
    wanted = period_of(case.local(begins), interval)
    return [each for each in events if period_of(case.local(each.at_ms), interval) == wanted]


async def kpi(case: Case) -> None:
    """Each item."""
    items = [made_measure(case.source) for _ in range(3)]
    answer = await case.answer(KPI, {"items": items})
    for index, (item, number) in enumerate(zip(items, answer["items"], strict=True)):
        found = await case.drill_down(KPI, {"items": items}, {"item": index})
        assert found == rows(contributing((each for each in case.events if each.name == item["event"]), item))
        assert item["measure"] != "uniq_actors" or len(found) == number["value"]


async def histogram(case: Case) -> None:
    """The whole and each bucket."""
    config = {"event": case.source.choice(NAMES), "property": "n", "buckets": case.source.randint(2, 5)}
    buckets = (await case.answer(HISTOGRAM, config))["buckets"]
    events = [each for each in case.events if each.name == config["event"] and numbers_of("n", each)]
    assert await case.drill_down(HISTOGRAM, config, {}) == rows(events)
    for index, bucket in enumerate(buckets):
        last = index == len(buckets) - 1
        values = [(each, numbers_of("n", each)[0]) for each in events]
        inside = [each for each, own in values if bucket["from"] <= own and (own < bucket["to"] or last)]
        assert await case.drill_down(HISTOGRAM, config, {"bucket": index}) == rows(inside)
        assert len(inside) == bucket["count"]


async def heatmap(case: Case) -> None:
    """The whole, and each cell with an event."""
    events = [each for each in case.events if each.name == "a"]
    assert await case.drill_down(HEATMAP, {"event": "a"}, {}) == rows(events)
    cells = defaultdict(list)
    for each in events:
        local = case.local(each.at_ms)
        cells[local.weekday(), local.hour].append(each)
    for cell, own in [*list(cells.items())[:8], ((6, 23), cells.get((6, 23), []))]:
        assert await case.drill_down(HEATMAP, {"event": "a"}, {"cell": list(cell)}) == rows(own)


async def funnel(case: Case) -> None:
    """Each step: who reached it, and who did not get further."""
    source = case.source
    config = made_config(source) | {
        "windowHours": source.choice([1, 24, 720]),
        "count": source.choice(["actor", "group"]),
    }
    excluded = {"event": source.choice(NAMES), "filters": [], "between": [1, 2]}
    config |= source.choice([{}, {}, {"holding": "plan"}, {"exclude": [excluded]}, {"breakdown": "plan"}])
    unit_of = group_of if config["count"] == "group" else lambda each: each.actor
    own = defaultdict(list)
    for each in case.events:
        own[unit_of(each)].append(each)
    reached = {unit: sum(step["count"] for step in expected_funnel(of, config)["steps"]) for unit, of in own.items()}
    events = [each for each in case.events if any(matches_step(step, each) for step in config["steps"])]
    numbers = [step["count"] for step in (await case.answer(FUNNEL, config))["steps"]]
    for step, number in enumerate(numbers, 1):
        found = await case.drill_down(FUNNEL, config, {"step": step, "outcome": "reached"})
        assert found == rows([each for each in events if reached[unit_of(each)] >= step], unit_of)
        assert len(found) == number
        if step < len(numbers):
            found = await case.drill_down(FUNNEL, config, {"step": step, "outcome": "dropped"})
            assert found == rows([each for each in events if reached[unit_of(each)] == step], unit_of)
            assert len(found) == number - numbers[step]


def matches_step(step: dict[str, Any], event: Happened) -> bool:
    return step["event"] == event.name and bool(matching([event], step["filters"]))


async def retention(case: Case) -> None:
    """Each period of each cohort."""
    granularity = case.source.choice(["day", "week", "month"])
    config = {
        "cohortEvent": "a",
        "returnEvent": case.source.choice(NAMES),
        "granularity": granularity,
        "periods": 4,
        "count": case.source.choice(["actor", "group"]),
    }
    unit_of = group_of if config["count"] == "group" else lambda each: each.actor
    events = [each for each in case.all if each.at_ms <= NOW_MS and unit_of(each)]
    first: dict[str, Happened] = {}
    for each in events:
        if each.name == "a":
            first.setdefault(unit_of(each), each)

    def when(at_ms: int) -> int:
        return period_of(case.local(at_ms), granularity)

    for cohort in (await case.answer(RETENTION, config))["cohorts"]:
        begins = when(round(datetime.fromisoformat(cohort["start"]).timestamp() * 1000))
        units = {unit for unit, each in first.items() if when(each.at_ms) == begins}
        for period, number in enumerate(cohort["values"]):
            name = config["returnEvent"] if period else "a"
            own = [each for each in events if each.name == name and unit_of(each) in units]
            found = await case.drill_down(RETENTION, config, {"cohort": cohort["start"], "period": period})
            assert found == rows([each for each in own if when(each.at_ms) == begins + period], unit_of)
            assert len(found) == number


def paid(days: int, actor: str, **properties: Any) -> Happened:
    return Happened("paid", NOW_MS - days * 24 * HOUR_MS, actor, properties)


TEN = [
    *(paid(days, "ann", plan="pro", amount=5) for days in (0, 1, 1)),
    *(paid(1, actor, plan="pro", amount=amount) for actor, amount in (("bob", 1), ("", 7), ("cat", "much"))),
    *(paid(1, actor, tags=["x", "y"], amount=2) for actor in ("bob", "dan")),
    paid(1, "eve", plan="free", amount=3),
    paid(40, "fay", plan="pro", amount=9),
]
YESTERDAY = "2026-11-19T00:00:00.000Z"
BY_PLAN = {"event": "paid", "measure": "sum", "property": "amount", "breakdown": "plan", "overTime": True, "limit": 1}


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ({}, {"ann": 3, "bob": 2, "dan": 1, "eve": 1}),
        ({"t": YESTERDAY}, {"ann": 2, "bob": 2, "dan": 1, "eve": 1}),
        ({"label": "pro"}, {"ann": 3, "bob": 1}),
        ({"label": "pro", "t": YESTERDAY}, {"ann": 2, "bob": 1}),
        ({"label": "free"}, {"eve": 1}),
        ({"label": "gold"}, {}),
        ({"label": None, "kind": "none"}, {"bob": 1, "dan": 1}),
        ({"label": None, "kind": "none", "t": YESTERDAY}, {"bob": 1, "dan": 1}),
        ({"label": None, "kind": "other"}, {"eve": 1}),
        ({"label": None, "kind": "other", "t": YESTERDAY}, {"eve": 1}),
    ],
)
@few(1, "interval", ["day", "week"])
async def test_ten_payments(
    event_store: EventStore, at: dict[str, Any], expected: dict[str, int], interval: ChosenInterval
) -> None:
    case = Case(event_store, fresh_scope(), TEN, Random(1), [])
    case.question = question("7d", interval=interval)
    insert_each(event_store, [(case.scope, TEN)])
    if "t" in at and interval == "week":
        at, expected = at | {"t": "2026-11-16T00:00:00.000Z"}, expected | ({"ann": 3} if "ann" in expected else {})
    found = await case.drill_down(METRIC, BY_PLAN, at)
    assert {unit: count for unit, count, *_ in found} == expected


async def test_the_total_is_there_when_those_who_came_after_are_gone(event_store: EventStore) -> None:
    scope, plan = fresh_scope(), METRIC.find_evidence_query
    assert plan
    insert_each(event_store, [(scope, TEN)])
    finding = plan(checked(METRIC, {"event": "paid", "measure": "count"}), question(), DataPoint())
    evidence = await run_query_plan(finding, event_store.reader, scope)
    page = await UnitList(event_store.reader, scope, evidence, NOW_MS, UNSET).fetch_page(5, (1, "zoe"))
    assert (page.unit_count, page.units) == (5, [])


SEGMENTS = st.lists(some_filters, max_size=1)


@pytest.mark.long
@pytest.mark.parametrize(
    "check", [metric, formula, kpi, histogram, heatmap, funnel, retention], ids=lambda each: each.__name__
)
@pytest.mark.parametrize("count", [FEW // 4, MANY // 4])
async def test_it_is_who_a_plain_search_finds(event_store: EventStore, check: Any, count: int) -> None:
    cases = [(fresh_scope(), *case) for case in drawn(st.tuples(crowds, st.integers(), SEGMENTS), count)]
    if check is funnel:  # of which a crowd seldom has one
        cases = [(scope, journeys(Random(seed)), seed, segment) for scope, _, seed, segment in cases]
    insert_each(event_store, [(scope, events) for scope, events, *_ in cases])
    for scope, events, seed, segment in cases:
        await check(Case(event_store, scope, events, Random(seed), segment))


def journeys(source: Random) -> list[Happened]:
    return [made_event(source) for _ in range(source.randint(10, 20))]

"""What is different about the events behind a number is what a plain count finds (rules/questions#differences)."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from harness.builders.events import ZONES
from harness.builders.varied_history import make_history
from harness.oracles.calendar_walk import start_of_hour
from harness.oracles.differences import expected_differences
from harness.oracles.filters import labels_of, matching, numbers_of, present
from harness.oracles.funnels import expected_funnel
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, checked, insert_each, question
from tallyroom.dashboards.kinds.formula.kind import FORMULA
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.dashboards.kinds.histogram.kind import HISTOGRAM
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.kinds.retention.kind import RETENTION
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.differences import ComparedBy, query_differences
from tallyroom.queries.kind import QuestionKind
from tallyroom.storage.event_store.scope import Scope

UnitOf = Callable[[Happened], str]
Found = tuple[dict[str, Any], dict[str, Any]]
"""What the engine finds, and what a plain count does."""

FEW_HISTORIES, MANY_HISTORIES = 4, 300
MEASURES: list[dict[str, Any]] = [
    {"measure": "count"},
    {"measure": "uniq_actors"},
    {"measure": "sum", "property": "amount"},
    {"measure": "uniq", "property": "plan"},
]
BREAKDOWNS = ["plan", "g", "code", "tags", "_group", "_source", "name", "prop:name"]


class Case:
    """A history in a workspace of its own, and a question about seven days of it."""

    def __init__(self, store: EventStore, scope: Scope, history: list[Happened], source: Random) -> None:
        self.store, self.scope, self.source = store, scope, source
        self.timezone = source.choice(ZONES)
        self.zone = ZoneInfo(self.timezone)
        segment = source.choice([[], [], [{"key": "plan", "op": "exists"}]])
        self.question = question("7d", timezone=self.timezone, group_key="g", filters=segment)
        self.history = sorted(matching(history, segment), key=lambda event: event.order)
        window = self.question.window
        self.events = [event for event in self.history if window.from_ms <= event.at_ms <= window.until_ms]

    async def answer(self, kind: QuestionKind[Any], config: dict[str, Any]) -> Any:
        return await ask(self.store, self.scope, kind, config, self.question)

    async def find(
        self,
        kind: QuestionKind[Any],
        config: dict[str, Any],
        at: dict[str, Any],
        by: ComparedBy | None,
        limit: int = 50,
    ) -> dict[str, Any]:
        assert kind.find_contrast
        plan = kind.find_contrast(checked(kind, config), self.question, msgspec.convert(at, DataPoint))
        contrast = await run_query_plan(plan, self.store.reader, self.scope)
        differences = await run_query_plan(query_differences(contrast, by, limit), self.store.reader, self.scope)
        found: dict[str, Any] = msgspec.to_builtins(differences)
        return found

    async def compare(
        self,
        kind: QuestionKind[Any],
        config: dict[str, Any],
        at: dict[str, Any],
        events: Sequence[Happened],
        behind: Sequence[Happened],
        skipped_keys: Sequence[str] = (),
    ) -> int:
        """Check a point by events and by actors; return how many differences there are."""
        found = await self.find(kind, config, at, "events")
        count = check_found(found, expected_differences(events, behind, skipped_keys=skipped_keys))
        known, known_behind = ([event for event in chosen if event.actor] for chosen in (events, behind))
        wanted = expected_differences(
            known, known_behind, unit_of=actor_of, skipped_keys=skipped_keys, question_events=events
        )
        return count + check_found(await self.find(kind, config, at, "actors"), wanted)

    def local(self, at_ms: int) -> datetime:
        return datetime.fromtimestamp(at_ms / 1000, self.zone)


def check_found(found: dict[str, Any], wanted: dict[str, Any]) -> int:
    rows = [{name: value for name, value in row.items() if name != "filter"} for row in found["properties"]]
    expected = wanted["properties"][:50]
    assert (found["events"], found["of"]) == (wanted["events"], wanted["of"])
    assert [(row["key"], row["value"], row["count"]) for row in rows] == [
        (row["key"], row["value"], row["count"]) for row in expected
    ]
    assert rows == [pytest.approx(row) for row in expected]
    return len(rows)


def actor_of(event: Happened) -> str:
    return event.actor


def group_of(event: Happened) -> str:
    group = event.properties.get("g")
    return group if isinstance(group, str) else ""


def labels(key: str, event: Happened) -> list[str]:
    if key == "_group":
        return [group_of(event)] if group_of(event) else []
    return labels_of(key, event)


def contributing(events: Sequence[Happened], measured: dict[str, Any]) -> list[Happened]:
    if measured["measure"] == "uniq_actors":
        return [event for event in events if event.actor]
    if "property" not in measured:
        return list(events)
    has = present if measured["measure"] == "uniq" else numbers_of
    return [event for event in events if has(measured["property"], event)]


async def metric(case: Case) -> int:
    """A point, a label, a point of a label, and the rest."""
    measure = case.source.choice(MEASURES)
    config = measure | {"events": case.source.choice(["all", ["a", "b"]]), "interval": "day", "limit": 2}
    named = [event for event in case.events if config["events"] == "all" or event.name in config["events"]]
    events = contributing(named, measure)
    breakdown = case.source.choice([None, *BREAKDOWNS])
    over_time = breakdown is None or case.source.random() < 0.5
    config |= {"overTime": over_time} | ({} if breakdown is None else {"breakdown": breakdown})
    answer = await case.answer(METRIC, config)
    at: dict[str, Any] = {}
    behind, skipped = events, []
    rows = answer.get("rows") or answer.get("series") or []
    if breakdown is not None and rows:
        row = case.source.choice([*rows, {"label": None, "kind": "none"}, {"label": None, "kind": "other"}])
        at = {"label": row["label"]} | ({"kind": row["kind"]} if "kind" in row else {})
        behind = [event for event in events if has_label(row, labels(breakdown, event), rows)]
        skipped = ["g" if breakdown == "_group" else breakdown]
    if over_time:
        points = (rows[0] if breakdown is not None and rows else answer).get("points", [])
        if not points:
            return 0
        point = case.source.choice([*points[-3:], max(points, key=lambda point: point["value"] or 0)])
        at |= {"t": point["t"]}
        day = case.local(round(datetime.fromisoformat(point["t"]).timestamp() * 1000)).date()
        behind = [event for event in behind if case.local(event.at_ms).date() == day]
    return await case.compare(METRIC, config, at, events, behind, skipped) if at else 0


def has_label(row: dict[str, Any], own: list[str], rows: list[dict[str, Any]]) -> bool:
    if row.get("kind") == "none":
        return not own
    if row.get("kind") == "other":
        return bool({*own} - {shown["label"] for shown in rows})
    return row["label"] in own


async def formula(case: Case) -> int:
    """An hour of the events of two parts."""
    parts = {"a": {"event": "a", "measure": "count"}, "b": {"event": "b", "measure": "sum", "property": "amount"}}
    config: dict[str, Any] = parts | {"expression": "b / a", "overTime": True, "interval": "hour"}
    chosen = [
        contributing([event for event in case.events if event.name == part["event"]], part) for part in parts.values()
    ]
    events = [event for part_events in chosen for event in part_events]
    busiest = busiest_hour(case, events)
    behind = [event for event in events if start_of_hour(event.at_ms, case.zone) == busiest]
    return await case.compare(FORMULA, config, {"t": as_t(busiest)}, events, behind)


def busiest_hour(case: Case, events: Sequence[Happened]) -> int:
    times = defaultdict(int)
    for event in events:
        times[start_of_hour(event.at_ms, case.zone)] += 1
    return max(times, key=lambda start: times[start])


def as_t(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, ZoneInfo("UTC")).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def heatmap(case: Case) -> int:
    """The cell of the busiest hour."""
    local = case.local(busiest_hour(case, case.events))
    cell = (local.weekday(), local.hour)
    clocks = [(event, case.local(event.at_ms)) for event in case.events]
    behind = [event for event, clock in clocks if (clock.weekday(), clock.hour) == cell]
    return await case.compare(HEATMAP, {"events": "all"}, {"cell": list(cell)}, case.events, behind)


async def histogram(case: Case) -> int:
    """A bucket."""
    config = {"events": "all", "property": "code", "buckets": 3}
    events = [event for event in case.events if numbers_of("code", event)]
    buckets = (await case.answer(HISTOGRAM, config))["buckets"]
    index = case.source.randrange(len(buckets))
    start, end, is_last = buckets[index]["from"], buckets[index]["to"], index == len(buckets) - 1
    values = [(event, numbers_of("code", event)[0]) for event in events]
    behind = [event for event, value in values if start <= value and (value < end or is_last)]
    return await case.compare(HISTOGRAM, config, {"bucket": index}, events, behind, ["code"])


async def funnel(case: Case) -> int:
    """Each outcome of a step, among the units that reached the first one."""
    unit_kind = case.source.choice(["actor", "group"])
    unit_of: UnitOf = group_of if unit_kind == "group" else actor_of
    steps = [{"event": name, "filters": []} for name in ("a", "b", "c")]
    config = {
        "steps": steps,
        "windowHours": case.source.choice([24, 168]),
        "windowFrom": "previous",
        "count": unit_kind,
    }
    config |= case.source.choice([{}, {}, {"holding": "plan"}])
    own = defaultdict(list)
    for event in case.events:
        own[unit_of(event)].append(event)
    reached = {
        unit: sum(step["count"] for step in expected_funnel(events, config)["steps"]) for unit, events in own.items()
    }
    events = [event for event in case.events if reached[unit_of(event)]]
    count = 0
    for at, is_behind in (
        ({"step": 2, "outcome": "reached"}, lambda steps: steps >= 2),
        ({"step": 2, "outcome": "dropped"}, lambda steps: steps == 2),
        ({"step": 1, "outcome": "reached"}, lambda _: True),
    ):
        behind = [event for event in events if is_behind(reached[unit_of(event)])]
        wanted = expected_differences(
            events, behind, unit_of=unit_of, skipped_keys=["name"], question_events=case.events
        )
        found = await case.find(FUNNEL, config, at, None)
        assert found["unit"] == unit_kind
        count += check_found(found, wanted)
    return count


async def retention(case: Case) -> int:
    """The units of a cohort that came back, among the cohort."""
    unit_kind = case.source.choice(["actor", "group"])
    unit_of: UnitOf = group_of if unit_kind == "group" else actor_of
    config = {"cohortEvent": "a", "returnEvent": "b", "periods": 10, "count": unit_kind}
    config["granularity"] = granularity = case.source.choice(["day", "week", "week"])
    first: dict[str, Happened] = {}
    for event in case.history:
        if event.name == "a" and event.at_ms <= NOW_MS and unit_of(event):
            first.setdefault(unit_of(event), event)
    cohorts = (await case.answer(RETENTION, config))["cohorts"]
    cohort = max(cohorts[:-1], key=lambda row: row["size"])
    period = case.source.randrange(min(len(cohort["values"]), 3))
    start_ms = round(datetime.fromisoformat(cohort["start"]).timestamp() * 1000)

    def period_of(at_ms: int) -> int:
        day = case.local(at_ms).date().toordinal()  # 1 is a Monday
        return day if granularity == "day" else (day - 1) // 7

    units = {unit for unit, event in first.items() if period_of(event.at_ms) == period_of(start_ms)}
    events = [
        event
        for event in case.history
        if event.name in {"a", "b"} and unit_of(event) in units and start_ms <= event.at_ms <= NOW_MS
    ]
    behind = [
        event
        for event in events
        if not period or (event.name == "b" and period_of(event.at_ms) == period_of(start_ms) + period)
    ]
    wanted = expected_differences(events, behind, unit_of=unit_of, skipped_keys=["name"])
    found = await case.find(RETENTION, config, {"cohort": cohort["start"], "period": period}, "actors")
    assert len(units) == found["of"]
    return check_found(found, wanted)


@pytest.mark.parametrize(
    ("history_count", "least_count"),
    [(FEW_HISTORIES, 0), pytest.param(MANY_HISTORIES, 5, marks=pytest.mark.long)],
)
@pytest.mark.parametrize(
    "check", [metric, formula, heatmap, histogram, funnel, retention], ids=lambda check: check.__name__
)
async def test_differences_are_what_a_plain_count_finds(
    event_store: EventStore, check: Callable[[Case], Awaitable[int]], history_count: int, least_count: int
) -> None:
    cases = [(fresh_scope(), make_history(Random(f"history {seed}")), seed) for seed in range(history_count)]
    insert_each(event_store, [(scope, history) for scope, history, _ in cases])
    count = 0
    for scope, history, seed in cases:
        count += await check(Case(event_store, scope, history, Random(f"question {seed}")))
    assert count >= least_count

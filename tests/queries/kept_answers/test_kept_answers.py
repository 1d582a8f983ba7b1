"""A question that was asked before reads only what may have changed since (rules/questions#answers-seen-again)."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.queries.slices import STRETCH_MS
from tallyroom.storage.event_store.erase import erase_actor
from tallyroom.storage.event_store.event_id import EventPosition

COUNT = {"event": "e", "measure": "count", "compare": False}
BY_TEXT = COUNT | {"breakdown": "plan"}
ACTORS = {"event": "e", "measure": "uniq_actors", "compare": False}
P95 = {"event": "e", "measure": "p95", "property": "n", "compare": False}
FUNNEL = {"steps": [{"event": "e"}, {"event": "e"}]}
RETENTION = {"cohortEvent": "e", "granularity": "week", "periods": 4}
TODAY_MS = NOW_MS // DAY_MS * DAY_MS
THIS_WEEK_COUNT = (TODAY_MS // DAY_MS + 3) % 7 + 1  # days from Monday on
COUNTS_DAYS = "AS day, count() AS event_count"  # of the query that counts the events of changed days
COUNTS_PLACES = "SELECT\n  count()\nFROM ("  # of the query before a funnel, if all workspaces have so many events


class Visits:
    """A workspace with an event a day for 60 days, and the queries that its questions cause."""

    def __init__(self, store: EventStore, monkeypatch: pytest.MonkeyPatch, *, max_bytes: int = 1_000_000) -> None:
        self.store = store
        self.scope = fresh_scope()
        self.version = 0
        self.now_ms = NOW_MS
        self.kept_answers = KeptAnswers(store.reader, max_bytes, lambda: self.version)
        self.queries: list[tuple[str, Mapping[str, Any]]] = []
        fetch_bytes = store.reader.fetch_bytes

        async def note_query(sql: str, scope: Any, parameters: Mapping[str, Any], *more: Any) -> bytes:
            self.queries.append((sql, parameters))
            return await fetch_bytes(sql, scope, parameters, *more)

        monkeypatch.setattr(store.reader, "fetch_bytes", note_query)
        self.insert(*(self.make_event(day) for day in range(60)))

    def make_event(self, days_ago: int, **more: Any) -> Happened:
        """An event at ten in the morning of a day."""
        at_ms = TODAY_MS - days_ago * DAY_MS + 10 * 60 * MINUTE_MS
        return Happened("e", at_ms, f"u{days_ago}", more or {"plan": "free"})

    def insert(self, *events: Happened) -> None:
        """Events arrive."""
        insert(self.store, self.scope, events)

    async def ask(self, config: Mapping[str, Any], time_range: Any = "30d", kind: str = "metric") -> Any:
        """The answer; `queries` has what it took, without counts of days and places."""
        self.queries.clear()
        asked = question(time_range, until_ms=self.now_ms)
        answer = await ask(self.store, self.scope, KINDS[kind], config, asked, self.kept_answers)
        self.day_count = sum(COUNTS_DAYS in sql for sql, _ in self.queries)
        self.place_count = sum(COUNTS_PLACES in sql for sql, _ in self.queries)
        is_counting = [COUNTS_DAYS in sql or COUNTS_PLACES in sql for sql, _ in self.queries]
        self.queries = [query for query, is_count in zip(self.queries, is_counting, strict=True) if not is_count]
        return answer

    def spans_read(self) -> list[tuple[int, int]]:
        """The first and the last day, in days before today, of each contiguous time that was read."""
        if not self.queries:
            return []
        [(_, parameters)] = self.queries
        starts = [value for name, value in parameters.items() if name.startswith("from_ms")]
        ends = [value for name, value in parameters.items() if name.startswith("until_ms")]
        return [
            (TODAY_MS // DAY_MS - start // DAY_MS, TODAY_MS // DAY_MS - end // DAY_MS)
            for start, end in zip(starts, ends, strict=True)
        ]


@pytest.fixture
def visits(event_store: EventStore, monkeypatch: pytest.MonkeyPatch) -> Visits:
    """A workspace that nobody has asked about."""
    return Visits(event_store, monkeypatch)


@pytest.fixture
def no_merges(event_store: EventStore) -> Iterator[None]:
    """Parts stay as they arrive; if a new part is merged before it is seen, all days of the merged part are new."""
    event_store.writer.command("SYSTEM STOP MERGES events")
    yield
    event_store.writer.command("SYSTEM START MERGES events")


async def test_the_second_look_reads_nothing_while_nothing_arrives(visits: Visits) -> None:
    visits.insert(Happened("e", NOW_MS - 30 * DAY_MS + 5), Happened("e", NOW_MS + 5))
    assert (await visits.ask(COUNT))["value"] == 31
    assert visits.spans_read() == [(30, 0)]
    visits.now_ms += 5
    assert (await visits.ask(COUNT))["value"] == 32
    visits.now_ms += MINUTE_MS
    assert (await visits.ask(COUNT))["value"] == 31
    assert (visits.spans_read(), visits.day_count) == ([], 0)


async def test_the_days_at_both_ends_are_read_again_after_ten_minutes(visits: Visits) -> None:
    await visits.ask(COUNT)
    visits.now_ms += STRETCH_MS + 1
    assert (await visits.ask(COUNT))["value"] == 30
    assert visits.spans_read() == [(30, 30), (0, 0)]


async def test_the_days_at_both_ends_are_not_kept_if_too_many_events_follow(visits: Visits) -> None:
    visits.insert(*(Happened("e", NOW_MS - 30 * DAY_MS + number * 40) for number in range(11_000)))
    for minute, lost_count in enumerate([0, 1_500]):
        visits.now_ms = NOW_MS + minute * MINUTE_MS
        assert (await visits.ask(COUNT))["value"] == 11_030 - lost_count
    assert visits.spans_read() == [(30, 30), (0, 0)]


@pytest.mark.usefixtures("no_merges")
async def test_a_late_event_costs_its_day(visits: Visits) -> None:
    await visits.ask(COUNT)
    visits.insert(visits.make_event(12))
    assert (await visits.ask(COUNT))["value"] == 31
    assert visits.spans_read() == [(12, 12)]


@pytest.mark.usefixtures("no_merges")
async def test_events_of_others_cost_a_count_of_their_days(visits: Visits) -> None:
    await visits.ask(COUNT)
    for spans_read in ([(9, 9)], [], []):
        insert(visits.store, fresh_scope(), [visits.make_event(9)])
        assert (await visits.ask(COUNT))["value"] == 30
        assert (visits.spans_read(), visits.day_count) == (spans_read, 1)


async def test_a_day_that_changes_all_the_time_is_counted_ever_less(visits: Visits) -> None:
    day_counts = []
    for minute in range(40):
        visits.insert(Happened("e", NOW_MS + minute))
        visits.now_ms = NOW_MS + minute
        assert (await visits.ask(COUNT))["value"] == 31 + minute
        day_counts.append(visits.day_count)
    assert sum(day_counts[:10]) >= 5
    assert sum(day_counts[10:]) <= 10


async def test_merges_cost_nothing(visits: Visits) -> None:
    await visits.ask(COUNT)
    visits.store.writer.command("OPTIMIZE TABLE events FINAL")
    assert (await visits.ask(COUNT))["value"] == 30
    assert (visits.spans_read(), visits.day_count) == ([], 0)


async def test_nothing_is_used_again_after_a_removal(visits: Visits) -> None:
    await visits.ask(COUNT)
    erase_actor(visits.store.writer, visits.scope, "u5")
    visits.version += 1
    assert (await visits.ask(COUNT))["value"] == 29
    assert visits.spans_read() == [(30, 0)]


async def test_a_hidden_event_does_not_count(visits: Visits) -> None:
    hidden_event = visits.make_event(7)
    visits.insert(hidden_event)
    assert (await visits.ask(COUNT))["value"] == 31
    visits.store.hidden.hide(visits.scope, EventPosition(hidden_event.at_ms, 1, hidden_event.seq))
    visits.version += 1
    assert (await visits.ask(COUNT))["value"] == 30


async def test_days_are_counted_once_after_a_block_arrived(visits: Visits) -> None:
    await visits.ask(COUNT)
    assert visits.day_count == 0
    visits.insert(visits.make_event(0))
    await visits.ask(ACTORS)
    assert visits.day_count == 1
    visits.now_ms += MINUTE_MS
    await visits.ask(ACTORS)
    assert visits.day_count == 0


async def test_labels_are_ranked_as_the_store_ranks_them(visits: Visits) -> None:
    labels = {"ä": 3, "z": 3, "a": 5, "": 3, "pro": 60}
    visits.insert(*(visits.make_event(day % 29, plan=label) for label, count in labels.items() for day in range(count)))
    first_answer = await visits.ask(BY_TEXT)
    second_answer = await visits.ask(BY_TEXT)
    assert [row["label"] for row in second_answer["rows"]] == ["pro", "free", "a", "", "z", "ä"]
    assert first_answer == second_answer
    assert visits.queries == []


async def test_sums_of_any_doubles_are_ranked_by_the_store(visits: Visits) -> None:
    visits.insert(*(visits.make_event(day, plan=f"p{day % 3}", n=1 / (day + 3)) for day in range(1, 28)))
    config = BY_TEXT | {"measure": "sum", "property": "n"}
    answers = [await visits.ask(config) for _ in range(2)]
    visits.kept_answers = KeptAnswers(visits.store.reader, 0, lambda: 0)
    assert answers == [await visits.ask(config)] * 2


async def test_a_breakdown_with_very_many_labels_is_asked_as_a_whole(visits: Visits) -> None:
    visits.insert(*(visits.make_event(1, plan=f"p{number}") for number in range(1_200)))
    answers = [await visits.ask(BY_TEXT) for _ in range(2)]
    assert answers[0] == answers[1]
    assert not any("AS slice" in sql for sql, _ in visits.queries)


@pytest.mark.parametrize("measure", ["uniq_actors", "median"])
async def test_buckets_of_any_measure_are_kept(visits: Visits, measure: str) -> None:
    config = COUNT | {"measure": measure, "overTime": True} | ({"property": "n"} if measure == "median" else {})
    visits.insert(*(visits.make_event(day, n=day) for day in range(20)))
    first_answer = await visits.ask(config)
    assert visits.spans_read() == [(30, 0)]
    assert await visits.ask(config) == first_answer
    assert visits.spans_read() == [(30, 30), (0, 0)]


@pytest.mark.usefixtures("no_merges")
async def test_an_answer_about_the_past_needs_no_query(visits: Visits) -> None:
    assert (await visits.ask(ACTORS, "last_week"))["value"] == 7
    visits.insert(visits.make_event(0))
    assert (await visits.ask(ACTORS, "last_week"))["value"] == 7
    assert visits.queries == []


async def test_a_moved_window_without_events_between_its_ends_needs_only_a_look_there(visits: Visits) -> None:
    visits.insert(*(visits.make_event(day, n=day) for day in range(20)))
    first_answer = await visits.ask(P95)
    visits.now_ms += MINUTE_MS
    assert await visits.ask(P95) == first_answer
    [(sql, _)] = visits.queries
    assert sql.startswith("SELECT count() AS counted")


async def test_a_moved_window_with_an_event_between_its_ends_is_asked_again(visits: Visits) -> None:
    visits.insert(visits.make_event(3, n=7))
    assert (await visits.ask(P95))["value"] == 7
    visits.insert(Happened("e", NOW_MS + 5, "new", {"n": 9}))
    assert (await visits.ask(P95))["value"] == 7
    visits.now_ms += MINUTE_MS
    assert (await visits.ask(P95))["value"] == 8.9


@pytest.mark.parametrize(("kind", "config"), [("metric", ACTORS), ("funnel", FUNNEL)])
async def test_a_moved_window_reads_the_events_at_its_ends(
    visits: Visits, kind: str, config: Mapping[str, Any]
) -> None:
    await visits.ask(config, kind=kind)
    assert visits.spans_read() == [(30, 0)]
    visits.now_ms += MINUTE_MS
    await visits.ask(config, kind=kind)
    assert visits.spans_read() == [(30, 30), (0, 0)]
    [(_, parameters)] = visits.queries
    assert (parameters["until_ms"] - parameters["from_ms"], parameters["until_ms_2"]) == (MINUTE_MS - 1, visits.now_ms)


@pytest.mark.usefixtures("no_merges")
@pytest.mark.parametrize(("kind", "config"), [("metric", ACTORS), ("funnel", FUNNEL)])
async def test_a_day_with_a_late_event_is_read_with_the_ends(
    visits: Visits, kind: str, config: Mapping[str, Any]
) -> None:
    await visits.ask(config, kind=kind)
    visits.insert(Happened("e", visits.make_event(12).at_ms + 1, "u11", {"plan": "free"}))
    visits.now_ms += MINUTE_MS
    answer = await visits.ask(config, kind=kind)
    assert visits.spans_read() == [(30, 30), (12, 12), (0, 0)]
    if kind == "metric":
        assert answer["value"] == 30
    else:
        assert [step["count"] for step in answer["steps"]] == [30, 1]


@pytest.mark.usefixtures("no_merges")
async def test_actors_at_the_ends_of_a_window_come_and_go(visits: Visits) -> None:
    edge_ms = NOW_MS - 30 * DAY_MS
    visits.insert(Happened("e", edge_ms, "leaves"), Happened("e", edge_ms, "stays"), Happened("e", NOW_MS, "stays"))
    assert (await visits.ask(ACTORS))["value"] == 32
    visits.now_ms += MINUTE_MS
    assert (await visits.ask(ACTORS))["value"] == 31
    visits.insert(Happened("e", visits.now_ms, "leaves"), Happened("e", visits.now_ms, "comes"))
    assert (await visits.ask(ACTORS))["value"] == 33
    assert visits.spans_read() == [(0, 0)]


async def test_a_median_of_a_moved_window_reads_its_two_open_days(visits: Visits) -> None:
    visits.insert(*(visits.make_event(day, n=day) for day in range(31)))
    config = P95 | {"measure": "median"}
    assert (await visits.ask(config))["value"] == 14.5
    visits.now_ms += MINUTE_MS
    assert (await visits.ask(config))["value"] == 14.5
    assert visits.spans_read() == [(30, 30), (0, 0)]


@pytest.mark.usefixtures("no_merges")
async def test_events_of_an_actor_at_the_same_moment_count_in_the_order_of_their_arrival(visits: Visits) -> None:
    config = {"steps": [{"event": "e"}, {"event": "f"}]}
    first, second = NOW_MS - DAY_MS, NOW_MS - 2 * DAY_MS
    visits.insert(Happened("f", first, "x1"), Happened("e", first, "x1"))
    visits.insert(Happened("e", second, "x2"), Happened("f", second, "x2"))
    assert [step["count"] for step in (await visits.ask(config, kind="funnel"))["steps"]] == [32, 1]
    visits.now_ms += MINUTE_MS
    visits.insert(Happened("f", visits.now_ms, "x3"), Happened("e", visits.now_ms, "x3"))
    visits.insert(Happened("e", visits.now_ms, "x4"), Happened("f", visits.now_ms, "x4"))
    answer = await visits.ask(config, kind="funnel")
    assert [step["count"] for step in answer["steps"]] == [34, 2]
    assert visits.spans_read() == [(30, 30), (0, 0)]


@pytest.mark.parametrize("options", [{}, {"times": True}, {"holding": "plan"}])
async def test_time_runs_out_while_nothing_happens(visits: Visits, options: dict[str, Any]) -> None:
    config: dict[str, Any] = {"steps": [{"event": "late"}, {"event": "never"}], "windowHours": 1} | options
    visits.insert(
        *(
            Happened("late", NOW_MS - minutes * MINUTE_MS, f"x{minutes}", {"plan": "free"})
            for minutes in (58, 59, 60, 61)
        )
    )
    counts = []
    for _ in range(4):
        answer = await visits.ask(config, kind="funnel")
        counts.append((answer["steps"][0]["count"], answer["steps"][0]["waiting"]))
        visits.now_ms += MINUTE_MS
    assert counts == [(4, 2), (4, 1), (4, 0), (4, 0)]


async def test_a_funnel_with_too_many_events_is_asked_as_a_whole(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    visits = Visits(event_store, monkeypatch, max_bytes=640)  # 20 events
    answer = await visits.ask(FUNNEL, kind="funnel")
    assert [step["count"] for step in answer["steps"]] == [30, 0]
    [(whole_sql, _)] = visits.queries
    assert visits.place_count == 1
    assert "groupArrayArray" not in whole_sql
    assert await visits.ask(FUNNEL, "7d", kind="funnel") is not None
    assert ["groupArrayArray" in sql for sql, _ in visits.queries] == [True]


async def test_a_funnel_whose_order_of_arrival_matters_for_very_many_actors_is_not_tried_again(
    visits: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallyroom.queries.kept_answers.unit_totals.MAX_TORN_UNITS", 1)
    visits.insert(Happened("e", NOW_MS - 5, "torn"), Happened("f", NOW_MS - 5, "torn"))
    config = {"steps": [{"event": "e"}, {"event": "f"}]}
    for query_count in (3, 2):  # in the form that is kept, by the moment, and in the order of arrival
        answer = await visits.ask(config, kind="funnel")
        assert [step["count"] for step in answer["steps"]] == [31, 1]
        assert len(visits.queries) == query_count
        visits.insert(Happened("e", NOW_MS - 4, "torn"))


async def test_retention_reads_only_the_time_after_its_last_look(visits: Visits) -> None:
    first_answer = await visits.ask(RETENTION, kind="retention")
    assert [cohort["values"][0] for cohort in first_answer["cohorts"]] == [7, 7, 7, THIS_WEEK_COUNT]
    visits.now_ms += MINUTE_MS
    assert await visits.ask(RETENTION, kind="retention") == first_answer
    assert visits.spans_read() == [(0, 0)]
    [(_, parameters)] = visits.queries
    assert (parameters["from_ms"], parameters["until_ms"]) == (NOW_MS + 1, visits.now_ms)


@pytest.mark.usefixtures("no_merges")
async def test_actors_of_retention_come_come_back_and_turn_out_to_be_older(visits: Visits) -> None:
    await visits.ask(RETENTION, kind="retention")
    visits.now_ms += MINUTE_MS
    visits.insert(Happened("e", visits.now_ms, "new"), Happened("e", visits.now_ms, "u8"))
    cohorts = (await visits.ask(RETENTION, kind="retention"))["cohorts"]
    assert [cohort["values"][0] for cohort in cohorts] == [7, 7, 7, THIS_WEEK_COUNT + 1]
    assert sum(cohort["values"][-1] for cohort in cohorts[:-1]) == 1
    visits.insert(Happened("e", TODAY_MS - 300 * DAY_MS, "new"))
    cohorts = (await visits.ask(RETENTION, kind="retention"))["cohorts"]
    assert [cohort["values"][0] for cohort in cohorts] == [7, 7, 7, THIS_WEEK_COUNT]
    assert visits.spans_read()[0] == (300, 300)


async def test_zero_megabytes_turn_it_off(event_store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    visits = Visits(event_store, monkeypatch, max_bytes=0)
    answers = [await visits.ask(COUNT) for _ in range(2)]
    assert answers[0] == answers[1]
    assert (visits.spans_read(), visits.day_count) == ([(30, 0)], 0)
    assert visits.kept_answers.cache.byte_count == 0

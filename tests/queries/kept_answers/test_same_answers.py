"""A question with kept answers is answered as a cold one is, to the last digit, whatever happens between questions.

See rules/questions#answers-seen-again.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.stores.questions import ask, question
from tallyroom.core.ranges import FixedRange, TimeRange
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.queries.question import Question
from tallyroom.storage.event_store.erase import OutdatedEvents, erase_actor, expire_events
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.removals import Removals
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import SpoolRow

RANGES: tuple[TimeRange, ...] = (
    *("24h", "7d", "30d", "90d", "all", "12mo", "ytd", "mtd", "wtd", "today"),
    *("yesterday", "last_week", "last_month"),
)
ZONES = ("UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut")
MEASURES = ("count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95")
NAMES = ("a", "b")
ROLLING_RANGES: tuple[TimeRange, ...] = ("7d", "30d", "90d")
BREAKDOWNS = ("plan", "n", "tags", "ok", "_actor", "name")
NUMBERS = (0, 1, -3, 0.1, 0.25, 19.99, 1e-9, 1 / 3, 3.5e12, 2**53 + 2, 2**60 + 1, 2**60 + 2, -0.0)
_RECENT_COUNT = 3


class World:
    """One workspace whose events come, go and are asked about, as two workers see it."""

    def __init__(self, store: EventStore, seed: int, *, is_rolling: bool = False) -> None:
        self.store = store
        self.is_rolling = is_rolling  # whether all questions are about whole rolling windows
        self.scope = fresh_scope()
        self.chance = random.Random(seed)
        self.now_ms = NOW_MS + self.chance.randrange(DAY_MS)
        self.peer_version = 0
        self.first_ms: int | None = None
        self.rows: list[SpoolRow] = []
        self.removals = Removals(store.writer, lambda: self.peer_version, self._announce)
        self.kept_answers = KeptAnswers(store.reader, 4_000_000, self.removals.local_version)
        self.recent_questions: list[tuple[str, Mapping[str, Any], dict[str, Any]]] = []

    async def _announce(self) -> None:
        self.peer_version += 1

    def insert_many(self) -> None:
        """A history of two months."""
        rows = [self._make_row(max_age_ms=60 * DAY_MS, actor_count=60) for _ in range(1_500)]
        self.rows += rows
        self.store.insert(rows)

    def insert_few(self) -> None:
        """A few events, most of them of now, by actors who are known or not."""
        max_age_ms = self.chance.choice([0, MINUTE_MS, MINUTE_MS, 3 * DAY_MS])
        rows = [self._make_row(max_age_ms=max_age_ms, actor_count=80) for _ in range(self.chance.choice([1, 3, 9]))]
        self.rows += rows
        self.store.insert(rows)

    def insert_some(self) -> None:
        """New events, late ones, and some of the future, by one worker or another."""
        rows = [self._make_row() for _ in range(self.chance.choice([1, 2, 30]))]
        self.rows += rows
        self.store.insert(rows)

    def insert_elsewhere(self) -> None:
        """Events of another environment share the days, and sometimes the parts."""
        self.store.insert([self._make_row(fresh_scope()) for _ in range(3)])

    def merge_parts(self) -> None:
        """All parts of a month become one."""
        self.store.writer.command("OPTIMIZE TABLE events FINAL")

    def fill_column(self) -> None:
        """The exact values of numbers are there for fewer months than before, or for more."""
        filled_from_ms = self.now_ms - self.chance.choice([-1, 3, 20, 400]) * DAY_MS
        self.store.reader.is_filled_from = lambda from_ms: from_ms >= filled_from_ms

    def hide_some(self) -> None:
        """Events are hidden, and others are shown again."""
        for hide_or_show in (self.store.hidden.hide, self.store.hidden.hide, self.store.hidden.show):
            row = self.chance.choice(self.rows[-40:])
            hide_or_show(self.scope, EventPosition(row.timestamp_ms, row.spool, row.seq))

    def erase_one(self) -> None:
        """An actor is erased."""
        erase_actor(self.store.writer, self.scope, f"u{self.chance.randrange(6)}")

    def expire_some(self) -> None:
        """Retention ends."""
        before_ms = self.now_ms - self.chance.randrange(20, 200) * DAY_MS
        expire_events(self.store.writer, OutdatedEvents(self.scope, before_ms, spool_id=9, last_seq=0))

    def pass_time(self) -> None:
        """The clock goes on, by a moment or by days."""
        self.now_ms += self.chance.choice([1, 997, MINUTE_MS, HOUR_MS, 7 * HOUR_MS, 2 * DAY_MS])

    def pass_some_time(self) -> None:
        """The clock goes on by less than an hour."""
        self.now_ms += self.chance.choice([1, 997, MINUTE_MS, 40 * MINUTE_MS])

    async def compare_answers(self) -> None:
        """A few questions, most of them asked before, have the same answers as without anything kept."""
        if not self.recent_questions or self.chance.random() < 0.6:
            kind_name, config = self._make_rolling_config() if self.is_rolling else self._make_config()
            options = {
                "time_range": self.chance.choice(
                    ROLLING_RANGES if self.is_rolling else [*RANGES, self._make_fixed_range()]
                ),
                "timezone": self.chance.choice(ZONES),
                "group_key": self.chance.choice([None, "plan"]),
                "interval": self.chance.choice([None, None, "day", "week", "month"]),
            }
            self.recent_questions = [*self.recent_questions[1 - _RECENT_COUNT :], (kind_name, config, options)]
        for kind_name, config, options in self.recent_questions:
            asked = self._make_question(options)
            kind = KINDS[kind_name]
            answer = await ask(self.store, self.scope, kind, config, asked, self.kept_answers)
            cold_answer = await ask(self.store, self.scope, kind, config, asked)
            assert answer == cold_answer, (kind_name, config, options, self.now_ms)

    def _make_question(self, options: dict[str, Any]) -> Question:
        first_ms = min((row.timestamp_ms for row in self.rows), default=None)
        return question(until_ms=self.now_ms, first_ms=first_ms, **options)

    def _make_fixed_range(self) -> FixedRange:
        from_ms = self.now_ms // DAY_MS * DAY_MS - self.chance.randrange(60) * DAY_MS + self.chance.choice([0, 1, 99])
        return FixedRange(from_ms, from_ms + self.chance.randrange(1, 50) * DAY_MS - self.chance.choice([0, 0, 7]))

    def _make_row(self, scope: Scope | None = None, *, max_age_ms: int | None = None, actor_count: int = 6) -> SpoolRow:
        chance = self.chance
        if max_age_ms is None:
            max_age_ms = chance.choice([0, MINUTE_MS, DAY_MS, 5 * DAY_MS, 40 * DAY_MS, 200 * DAY_MS])
        at_ms = self.now_ms - chance.randrange(max_age_ms + 1) + chance.choice([0, 0, 0, 90_000])
        if chance.random() < 0.2:
            at_ms = at_ms // DAY_MS * DAY_MS - chance.randrange(2)
        properties = [
            f'"n":{chance.choice(NUMBERS)!r}',
            f'"plan":"{chance.choice(["free", "pro", "ä", ""])}"',
            f'"tags":["{chance.choice("xyz")}","{chance.choice("xyz")}"]',
            f'"ok":{chance.choice(["true", "false"])}',
        ]
        text = "{" + ",".join(part for part in properties if chance.random() < 0.8) + "}"
        return event(
            scope or self.scope,
            chance.choice(NAMES),
            actor=chance.choice(["", *(f"u{number}" for number in range(actor_count))]),
            properties=text.encode(),
            timestamp_ms=at_ms,
            spool=chance.choice([1, 2]),
        )

    def _make_measure(self, *, measures: tuple[str, ...] = MEASURES) -> dict[str, Any]:
        measure = self.chance.choice(measures)
        config: dict[str, Any] = {"event": self.chance.choice(NAMES), "measure": measure}
        if measure not in {"count", "uniq_actors"}:
            config["property"] = self.chance.choice(["n", "plan", "tags", "_actor"]) if measure == "uniq" else "n"
        if self.chance.random() < 0.2:
            config["filters"] = [{"key": "plan", "op": "neq", "value": "pro"}]
        return config

    def _make_config(self) -> tuple[str, Mapping[str, Any]]:
        makers: list[Callable[[], tuple[str, Mapping[str, Any]]]] = [
            *[self._make_metric] * 4,
            *[self._make_formula] * 2,
            self._make_kpi,
            self._make_other,
        ]
        return self.chance.choice(makers)()

    def _make_shape(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"overTime": self.chance.random() < 0.6}
        if self.chance.random() < 0.6:
            shape |= {"breakdown": self.chance.choice(BREAKDOWNS), "limit": self.chance.choice([1, 2, 50])}
        if shape["overTime"] or "breakdown" not in shape:
            shape["compare"] = self.chance.choice([False, True, {"shift": "7d"}, {"shift": "1mo"}])
        return shape

    def _make_metric(self) -> tuple[str, Mapping[str, Any]]:
        shape = self._make_shape()
        rest = {"rest": self.chance.choice(["none", "other", "both"])} if "breakdown" in shape else {}
        return "metric", self._make_measure() | shape | rest

    def _make_formula(self) -> tuple[str, Mapping[str, Any]]:
        expression = self.chance.choice(["a / b", "a - b * 2", "(a + b) / 3"])
        return "formula", {"a": self._make_measure(), "b": self._make_measure(), "expression": expression} | (
            self._make_shape()
        )

    def _make_kpi(self) -> tuple[str, Mapping[str, Any]]:
        items = [self._make_measure() for _ in range(3)]
        return "kpi", {"items": items, "sparklines": self.chance.random() < 0.5}

    def _make_rolling_config(self) -> tuple[str, Mapping[str, Any]]:
        """One of the questions whose answers move with their window."""
        measures = ("uniq", "uniq_actors", "median")
        match self.chance.randrange(5):
            case 0:
                compare = self.chance.choice([False, True, {"shift": "7d"}, {"shift": "1mo"}])
                return "metric", self._make_measure(measures=measures) | {"compare": compare}
            case 1:
                return "kpi", {"items": [self._make_measure(measures=(*measures, "count", "p95")) for _ in range(4)]}
            case 2:
                return "retention", self._make_retention()
            case _:
                return "funnel", self._make_plain_funnel()

    def _make_plain_funnel(self) -> Mapping[str, Any]:
        step_filters: list[list[Any]] = [[], [], [{"key": "plan", "op": "neq", "value": "pro"}]]
        return {
            "steps": [
                {"event": self.chance.choice(NAMES), "filters": self.chance.choice(step_filters)}
                for _ in range(self.chance.choice([2, 2, 3, 5]))
            ],
            "windowHours": self.chance.choice([1, 24, 168, 720]),
            "windowFrom": self.chance.choice(["previous", "first"]),
            "count": self.chance.choice(["actor", "actor", "group"]),
        }

    def _make_retention(self) -> Mapping[str, Any]:
        filters = [{"key": "plan", "op": "neq", "value": "pro"}]
        return {
            "cohortEvent": self.chance.choice(NAMES),
            "granularity": self.chance.choice(["day", "week", "month"]),
            "periods": self.chance.choice([2, 8, 12]),
            "count": self.chance.choice(["actor", "actor", "group"]),
            "cohortFilters": self.chance.choice([[], [], filters]),
            **self.chance.choice([{}, {"returnEvent": "b"}, {"returnEvent": "a", "returnFilters": filters}]),
        }

    def _make_other(self) -> tuple[str, Mapping[str, Any]]:
        configs: list[tuple[str, Mapping[str, Any]]] = [
            ("heatmap", {"events": "all"}),
            ("histogram", {"event": "a", "property": "n", "buckets": 5, "percentiles": True}),
            ("table", {"columns": ["time", "event", "actor", "prop:n"], "rows": 7}),
            ("funnel", {"steps": [{"event": "a"}, {"event": "b"}], "breakdown": "plan"}),
            ("funnel", {"steps": [{"event": "a"}, {"event": "b"}, {"event": "a"}], "times": True}),
            ("funnel", self._make_plain_funnel()),
            ("retention", self._make_retention()),
        ]
        return self.chance.choice(configs)


@pytest.fixture(autouse=True)
def restored_reader(event_store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test says of filled months ends with it."""
    monkeypatch.setattr(event_store.reader, "is_filled_from", event_store.reader.is_filled_from)


async def play(store: EventStore, seed: int, round_count: int) -> World:
    """Let anything happen, and ask several questions after each."""
    world = World(store, seed)
    world.insert_some()
    for _ in range(round_count):
        happen = world.chance.choices(
            [
                *(world.insert_some, world.pass_time, world.hide_some, world.erase_one, world.expire_some),
                *(world.insert_elsewhere, world.merge_parts, world.fill_column),
            ],
            [6, 8, 5, 1, 0.5, 2, 1, 1],
        )[0]
        happen()
        await world.compare_answers()
    return world


async def roll(store: EventStore, seed: int, round_count: int) -> World:
    """Let little happen to a long history, and ask about its last days."""
    world = World(store, seed, is_rolling=True)
    world.insert_many()
    for _ in range(round_count):
        happen = world.chance.choices(
            [
                *(world.insert_few, world.pass_some_time, world.pass_time, world.hide_some, world.erase_one),
                *(world.insert_elsewhere, world.merge_parts, world.fill_column),
            ],
            [6, 8, 1, 0.3, 0.3, 1, 0.5, 0.3],
        )[0]
        happen()
        await world.compare_answers()
    return world


async def test_answers_are_those_of_a_cold_question(event_store: EventStore) -> None:
    world = await play(event_store, 7, 18)
    assert world.kept_answers.cache.hit_count > 50


async def test_answers_of_rolling_windows_are_those_of_a_cold_question(event_store: EventStore) -> None:
    world = await roll(event_store, 7, 15)
    assert world.kept_answers.cache.hit_count > 30


@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("seed", range(20))
async def test_answers_of_rolling_windows_are_those_of_a_cold_question_in_long(
    event_store: EventStore, seed: int
) -> None:
    await roll(event_store, seed, 100)


@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("seed", range(20))
async def test_answers_are_those_of_a_cold_question_in_long(event_store: EventStore, seed: int) -> None:
    await play(event_store, seed, 100)

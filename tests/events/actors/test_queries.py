"""The actor list and detail equal a plain recount of random events (rules/actors-and-groups#actor-list)."""

import random
from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.stores.questions import rolling_windows
from harness.suite.few import few
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.paging import encode_cursor
from tallyroom.core.ranges import RANGE_DURATION_MS, RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.events.activity_list import ActivityListQuestion
from tallyroom.events.actors.schemas import ActorDetail, ActorListPosition
from tallyroom.events.actors.service import Actors
from tallyroom.queries.activity import ActorRow
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import SpoolRow

HOUR = 3_600_000
ACTORS = ["", "a", "A", "ann", "Ann", "b%", "it's", "é", "Ж", "a/b", "😀", "10", "9", "\\", "a\tb"]
LABELS = ["", "", "Ann", "anna", "Жанна", "x", "%", "it's", "Z😀"]
# Offsets from now: ties, the edges of every range, one millisecond on either side of them, the future, long ago.
OFFSETS = [
    0,
    1,
    2,
    HOUR // 2,
    *(edge + d for edge in RANGE_DURATION_MS.values() for d in (-1, 0, 1)),
    400 * 24 * HOUR,
    -1,
    -HOUR,
]


def random_events(seed: int, scopes: list[Scope]) -> list[SpoolRow]:
    chance = random.Random(seed)
    return [
        event(
            chance.choice(scopes),
            chance.choice(["opened", "closed"]),
            actor=chance.choice(ACTORS),
            label=chance.choice(LABELS),
            source=chance.choice(["", "web"]),
            properties=b'{"n": %d}' % number,
            timestamp_ms=NOW_MS - chance.choice(OFFSETS),
            received_ms=NOW_MS + chance.choice([0, 0, 1]),
            spool=chance.choice([1, 2]),
        )
        for number in range(600)
    ]


class Oracle:
    """The answers, counted by hand."""

    def __init__(self, rows: list[SpoolRow], scope: Scope) -> None:
        self.rows = [
            row for row in rows if (row.workspace_id, row.environment) == (scope.workspace_id, scope.environment)
        ]

    @staticmethod
    def position(row: SpoolRow) -> tuple[int, int, int, int]:
        return row.timestamp_ms, row.received_ms, row.spool, row.seq

    def label(self, actor: str) -> str | None:
        labelled = [row for row in self.rows if row.actor == actor and row.actor_label]
        return max(labelled, key=self.position).actor_label if labelled else None

    def in_range(self, time_range: RollingRange) -> list[SpoolRow]:
        return [row for row in self.rows if NOW_MS - RANGE_DURATION_MS[time_range] <= row.timestamp_ms <= NOW_MS]

    def actors(self, time_range: RollingRange, q: str | None = None) -> list[ActorRow]:
        found: dict[str, list[int]] = {}
        for row in self.in_range(time_range):
            if row.actor:
                found.setdefault(row.actor, []).append(row.timestamp_ms)
        rows = [
            ActorRow(actor, self.label(actor), len(times), iso_ms(min(times)), iso_ms(max(times)))
            for actor, times in found.items()
            if not q or q.lower() in actor.lower() or q.lower() in (self.label(actor) or "").lower()
        ]
        return sorted(rows, key=lambda row: (-row.event_count, row.actor_key))

    def timeline(self, time_range: RollingRange, actor: str) -> list[tuple[str, str, str | None, bytes]]:
        newest = sorted(
            (row for row in self.in_range(time_range) if row.actor == actor), key=self.position, reverse=True
        )
        return [(row.name, iso_ms(row.timestamp_ms), row.source or None, bytes(row.properties)) for row in newest[:100]]


def named(q: str | None) -> ActivityListQuestion:
    """Which actors have a text in their key or label, busiest first."""
    return ActivityListQuestion(search_text=q or "")


class Scene:
    def __init__(self, event_store: EventStore, clock: Any, seed: int = 1) -> None:
        self.actors = Actors(event_store.reader, rolling_windows(event_store), clock)
        one = fresh_scope()
        self.scopes = [one, Scope(one.workspace_id, "development"), fresh_scope()]
        rows = random_events(seed, self.scopes)
        for at in range(0, len(rows), 200):
            event_store.insert(rows[at : at + 200])
        self.oracles = [Oracle(rows, scope) for scope in self.scopes]

    async def pages(self, scope: Scope, time_range: RollingRange, limit: int, q: str | None) -> list[list[ActorRow]]:
        pages, cursor = [], None
        while True:
            page = await self.actors.list_actors(scope, time_range, named(q), limit, cursor)
            pages.append(page.actors)
            cursor = page.next
            if cursor is None:
                return pages


@pytest.fixture(scope="module")
def scene(event_store: EventStore) -> Scene:
    return Scene(event_store, StillClock())


class StillClock:
    def now_ms(self) -> int:
        return NOW_MS

    def monotonic(self) -> float:
        return 0.0


@pytest.mark.long
@pytest.mark.parametrize("time_range", RANGE_DURATION_MS)
async def test_the_list_is_the_recount_in_every_range_and_environment(scene: Scene, time_range: RollingRange) -> None:
    for scope, oracle in zip(scene.scopes, scene.oracles, strict=True):
        page = await scene.actors.list_actors(scope, time_range, named(None), 200, None)
        assert page.actors == oracle.actors(time_range)
        assert page.next is None


@few(2, ("limit", "q"), product([3, 1, 7, 200], [None, "a"]))
async def test_pages_are_full_and_together_the_whole_list(scene: Scene, limit: int, q: str | None) -> None:
    expected = scene.oracles[0].actors("30d", q)
    pages = await scene.pages(scene.scopes[0], "30d", limit, q)
    assert [row for page in pages for row in page] == expected
    assert all(len(page) == limit for page in pages[:-1])
    assert pages[-1]


@few(2, "q", ["a", "AN", "ж", "%", "_", "'", "\\", "\t", "😀", "nobody", "1", "жАНна", ""])
async def test_q_finds_in_keys_and_newest_labels_without_regard_to_case(scene: Scene, q: str) -> None:
    page = await scene.actors.list_actors(scene.scopes[0], "90d", named(q), 200, None)
    assert page.actors == scene.oracles[0].actors("90d", q)


@pytest.mark.long
@pytest.mark.parametrize("time_range", ["1h", "90d"])
async def test_the_detail_is_the_recount(scene: Scene, time_range: RollingRange) -> None:
    scope, oracle = scene.scopes[0], scene.oracles[0]
    for row in oracle.actors(time_range):
        found = await scene.actors.find_actor(scope, time_range, row.actor_key)
        assert timeline(found) == oracle.timeline(time_range, row.actor_key)
        assert [getattr(found, field) for field in ActorRow.__struct_fields__] == list(msgspec.structs.astuple(row))


def timeline(found: ActorDetail) -> list[tuple[str, str, str | None, bytes]]:
    return [(moment.name, moment.timestamp, moment.source, bytes(moment.properties)) for moment in found.timeline]


@pytest.mark.parametrize("actor", ["", "nobody", "ANN", "x"])
async def test_who_has_no_event_in_the_range_is_not_found(scene: Scene, actor: str) -> None:
    with pytest.raises(NotFound):
        await scene.actors.find_actor(scene.scopes[0], "90d", actor)


async def test_the_timeline_is_the_newest_hundred(event_store: EventStore) -> None:
    actors = Actors(event_store.reader, rolling_windows(event_store), StillClock())
    scope = fresh_scope()
    rows = [event(scope, f"e{number}", actor="busy") for number in range(150)]  # all in the same millisecond
    event_store.insert(rows[75:])
    event_store.insert(rows[:75])
    found = await actors.find_actor(scope, "1h", "busy")
    assert [moment.name for moment in found.timeline] == [f"e{number}" for number in range(149, 49, -1)]
    assert found.event_count == 150


async def test_the_label_is_the_newest_ever_whatever_arrived_last(event_store: EventStore) -> None:
    actors = Actors(event_store.reader, rolling_windows(event_store), StillClock())
    scope = fresh_scope()
    event_store.insert([event(scope, actor="ann", label="newest", timestamp_ms=NOW_MS + HOUR)])
    event_store.insert([event(scope, actor="ann", label="late but old", timestamp_ms=NOW_MS - 1)])
    event_store.insert([event(scope, actor="ann", timestamp_ms=NOW_MS)])
    page = await actors.list_actors(scope, "1h", named(None), 10, None)
    assert [(row.label, row.event_count) for row in page.actors] == [("newest", 2)]


async def test_pages_fit_together_while_events_come_in(event_store: EventStore, fake_clock: Any) -> None:
    scene = Scene(event_store, fake_clock, seed=2)
    scope = scene.scopes[0]
    expected = scene.oracles[0].actors("24h")
    first = await scene.actors.list_actors(scope, "24h", named(None), 4, None)
    fake_clock.advance(60)
    event_store.insert([event(scope, actor="newcomer", timestamp_ms=NOW_MS + 30_000) for _ in range(999)])
    rest = await scene.actors.list_actors(scope, "24h", named(None), 200, first.next)
    assert first.actors + rest.actors == expected


def cursor_of(scope: Scope, position: Any) -> str:
    """What a client makes who has seen through the form of a cursor."""
    question = named(None).cursor_parts()
    return encode_cursor(position, ("actors", scope.workspace_id, scope.environment, "7d", *question))


FOREIGN: list[Any] = [
    [],
    {},
    None,
    1,
    [1],
    [1, 2],
    [1, 2, 3],
    ["a", 1, "a"],
    [1.5, 1, "a"],
    [1, 1, "a", 1],
    [[1, 1, "a"]],
]
FOREIGN += [[until, count, "a"] for until, count in ((-1, 1), (1, -1), (2**63, 1), (1, 2**63), (4_102_444_800_001, 1))]


@pytest.mark.parametrize("position", FOREIGN, ids=str)
async def test_a_cursor_that_holds_anything_else_is_refused(scene: Scene, position: Any) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await scene.actors.list_actors(scene.scopes[0], "7d", named(None), 10, cursor_of(scene.scopes[0], position))
    assert refused.value.details[0].path == ["cursor"]


@few(2, "key", ["", "\0", "a\0b", "'", "\\", "{q:String}", "x" * 5000], ids=lambda key: ascii(key)[:20])
@pytest.mark.parametrize("until_ms", [0, NOW_MS, 4_102_444_800_000])
async def test_a_made_up_cursor_shows_nothing_of_anybody_else(scene: Scene, until_ms: int, key: str) -> None:
    scope, own = scene.scopes[0], Counter(row.actor for row in scene.oracles[0].rows)
    page = await scene.actors.list_actors(
        scope, "7d", named(None), 200, cursor_of(scope, ActorListPosition(until_ms, 2**63 - 1, key))
    )
    assert all(row.event_count <= own[row.actor_key] for row in page.actors)
    assert bool(page.actors) is (until_ms == NOW_MS)

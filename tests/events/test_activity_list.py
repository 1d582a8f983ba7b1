"""Lists of actors and groups equal a plain recount, however sorted, filtered and paged.

The rules are rules/actors-and-groups#actor-list and rules/actors-and-groups#group-list.
"""

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import msgspec
import pytest

from harness.oracles.filters import matching
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, in_window, insert, rolling_windows
from harness.suite.few import few
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.times import iso_ms
from tallyroom.events.activity_list import SORT_COLUMNS, ActivityListQuestion, ActorSort
from tallyroom.events.actors.service import Actors
from tallyroom.events.groups.queries import GroupQueries
from tallyroom.events.groups.schemas import GroupActivityRow
from tallyroom.events.selection import EventSelection
from tallyroom.queries.activity import ActorRow
from tallyroom.queries.filters import Filter
from tallyroom.queries.time_ranges import resolve_window
from tallyroom.storage.event_store.scope import Scope

HOUR = 3_600_000
ACTORS = ["", "ann", "Ann", "bob", "b%", "é", "😀", "9", "10"]
TEAMS = ["", "acme", "Acme", "north", "it's", "😀"]
# Offsets from now: ties, both ends of seven days, and one millisecond beyond each.
OFFSETS = [0, 0, 1, HOUR, HOUR, 24 * HOUR, 6 * 24 * HOUR, 7 * 24 * HOUR, 7 * 24 * HOUR + 1, -1]
SORTS: list[ActorSort] = ["events", "lastSeen", "firstSeen"]
FILTERS: list[list[dict[str, Any]]] = [
    [],
    [{"key": "name", "op": "eq", "value": "opened"}],
    [{"key": "n", "op": "gte", "value": 2}, {"key": "plan", "op": "in", "value": ["pro", "free"]}],
    [{"any": [{"key": "plan", "op": "eq", "value": "pro"}, {"key": "n", "op": "eq", "value": 0}]}],
    [{"key": "plan", "op": "regex", "value": "^f"}],
    [{"key": "tags", "op": "has", "value": "x"}],
    [{"key": "_actor", "op": "starts_with", "value": "a"}],
    [{"key": "plan", "op": "not_exists"}],
    [{"key": "plan", "op": "eq", "value": "no such plan"}],
]


def random_events(seed: int) -> list[Happened]:
    chance = random.Random(seed)

    def properties() -> dict[str, Any]:
        values = {"plan": chance.choice(["pro", "free", "none"]), "n": chance.randrange(4), "tags": ["x", "y"]}
        values["team"] = chance.choice(TEAMS)
        return {key: value for key, value in values.items() if chance.random() < 0.7}

    return [
        Happened(
            chance.choice(["opened", "closed"]),
            NOW_MS - chance.choice(OFFSETS),
            chance.choice(ACTORS),
            properties(),
            chance.choice(["", "", "Anna", "Bobby"]),
        )
        for _ in range(300)
    ]


class Recount:
    """The rows of a list, counted by hand."""

    def __init__(self, events: list[Happened], unit_of: Callable[[Happened], str]) -> None:
        self.events = events
        self.unit_of = unit_of

    def label(self, actor: str) -> str | None:
        labelled = [event for event in self.events if event.actor == actor and event.label]
        return max(labelled, key=lambda event: event.order).label if labelled else None

    def rows(self, filters: list[dict[str, Any]], q: str, sort: ActorSort) -> list[tuple[str, int, int, int]]:
        """Keys with event counts, first and last times."""
        times: dict[str, list[int]] = {}
        for event in matching(in_window(self.events, "7d"), filters):
            if unit := self.unit_of(event):
                times.setdefault(unit, []).append(event.at_ms)
        rows = [(unit, len(at), min(at), max(at)) for unit, at in times.items() if self.matches_text(unit, q)]
        by_key = sorted(rows)
        return sorted(
            by_key, key=lambda row: {"events": row[1], "firstSeen": row[2], "lastSeen": row[3]}[sort], reverse=True
        )

    def matches_text(self, unit: str, q: str) -> bool:
        return any(q.lower() in name.lower() for name in (unit, self.label(unit) or ""))


class Scene:
    """Random events, and the lists of their actors and teams."""

    def __init__(self, event_store: EventStore) -> None:
        self.scope, self.store = fresh_scope(), event_store
        self.events = random_events(1)
        insert(event_store, self.scope, self.events)
        insert(event_store, Scope(self.scope.workspace_id, "development"), random_events(2))
        self.actors = Actors(event_store.reader, rolling_windows(event_store), StillClock())

    async def actor_pages(self, question: ActivityListQuestion, limit: int) -> list[list[ActorRow]]:
        pages, cursor = [], None
        while True:
            page = await self.actors.list_actors(self.scope, "7d", question, limit, cursor)
            pages.append(page.actors)
            cursor = page.next
            if cursor is None:
                return pages

    async def group_rows(self, question: ActivityListQuestion, limit: int) -> list[GroupActivityRow]:
        """Return all rows, read page by page."""
        queries = GroupQueries(self.store.reader, self.scope, resolve_window("7d", NOW_MS, "UTC", None), "team")
        rows = await queries.find_groups(question, limit, None)
        page = rows
        while len(page) == limit:
            page = await queries.find_groups(question, limit, page[-1].build_position(NOW_MS, question.sort_column))
            rows = rows + page
        return rows


class StillClock:
    def now_ms(self) -> int:
        return NOW_MS

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture(scope="module")
def scene(event_store: EventStore) -> Scene:
    return Scene(event_store)


def question_of(filters: list[dict[str, Any]], q: str = "", sort: ActorSort = "events") -> ActivityListQuestion:
    return ActivityListQuestion(EventSelection(filters=msgspec.convert(filters, tuple[Filter, ...])), q, sort)


@few(9, ("sort", "filters"), product(SORTS, FILTERS))
@pytest.mark.parametrize(("limit", "q"), [(200, ""), (2, ""), (3, "a")])
async def test_actors_are_the_recount(
    scene: Scene, sort: ActorSort, filters: list[dict[str, Any]], limit: int, q: str
) -> None:
    recount = Recount(scene.events, lambda event: event.actor)
    pages = await scene.actor_pages(question_of(filters, q, sort), limit)
    assert [row for page in pages for row in page] == [
        ActorRow(actor, recount.label(actor), count, iso_ms(first_ms), iso_ms(last_ms))
        for actor, count, first_ms, last_ms in recount.rows(filters, q, sort)
    ]
    assert all(len(page) == limit for page in pages[:-1])


@few(6, ("sort", "filters"), product(["events", "lastSeen"], FILTERS))
@pytest.mark.parametrize(("limit", "q"), [(200, ""), (2, ""), (1, "a")])
async def test_groups_are_the_recount(
    scene: Scene, sort: ActorSort, filters: list[dict[str, Any]], limit: int, q: str
) -> None:
    recount = Recount(scene.events, team_of)
    rows = await scene.group_rows(question_of(filters, q, sort), limit)
    assert [(row.group_key, row.event_count, row.last_ms) for row in rows] == [
        (team, count, last_ms) for team, count, _, last_ms in recount.rows(filters, q, sort)
    ]


def team_of(event: Happened) -> str:
    return str(event.properties.get("team", ""))


async def test_a_label_is_the_newest_ever_although_the_filters_leave_its_event_out(event_store: EventStore) -> None:
    scope = fresh_scope()
    actors = Actors(event_store.reader, rolling_windows(event_store), StillClock())
    counted = Happened("paid", NOW_MS - 2, "ann", {"plan": "pro"}, "Ann")
    insert(event_store, scope, [counted, Happened("left", NOW_MS - 1, "ann", {}, "Ann Lee")])
    page = await actors.list_actors(scope, "7d", question_of([{"key": "plan", "op": "exists"}]), 10, None)
    assert page.actors == [ActorRow("ann", "Ann Lee", 1, iso_ms(NOW_MS - 2), iso_ms(NOW_MS - 2))]


@few(3, ("sort", "other"), [(sort, other) for sort, other in product(SORTS, SORTS) if sort != other])
async def test_a_cursor_of_another_sort_is_refused(scene: Scene, sort: ActorSort, other: ActorSort) -> None:
    cursor = (await scene.actors.list_actors(scene.scope, "7d", question_of([], sort=sort), 1, None)).next
    with pytest.raises(ValidationFailed) as refused:
        await scene.actors.list_actors(scene.scope, "7d", question_of([], sort=other), 1, cursor)
    assert refused.value.details[0].path == ["cursor"]


async def test_a_cursor_of_other_filters_is_refused(scene: Scene) -> None:
    cursor = (await scene.actors.list_actors(scene.scope, "7d", question_of([]), 1, None)).next
    with pytest.raises(ValidationFailed):
        await scene.actors.list_actors(scene.scope, "7d", question_of(FILTERS[1]), 1, cursor)


@pytest.mark.parametrize("sort", SORTS)
async def test_pages_fit_together_while_events_arrive(
    event_store: EventStore, fake_clock: Any, sort: ActorSort
) -> None:
    scope = fresh_scope()
    actors = Actors(event_store.reader, rolling_windows(event_store), fake_clock)
    insert(event_store, scope, [Happened("x", NOW_MS - number // 2, f"a{number % 9}") for number in range(30)])
    whole = await actors.list_actors(scope, "1h", question_of([], sort=sort), 200, None)
    first = await actors.list_actors(scope, "1h", question_of([], sort=sort), 4, None)
    fake_clock.advance(60)
    insert(event_store, scope, [Happened("x", NOW_MS + 30_000, f"a{number}") for number in range(20)])
    rest = await actors.list_actors(scope, "1h", question_of([], sort=sort), 200, first.next)
    assert first.actors + rest.actors == whole.actors


def test_a_cursor_of_the_list_as_it_always_was_is_valid_in_both_versions_during_an_upgrade() -> None:
    assert ActivityListQuestion(search_text="ann").cursor_parts() == ("ann",)
    assert len({ActivityListQuestion(sort=sort).cursor_parts() for sort in SORT_COLUMNS}) == len(SORT_COLUMNS)

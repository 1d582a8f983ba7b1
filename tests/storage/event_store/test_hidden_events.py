"""A hidden event is in no read, label or search until it is shown."""

import threading
from typing import Any

import msgspec
import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.suite.few import few
from harness.suite.patience import until
from tallyroom.storage.event_store.erase import erase_actor
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.labels import ACTORS_BY_LABEL, LABELS, Label
from tallyroom.storage.event_store.scope import Scope


class Name(msgspec.Struct):
    name: str


class Actor(msgspec.Struct):
    actor: str


async def names(store: EventStore, scope: Scope) -> list[str]:
    rows = await store.reader.fetch_rows("SELECT name FROM events WHERE {scope} ORDER BY seq", scope, {}, Name)
    return [row.name for row in rows]


async def labels(store: EventStore, scope: Scope) -> dict[str, str]:
    rows = await store.reader.fetch_rows(LABELS, scope, {"actors": ["a", "b"]}, Label)
    return {row.actor: row.label for row in rows}


def position(seq: int) -> EventPosition:
    return EventPosition(NOW_MS + seq, 1, seq)


def three(scope: Scope) -> list[Any]:
    return [
        event(scope, "one", actor="a", label="Old", timestamp_ms=NOW_MS + 1, seq=1),
        event(scope, "two", actor="a", label="New", timestamp_ms=NOW_MS + 2, seq=2),
        event(scope, "three", actor="b", label="Bea", timestamp_ms=NOW_MS + 3, seq=3),
    ]


@pytest.mark.long
async def test_a_hidden_event_is_in_no_read_until_it_is_shown(event_store: EventStore) -> None:
    scope, other = fresh_scope(), fresh_scope()
    event_store.insert([*three(scope), *three(other)])
    hidden = event_store.hidden
    assert hidden.hide(scope, position(2))
    assert hidden.hide(scope, position(2))  # twice is once
    assert await names(event_store, scope) == ["one", "three"]
    assert await names(event_store, other) == ["one", "two", "three"]
    assert hidden.show(scope, position(2))
    assert hidden.show(scope, position(2))
    assert await names(event_store, scope) == ["one", "two", "three"]


@pytest.mark.long
async def test_the_label_of_a_hidden_event_is_the_newest_that_is_left(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(three(scope))
    assert await labels(event_store, scope) == {"a": "New", "b": "Bea"}
    event_store.hidden.hide(scope, position(2))
    assert await labels(event_store, scope) == {"a": "Old", "b": "Bea"}
    event_store.hidden.hide(scope, position(1))
    assert await labels(event_store, scope) == {"b": "Bea"}
    event_store.hidden.show(scope, position(2))
    assert await labels(event_store, scope) == {"a": "New", "b": "Bea"}


async def test_nobody_is_found_by_a_hidden_label(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(three(scope))
    event_store.hidden.hide(scope, position(2))
    assert await event_store.reader.fetch_rows(ACTORS_BY_LABEL, scope, {"q": "new"}, Actor) == []
    assert await event_store.reader.fetch_rows(ACTORS_BY_LABEL, scope, {"q": "old"}, Actor) == [Actor("a")]


@few(
    2,
    "wrong",
    [
        EventPosition(NOW_MS + 2, 1, 3),
        EventPosition(NOW_MS + 2, 2, 2),
        EventPosition(NOW_MS + 3, 1, 2),
        EventPosition(0, 0, 0),
    ],
)
def test_there_is_no_such_event(event_store: EventStore, wrong: EventPosition) -> None:
    scope = fresh_scope()
    event_store.insert(three(scope))
    assert not event_store.hidden.hide(scope, wrong)
    assert not event_store.hidden.show(scope, wrong)
    assert not event_store.hidden.has_hidden_events(scope)


def test_another_workspaces_event_is_not_there(event_store: EventStore) -> None:
    scope, other = fresh_scope(), fresh_scope()
    event_store.insert(three(other))
    assert not event_store.hidden.hide(scope, position(2))


def test_it_is_known_after_a_restart(event_store: EventStore) -> None:
    scope = fresh_scope("a-place")
    event_store.insert(three(scope))
    event_store.hidden.hide(scope, position(2))
    again = HiddenEvents(event_store.writer)
    assert again.has_hidden_events(scope)
    assert not again.has_hidden_events(fresh_scope("a-place"))


class Numbers:
    """What a worker knows of others; `hears` says whether it hears of them at all."""

    def __init__(self) -> None:
        self.number = 0
        self.hears = True

    def __call__(self) -> int:
        self.number += not self.hears
        return self.number


async def test_what_another_worker_has_hidden_is_in_no_read_as_soon_as_its_number_moves(
    event_store: EventStore,
) -> None:
    scope, empty, numbers = fresh_scope(), fresh_scope(), Numbers()
    event_store.insert(three(scope))
    other = HiddenEvents(event_store.writer, numbers)
    event_store.hidden.hide(scope, position(2))
    assert not other.has_hidden_events(scope)
    numbers.number += 1
    assert other.has_hidden_events(scope)
    await until(lambda: not other.has_hidden_events(empty))  # it has read again
    assert other.has_hidden_events(scope)


async def test_a_worker_that_hears_of_nobody_expects_hidden_events_everywhere(event_store: EventStore) -> None:
    scope, numbers = fresh_scope(), Numbers()
    other = HiddenEvents(event_store.writer, numbers)
    assert not other.has_hidden_events(scope)
    numbers.hears = False
    assert all(other.has_hidden_events(scope) for _ in range(5))
    numbers.hears = True
    await until(lambda: not other.has_hidden_events(scope))


async def test_what_could_not_be_read_is_read_at_the_next_question(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope, numbers, failed = fresh_scope(), Numbers(), threading.Event()
    other = HiddenEvents(event_store.writer, numbers)

    def fail() -> None:
        failed.set()
        raise StoreError("it is away")

    monkeypatch.setattr(other, "_read_scopes", fail)
    numbers.number += 1
    assert other.has_hidden_events(scope)
    await until(failed.is_set)
    monkeypatch.undo()
    assert other.has_hidden_events(scope)
    await until(lambda: not other.has_hidden_events(scope))


def test_hiding_again_tells_again_for_whoever_died_before_it_told(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(three(scope))
    event_store.hidden.hide(scope, position(2))
    died = event_store.writer.removal_generation
    numbers = Numbers()
    other = HiddenEvents(event_store.writer, numbers)
    assert other.hide(scope, position(2))
    assert event_store.writer.removal_generation > died
    assert other.has_hidden_events(scope)


@pytest.mark.long
@pytest.mark.usefixtures("emptied_store")
async def test_an_erased_actor_leaves_nothing_among_the_hidden(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(three(scope))
    event_store.hidden.hide(scope, position(2))
    assert erase_actor(event_store.writer, scope, "a") == 2
    assert event_store.select("SELECT actor FROM hidden_events WHERE {scope}", scope) == []


async def test_all_of_a_scope_may_be_hidden(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(three(scope))
    for seq in (1, 2, 3):
        event_store.hidden.hide(scope, position(seq))
    assert await names(event_store, scope) == []
    assert await labels(event_store, scope) == {}

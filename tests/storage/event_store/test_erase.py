"""An actor is gone from one environment, or all of it is, and nobody else is touched."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, lines
from tallyroom.storage.event_store.erase import OutdatedEvents, erase_actor, erase_environment, expire_events
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.scope import Scope

pytestmark = pytest.mark.usefixtures("emptied_store")

ACTORS = "SELECT actor, count() FROM events WHERE {scope} GROUP BY actor ORDER BY actor"
LABELS = (
    "SELECT actor, tupleElement(max(newest), 'label') FROM actor_labels WHERE {scope} GROUP BY actor ORDER BY actor"
)


@pytest.mark.long
def test_events_of_every_month_and_the_label_go_and_are_counted(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(
        [
            event(scope, actor="ann", label="Ann", timestamp_ms=0),
            event(scope, actor="ann"),
            event(scope, actor="ann"),
            event(scope, actor="Ann", label="another"),
            event(scope),
        ]
    )
    assert erase_actor(event_store.writer, scope, "ann") == 3
    assert event_store.select(ACTORS, scope) == [["", 1], ["Ann", 1]]
    assert event_store.select(LABELS, scope) == [["Ann", "another"]]
    assert erase_actor(event_store.writer, scope, "ann") == 0


@pytest.mark.long
def test_other_environments_and_workspaces_keep_theirs(event_store: EventStore) -> None:
    scope = fresh_scope()
    others = [Scope(scope.workspace_id, "development"), fresh_scope()]
    for each in (scope, *others):
        event_store.insert([event(each, actor="ann", label="Ann")])
    assert erase_actor(event_store.writer, scope, "ann") == 1
    assert event_store.select(ACTORS, scope) == event_store.select(LABELS, scope) == []
    for other in others:
        assert event_store.select(ACTORS, other) == [["ann", 1]]
        assert event_store.select(LABELS, other) == [["ann", "Ann"]]


def test_later_events_start_anew(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor="ann", label="Ann")])
    erase_actor(event_store.writer, scope, "ann")
    event_store.insert([event(scope, actor="ann", timestamp_ms=0)])
    assert event_store.select(ACTORS, scope) == [["ann", 1]]
    assert event_store.select(LABELS, scope) == []


def test_a_block_sent_again_after_the_erasure_does_not_bring_the_actor_back(event_store: EventStore) -> None:
    scope = fresh_scope()
    body = lines([event(scope, actor="ann", label="Ann"), event(scope, actor="bob", label="Bob")])
    event_store.writer.insert_events(body, scope.workspace_id)
    erase_actor(event_store.writer, scope, "ann")
    event_store.writer.insert_events(body, scope.workspace_id)
    assert event_store.select(ACTORS, scope) == [["bob", 1]]
    assert event_store.select(LABELS, scope) == [["bob", "Bob"]]


@pytest.mark.parametrize(
    ("actor", "bystander"),
    [
        ("it's", "its"),
        ("a\tb", "a\\tb"),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (("\\", ""), ("a\\tb", "a\tb"), ("{actor:String}", "actor"), ("a\0é😀", "a"))
        ),
    ],
)
def test_a_hostile_key_erases_itself_and_nobody_else(event_store: EventStore, actor: str, bystander: str) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor=actor, label="x"), event(scope, actor=bystander)])
    assert erase_actor(event_store.writer, scope, actor) == 1
    assert event_store.select(ACTORS, scope) == [[bystander, 1]]
    assert event_store.select(LABELS, scope) == []


@pytest.mark.long
def test_an_environment_goes_whole_and_alone(event_store: EventStore) -> None:
    scope = fresh_scope("staging")
    others = [Scope(scope.workspace_id, "production"), fresh_scope("staging")]
    for each in (scope, *others):
        rows = [event(each, actor="ann", label="Ann"), event(each, timestamp_ms=0), event(each, actor="bob", label="B")]
        event_store.insert(rows)
    assert erase_environment(event_store.writer, scope) == 3
    assert event_store.select(ACTORS, scope) == event_store.select(LABELS, scope) == []
    for other in others:
        assert event_store.select(ACTORS, other) == [["", 1], ["ann", 1], ["bob", 1]]
        assert event_store.select(LABELS, other) == [["ann", "Ann"], ["bob", "B"]]
    assert erase_environment(event_store.writer, scope) == 0


@pytest.mark.long
def test_only_what_came_through_some_spools_goes(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, f"by {spool}", actor="ann", spool=spool, seq=spool) for spool in (1, 2, 3)])
    hidden = HiddenEvents(event_store.writer)
    for spool in (1, 3):
        assert hidden.hide(scope, EventPosition(NOW_MS, spool, spool))
    assert erase_actor(event_store.writer, scope, "ann", spool_ids={1, 2}) == 2
    assert event_store.select("SELECT name FROM events WHERE {scope}", scope) == [["by 3"]]
    assert event_store.select(HIDDEN, scope) == [[3]]
    assert erase_environment(event_store.writer, scope, spool_ids={1, 2}) == 0
    assert erase_environment(event_store.writer, scope, spool_ids={3}) == 1
    assert event_store.select(HIDDEN, scope) == []


DAY = 86_400_000
SEQ = 10**9
HIDDEN = "SELECT seq FROM hidden_events WHERE {scope} ORDER BY seq"


def outdated(scope: Scope, before_ms: int = NOW_MS, spool: int = 1, last_seq: int = SEQ) -> OutdatedEvents:
    return OutdatedEvents(scope, before_ms, spool, last_seq)


@pytest.mark.long
def test_what_is_older_goes_in_every_month_and_what_is_not_stays(event_store: EventStore) -> None:
    scope, others = fresh_scope(), [fresh_scope(), fresh_scope("development")]
    for each in (scope, *others):
        event_store.insert(
            [
                event(each, "long ago", timestamp_ms=0),
                event(each, "months ago", timestamp_ms=NOW_MS - 70 * DAY),
                event(each, "just before", timestamp_ms=NOW_MS - 1),
                event(each, "then", timestamp_ms=NOW_MS),
                event(each, "after", timestamp_ms=NOW_MS + DAY),
            ]
        )
    assert expire_events(event_store.writer, outdated(scope)) == 3
    assert event_store.names(scope) == ["then", "after"]
    assert [event_store.count(other) for other in others] == [5, 5]
    assert expire_events(event_store.writer, outdated(scope)) == 0


def test_a_month_of_which_nothing_is_left_is_dropped(event_store: EventStore) -> None:
    scope, year_2001 = fresh_scope(), 980_000_000_000
    event_store.insert([event(scope, timestamp_ms=year_2001 + n) for n in range(3)])
    assert expire_events(event_store.writer, outdated(scope)) == 3
    parts = "SELECT count() FROM system.parts WHERE active AND table = 'events' AND partition = '200101'"
    assert event_store.writer.command(parts).strip() == "0"


@pytest.mark.long
def test_an_actor_keeps_the_label_that_is_young_enough(event_store: EventStore) -> None:
    scope = fresh_scope()
    for age, actor, label in ((3, "ann", "Old"), (1, "ann", "New"), (3, "bob", "Bob"), (2, "bob", "")):
        event_store.insert([event(scope, actor=actor, label=label, timestamp_ms=NOW_MS - age * DAY)])
    assert expire_events(event_store.writer, outdated(scope, NOW_MS - 2 * DAY)) == 2
    assert event_store.select(LABELS, scope) == [["ann", "New"]]
    assert event_store.select(ACTORS, scope) == [["ann", 1], ["bob", 1]]


def test_what_was_hidden_goes_with_its_event(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, timestamp_ms=NOW_MS - age, seq=age) for age in (1, 2, 3)])
    for age in (1, 3):
        assert event_store.hidden.hide(scope, EventPosition(NOW_MS - age, 1, age))
    assert expire_events(event_store.writer, outdated(scope, NOW_MS - 2)) == 1
    assert event_store.select(HIDDEN, scope) == [[1]]


def test_what_a_crash_has_left_goes_without_its_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor="ann", label="Ann", timestamp_ms=NOW_MS - 5, seq=5)])
    event_store.hidden.hide(scope, EventPosition(NOW_MS - 5, 1, 5))
    event_store.writer.command(f"ALTER TABLE events DELETE WHERE workspace_id = '{scope.workspace_id}'")
    assert expire_events(event_store.writer, outdated(scope)) == 0
    for table in ("actor_labels", "hidden_events"):
        assert event_store.select(f"SELECT actor FROM {table} WHERE {{scope}}", scope) == []


def test_what_the_drain_may_send_again_stays_for_the_next_time(event_store: EventStore) -> None:
    scope = fresh_scope()
    rows = [event(scope, f"{spool}-{seq}", timestamp_ms=0, spool=spool, seq=seq) for spool in (1, 2) for seq in (8, 9)]
    event_store.insert(rows)
    assert expire_events(event_store.writer, outdated(scope, spool=2, last_seq=8)) == 3
    assert event_store.names(scope) == ["2-9"]


def test_what_came_through_the_spools_of_others_stays_for_them(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, f"by {spool}", timestamp_ms=0, spool=spool) for spool in (1, 2, 3)])
    only = msgspec.structs.replace(outdated(scope), spool_ids={1, 2})
    assert expire_events(event_store.writer, only) == 2
    assert event_store.names(scope) == ["by 3"]
    assert expire_events(event_store.writer, only) == 0


def test_each_deletion_is_noted_also_one_that_fails(event_store: EventStore) -> None:
    """Who keeps answers asks by it whether they may still hold (storage/event_store/writer.py)."""
    scope, writer = fresh_scope(), event_store.writer
    event_store.insert([event(scope, actor="ann"), event(scope, actor="bob", timestamp_ms=1), event(scope)])
    noted = [writer.removal_generation]
    erase_actor(writer, scope, "ann")
    noted.append(writer.removal_generation)
    expire_events(writer, OutdatedEvents(scope, 2, 0, 0))
    noted.append(writer.removal_generation)

    @contextmanager
    def failing(_events: dict[tuple[int, int], int]) -> Iterator[None]:
        yield
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        erase_environment(writer, scope, failing)
    noted.append(writer.removal_generation)
    assert noted == sorted(set(noted))
    expire_events(writer, OutdatedEvents(scope, 2, 0, 0))
    assert writer.removal_generation == noted[-1]

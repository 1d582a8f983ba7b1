"""store.erase: an actor is gone from one environment, or all of it is, and nobody else is touched."""

import pytest

from harness.store import EventStore, event, fresh_scope, lines
from tallyroom.store.erase import erase_actor, erase_environment
from tallyroom.store.scope import Scope

ACTORS = "SELECT actor, count() FROM events WHERE {scope} GROUP BY actor ORDER BY actor"
LABELS = (
    "SELECT actor, tupleElement(max(newest), 'label') FROM actor_labels WHERE {scope} GROUP BY actor ORDER BY actor"
)


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
    event_store.writer.insert(body, scope.workspace_id)
    erase_actor(event_store.writer, scope, "ann")
    event_store.writer.insert(body, scope.workspace_id)
    assert event_store.select(ACTORS, scope) == [["bob", 1]]
    assert event_store.select(LABELS, scope) == [["bob", "Bob"]]


@pytest.mark.parametrize(
    ("actor", "bystander"),
    [("it's", "its"), ("\\", ""), ("a\\tb", "a\tb"), ("a\tb", "a\\tb"), ("{actor:String}", "actor"), ("a\0é😀", "a")],
)
def test_a_hostile_key_erases_itself_and_nobody_else(event_store: EventStore, actor: str, bystander: str) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor=actor, label="x"), event(scope, actor=bystander)])
    assert erase_actor(event_store.writer, scope, actor) == 1
    assert event_store.select(ACTORS, scope) == [[bystander, 1]]
    assert event_store.select(LABELS, scope) == []


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

"""Names, keys and types exactly, examples of the newest values (rules/questions#schema)."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import strategies as some

from harness.builders.events import drawn
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from tallyroom.core.ranges import RANGE_DURATION_MS
from tallyroom.events.schema.queries import MAX_KEYS, MAX_NAMES, MAX_SAMPLED_EVENTS, PROPERTY_TYPES, SchemaQueries
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import SpoolRow

DAY = Window(NOW_MS - 86_400_000, NOW_MS)

VALUES = some.one_of(
    some.sampled_from(["", "a", "é", "{", "true", "\0"]),
    some.sampled_from([0, -1.5, 1e300, 2**70]),
    some.booleans(),
    some.none(),
    some.lists(some.sampled_from(["", "a", 1, None]), max_size=2),
    some.sampled_from([{}, {"a": 1}]),
)
KEYS = some.sampled_from(["", "a", "A", "prop:a", "_actor", "'\\\"", "\0", "é😀"])
EVENTS = some.lists(some.tuples(some.sampled_from("xyz"), some.dictionaries(KEYS, VALUES, max_size=4)), max_size=8)


def of(store: EventStore, scope: Scope, window: Window = DAY) -> SchemaQueries:
    return SchemaQueries(store.reader, scope, window)


def holding(scope: Scope, properties: dict[str, Any], **fields: Any) -> SpoolRow:
    return event(scope, properties=json.dumps(properties).encode(), **fields)


async def types(store: EventStore, scope: Scope) -> dict[str, set[str]]:
    """By key, in the order of the answer."""
    rows = await of(store, scope).fetch_keys()
    return {row.key: {kind for bit, kind in enumerate(PROPERTY_TYPES) if row.types >> bit & 1} for row in rows}


def type_of(value: Any) -> str:
    """What a property's value is; null and a list of nothing are none (rules/events#kinds-of-values)."""
    if value is None or (isinstance(value, list) and not [each for each in value if each is not None]):
        return ""
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number", list: "list", dict: "object"}
    return names[type(value)]


@pytest.mark.long
async def test_what_there_is(event_store: EventStore) -> None:
    """Against the same counted in Python."""
    cases = [(fresh_scope(), sent) for sent in drawn(EVENTS, 60)]
    event_store.insert([holding(scope, had, name=name) for scope, sent in cases for name, had in sent])
    for scope, sent in cases:
        times, found, frequent = Counter(name for name, _ in sent), dict[str, set[str]](), Counter[str]()
        for key, kind in ((key, type_of(value)) for _, had in sent for key, value in had.items()):
            if kind:
                found.setdefault(key, set()).add(kind)
                frequent[key] += 1
        names = [(row.name, row.times) for row in await of(event_store, scope).fetch_names()]
        assert names == sorted(times.items(), key=lambda each: (-each[1], each[0])), sent
        expected = sorted(found.items(), key=lambda each: (-frequent[each[0]], each[0].encode()))
        assert list((await types(event_store, scope)).items()) == expected, sent


async def test_only_the_window_and_the_scope_are_looked_at(event_store: EventStore) -> None:
    scope = fresh_scope()
    edges = {
        "before": NOW_MS - RANGE_DURATION_MS["24h"] - 1,
        "first": NOW_MS - RANGE_DURATION_MS["24h"],
        "last": NOW_MS,
        "after": NOW_MS + 1,
    }
    for name, timestamp_ms in edges.items():
        event_store.insert([holding(scope, {name: name}, name=name, timestamp_ms=timestamp_ms)])
    event_store.insert([holding(Scope(scope.workspace_id, "development"), {"other": "x"}, name="other")])
    queries = of(event_store, scope)
    assert [(row.name, row.last_ms) for row in await queries.fetch_names()] == [
        ("first", edges["first"]),
        ("last", edges["last"]),
    ]
    assert [row.key for row in await queries.fetch_keys()] == ["first", "last"]
    assert {row.key: row.examples for row in await queries.fetch_examples()} == {
        "first": ["first"],
        "last": ["last"],
    }


async def test_nothing_is_there(event_store: EventStore) -> None:
    queries = of(event_store, fresh_scope())
    assert [await queries.fetch_names(), await queries.fetch_keys(), await queries.fetch_examples()] == [[], [], []]


async def test_a_hidden_event_is_not_there(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(
        [
            holding(scope, {"plan": "pro"}, name="seen", spool=1, seq=1),
            holding(scope, {"plan": 1, "secret": "x"}, name="hidden", spool=1, seq=2),
        ]
    )
    assert event_store.hidden.hide(scope, EventPosition(NOW_MS, 1, 2))
    queries = of(event_store, scope)
    assert [row.name for row in await queries.fetch_names()] == ["seen"]
    assert await types(event_store, scope) == {"plan": {"string"}}
    assert {row.key: row.examples for row in await queries.fetch_examples()} == {"plan": ["pro"]}


async def test_there_is_a_most_of_names_and_keys(event_store: EventStore) -> None:
    scope = fresh_scope()
    rare = [event(scope, f"rare-{number:04}") for number in range(MAX_NAMES)]
    keys = holding(scope, {f"key-{number:04}": "x" for number in range(MAX_KEYS)}, name="often")
    event_store.insert([*rare, keys, holding(scope, {"frequent": "x"}, name="often")])
    event_store.insert([holding(scope, {"frequent": "x"}, name="often")])
    names = [row.name for row in await of(event_store, scope).fetch_names()]
    assert names == ["often", *(f"rare-{number:04}" for number in range(MAX_NAMES - 1))]
    found = [row.key for row in await of(event_store, scope).fetch_keys()]
    assert found == ["frequent", *(f"key-{number:04}" for number in range(MAX_KEYS - 1))]


async def test_examples_are_of_the_newest_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    older = [holding(scope, {"plan": "old"}, timestamp_ms=NOW_MS - 1) for _ in range(MAX_SAMPLED_EVENTS + 1)]
    newer = [holding(scope, {"plan": f"new-{number % 4}"}) for number in range(MAX_SAMPLED_EVENTS - 1)]
    event_store.insert(older + newer)
    [row] = await of(event_store, scope).fetch_examples()
    assert (row.key, row.examples) == ("plan", ["new-0", "new-1", "new-2"])


async def test_examples_are_texts_of_every_type(event_store: EventStore) -> None:
    scope = fresh_scope()
    values = ["text", "x" * 101, "é" * 100, "", 1.5, 42, 0, ["a", "", 7], [], True, {"a": [1]}, None]
    event_store.insert([holding(scope, {f"k{place:02}": value}) for place, value in enumerate(values)])
    assert {row.key: row.examples for row in await of(event_store, scope).fetch_examples()} == {
        "k00": ["text"],
        "k02": ["é" * 100],
        "k04": ["1.5"],
        "k05": ["42"],
        "k06": ["0"],
        "k07": ["7", "a"],
        "k09": ["true"],
        "k10": ['{"a":[1]}'],
    }

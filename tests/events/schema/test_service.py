"""The schema answers of what was acknowledged before (rules/questions#fresh-answers)."""

import json
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, stay_behind
from harness.stores.questions import rolling_windows
from tallyroom.core.errors import Unavailable
from tallyroom.core.notices import NOT_UP_TO_DATE
from tallyroom.events.schema.schemas import EventName, PropertyKey, SchemaOut
from tallyroom.events.schema.service import Schemas


class Queue:
    """What waits is in the store when somebody has waited for it, as far as that is possible."""

    def __init__(self, store: EventStore, *waiting: Any) -> None:
        self._store = store
        self._waiting = list(waiting)

    async def caught_up(self, seconds: float, *_: object) -> bool:
        assert 0 < seconds <= 0.5  # how long a query waits at most (rules/questions#fresh-answers)
        self._store.insert(self._waiting)
        return True


async def test_the_schema(event_store: EventStore, fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scope = fresh_scope()
    properties = [{"plan": "pro", "n": 1}, {"plan": ["a"], "n": 2.5}, {"plan": False}]
    rows = [event(scope, "buy", properties=json.dumps(each).encode()) for each in properties]
    queue = Queue(event_store, *rows, event(scope, "see", timestamp_ms=NOW_MS - 3_600_001))
    monkeypatch.setattr(event_store.reader, "wait_caught_up", queue.caught_up)
    schemas = Schemas(event_store.reader, rolling_windows(event_store), fake_clock)
    bought = EventName("buy", 3, "2026-11-20T12:00:00.000Z")
    keys = [
        PropertyKey("plan", ["string", "list", "boolean"], ["a", "false", "pro"]),
        PropertyKey("n", ["number"], ["1", "2.5"]),
    ]
    assert await schemas.find_schema(scope, "1h") == SchemaOut([bought], keys)
    queue._waiting.clear()


async def test_a_key_whose_values_are_too_long_has_no_examples(event_store: EventStore, fake_clock: Any) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, properties=json.dumps({"long": "x" * 101}).encode())])
    found = await Schemas(event_store.reader, rolling_windows(event_store), fake_clock).find_schema(scope, "1h")
    assert found.properties == [PropertyKey("long", ["string"], [])]


async def test_an_answer_from_a_store_that_is_behind_says_so(
    event_store: EventStore, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store.reader, "wait_caught_up", stay_behind)
    found = await Schemas(event_store.reader, rolling_windows(event_store), fake_clock).find_schema(fresh_scope(), "1h")
    assert found == SchemaOut([], [], [NOT_UP_TO_DATE])


async def test_an_empty_range_has_no_schema(event_store: EventStore, fake_clock: Any) -> None:
    assert await Schemas(event_store.reader, rolling_windows(event_store), fake_clock).find_schema(
        fresh_scope(), "90d"
    ) == SchemaOut([], [])


async def test_a_store_that_does_not_answer(
    event_store: EventStore, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rows(*_arguments: Any) -> Any:
        raise Unavailable("busy")

    monkeypatch.setattr(event_store.reader, "fetch_rows", rows)
    with pytest.raises(Unavailable):
        await Schemas(event_store.reader, rolling_windows(event_store), fake_clock).find_schema(fresh_scope(), "1h")

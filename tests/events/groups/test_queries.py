"""Which properties could be group keys: candidates, and what was ever sent (rules/actors-and-groups#candidates)."""

import json
from typing import Any

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from tallyroom.core.ranges import RANGE_DURATION_MS
from tallyroom.events.groups.queries import find_candidate_keys, was_property_sent
from tallyroom.queries.time_ranges import resolve_window
from tallyroom.queries.window import Window


def month(clock: Any) -> Window:
    return resolve_window("30d", clock.now_ms(), "UTC")


async def test_candidates_are_the_properties_with_texts_of_thirty_days(
    event_store: EventStore, fake_clock: Any
) -> None:
    scope = fresh_scope()
    kinds: dict[str, Any] = {"text": "x", "number": 1, "list": ["x"], "yes": True, "object": {"k": "x"}, "none": None}
    old = event(scope, properties=b'{"old":"x"}', timestamp_ms=NOW_MS - RANGE_DURATION_MS["30d"] - 1)
    edge = event(scope, properties=b'{"edge":"x"}', timestamp_ms=NOW_MS - RANGE_DURATION_MS["30d"])
    ahead = event(scope, properties=b'{"ahead":"x"}', timestamp_ms=NOW_MS + 1)
    mixed = [event(scope, properties=b'{"mixed":1,"text":"y"}'), event(scope, properties=b'{"mixed":"one","":"x"}')]
    long = json.dumps({"k" * 256: "x", "k" * 257: "x"}).encode()
    odd = [event(scope, properties=json.dumps(kinds).encode()), event(scope, properties=long)]
    event_store.insert([old, edge, ahead, *mixed, *odd])
    found = await find_candidate_keys(event_store.reader, scope, month(fake_clock), [])
    assert found == ["text", "edge", "k" * 256, "mixed"]
    assert await find_candidate_keys(event_store.reader, scope, month(fake_clock), ["text", "gone"]) == found[1:]
    assert await find_candidate_keys(event_store.reader, fresh_scope(), month(fake_clock), []) == []


async def test_two_hundred_candidates_the_most_used_first(event_store: EventStore, fake_clock: Any) -> None:
    scope = fresh_scope()
    every = {f"k{n:03}": "x" for n in range(250)}
    often = {f"k{n:03}": "x" for n in range(249, 39, -3)}
    event_store.insert([event(scope, properties=json.dumps(each).encode()) for each in (every, often)])
    expected = sorted(every, key=lambda key: (key not in often, key))[:200]
    assert await find_candidate_keys(event_store.reader, scope, month(fake_clock), []) == expected


async def test_a_property_was_sent_when_any_event_of_any_age_had_a_text_there(event_store: EventStore) -> None:
    scope = fresh_scope()
    ages = [event(scope, properties=b'{"old":"x"}', timestamp_ms=0), event(scope, properties=b'{"n":1,"l":["x"]}')]
    event_store.insert(ages)
    asked = {key: await was_property_sent(event_store.reader, scope, key) for key in ("old", "n", "l", "OLD", "", "\0")}
    assert asked == {"old": True, "n": False, "l": False, "OLD": False, "": False, "\0": False}

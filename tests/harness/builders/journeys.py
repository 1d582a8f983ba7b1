"""Journeys of a few units through a funnel, told by clocks or made at random, and the funnels that they go through."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from harness.builders.events import GROUPS, NAMES
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL

HOUR_MS = 3_600_000
MINUTE_MS = 60_000
MIDNIGHT_MS = NOW_MS - 12 * HOUR_MS

STEPS: list[dict[str, Any]] = [{"event": "visit"}, {"event": "signup"}, {"event": "pay"}]


def at(clock: str) -> int:
    """A time of the fixed day of the tests, as 09:00 or 09:00:00.001."""
    hours, minutes, *seconds = clock.split(":")
    return MIDNIGHT_MS + int(hours) * HOUR_MS + int(minutes) * MINUTE_MS + round(float((seconds or ["0"])[0]) * 1000)


def went(actor: str, *names_and_clocks: str, **properties: Any) -> list[Happened]:
    """Events of one actor, as ``visit 09:00``."""
    pairs = [each.split(" ") for each in names_and_clocks]
    return [Happened(name, at(clock), actor, properties) for name, clock in pairs]


async def counts(store: EventStore, events: list[Happened], steps: Sequence[Mapping[str, Any]], **more: Any) -> Any:
    scope = fresh_scope()
    insert(store, scope, events)
    asked = question(group_key=more.pop("group_key", None))
    answer = await ask(store, scope, FUNNEL, {"steps": steps, **more}, asked)
    return [step["count"] for step in answer["steps"]]


# Most events match each of them, so that chains of several steps remain.
FILTERS: list[list[dict[str, Any]]] = [
    [{"key": "plan", "op": "not_exists"}],
    [{"key": "_source", "op": "in", "value": ["web", "bot"]}],
    [{"key": "plan", "op": "neq", "value": "42"}],
]
NO_FILTERS: list[list[dict[str, Any]]] = [[]] * 12


def made_event(source: Random) -> Happened:
    """Few units and few moments, hours apart or a millisecond off: ties, and the edges of windows and of ranges."""
    hours = source.choice([*range(12), *range(12), 23, 24, 25, 168])
    properties = {"g": source.choice(["g1", "G1", source.choice(GROUPS)])}
    if source.random() < 0.3:  # seldom enough that "not_exists" leaves something
        properties["plan"] = source.choice(["free", "pro", "42", 42])
    return Happened(
        source.choice(NAMES),
        NOW_MS - hours * HOUR_MS + source.choice([0, 0, 0, 0, 1, -1]),
        source.choice(["u1", "u1", "u1", "u2", ""]),
        properties,
        source=source.choice(["web", "web", "bot", ""]),
        late_ms=source.choice([0, 0, 1, 5000]),
    )


def made_config(source: Random) -> dict[str, Any]:
    names = source.choice([NAMES, source.choices(NAMES, k=source.randint(2, 4))])
    return {
        "steps": [{"event": name, "filters": source.choice(NO_FILTERS + FILTERS)} for name in names],
        "windowHours": source.choice([1, 2, 3, 3, 24]),
        "windowFrom": source.choice(["previous", "first"]),
    }

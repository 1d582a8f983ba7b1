"""A client that keeps its events, and a clock that a test moves."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Event(NamedTuple):
    """What a bot's helper sent."""

    name: str
    actor: str | None
    label: str | None
    properties: Mapping[str, Any]
    source: str | None


class KeepingTracker:
    """Takes the place of `Tallyroom`."""

    url = "http://127.0.0.1:9"

    def __init__(self) -> None:
        self.events: list[Event] = []

    def track(
        self,
        name: str,
        *,
        actor: str | None = None,
        label: str | None = None,
        properties: Mapping[str, Any] | None = None,
        source: str | None = None,
    ) -> bool:
        json.dumps(properties)  # nothing but what JSON has
        self.events.append(Event(name, actor, label, dict(properties or {}), source))
        return True

    def names(self) -> list[str]:
        return [event.name for event in self.events]

    def only(self, name: str) -> Event:
        """The one event with this name; there must be no second."""
        events = [event for event in self.events if event.name == name]
        assert len(events) == 1, self.names()
        return events[0]


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until a condition holds."""
    while not condition():  # noqa: ASYNC110 # nothing sets an event for it
        await asyncio.sleep(0.001)  # of what is waited for, nothing sets an event


class FailingTracker:
    """Raises, as a strict client does."""

    def track(self, name: str, **_: Any) -> bool:
        raise ValueError(f"{name} is wrong")


class Clock:
    """Seconds that pass only in a test."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

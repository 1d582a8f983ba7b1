"""For the tests of programs that track events."""

from collections.abc import Iterator
from contextlib import contextmanager

from tallyroom_client.recorder import Event, recordings


@contextmanager
def recording() -> Iterator[list[Event]]:
    """Collect the events of all clients in a list instead of sending them.

    An event has the fields that were given, by the names of `track`: ``{"name": "order.placed", "actor": "17"}``.
    """
    events: list[Event] = []
    recordings.append(events)
    try:
        yield events
    finally:
        recordings.pop()

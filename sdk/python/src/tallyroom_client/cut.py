"""A cut: the events of one request, which never change once it has been sent."""

import json
from typing import NamedTuple

from tallyroom_client.limits import MAX_CUT_BYTES, MAX_CUT_EVENTS


class CutLimit(NamedTuple):
    """How large a new cut may be; `max_bytes` counts the JSON of its events."""

    max_events: int = MAX_CUT_EVENTS
    max_bytes: int = MAX_CUT_BYTES


class Cut(NamedTuple):
    """Events in order, each as compact JSON.

    Attributes:
        key: the `Idempotency-Key`.
        queue_id: the `Idempotency-Queue`.
        events: at least one.
        earlier_try_ms: when another process may first have sent it; None if this one made the cut.
    """

    key: str
    queue_id: str
    events: list[bytes]
    earlier_try_ms: int | None = None

    @property
    def body(self) -> bytes:
        """The request's body: always the same bytes."""
        return b'{"events":[%b]}' % b",".join(self.events)


def name_of(event: bytes) -> str:
    """Return the name of an encoded event."""
    return str(json.loads(event)["name"])

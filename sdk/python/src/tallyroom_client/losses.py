"""The events for which a queue had no room, until an event of their own reports them."""

from typing import NamedTuple

from tallyroom_client.event import Fields, Texts, build_event
from tallyroom_client.timestamps import iso_time


class Loss(NamedTuple):
    """How many events had no room, and the times of the first and the last of them in ms since 1970."""

    event_count: int
    from_ms: int
    to_ms: int

    def joined(self, other: "Loss | None") -> "Loss":
        """Return both as one."""
        if other is None:
            return self
        from_ms, to_ms = min(self.from_ms, other.from_ms), max(self.to_ms, other.to_ms)
        return Loss(self.event_count + other.event_count, from_ms, to_ms)

    def event(self) -> Fields:
        """Return the event that reports the loss among the others."""
        properties = {"count": self.event_count, "from": iso_time(self.from_ms), "to": iso_time(self.to_ms)}
        return build_event("tallyroom.dropped", Texts(), properties, None, self.to_ms)

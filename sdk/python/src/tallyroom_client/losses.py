"""The events for which a queue had no room, until an event of their own reports them."""

from typing import NamedTuple

from tallyroom_client.clock import Clock
from tallyroom_client.event import Fields, Texts, build_event
from tallyroom_client.journal.records import DroppedRecord
from tallyroom_client.problems import Problem, ProblemReporter
from tallyroom_client.stats import Counters
from tallyroom_client.timestamps import iso_time

_RECORD_INTERVAL_MS = 1000


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


class LossLog:
    """Counts the events that had no room; the caller holds the lock of the queue and writes the records."""

    def __init__(self, clock: Clock, problems: ProblemReporter, counters: Counters) -> None:
        self._clock = clock
        self._problems = problems
        self._counters = counters
        self._loss: Loss | None = None
        self._recorded_ms = 0

    def add(self, name: str) -> DroppedRecord | None:
        """Count an event of this name; return the record to write, at most one a second."""
        now_ms = self._clock.now_ms()
        self._loss = Loss(1, now_ms, now_ms).joined(self._loss)
        self._counters.dropped += 1
        message = "the queue is full, so events are dropped until the server accepts some"
        self._problems.report(Problem("dropped", message, 1, sample=name))
        if now_ms - self._recorded_ms < _RECORD_INTERVAL_MS:
            return None
        self._recorded_ms = now_ms
        return DroppedRecord(*self._loss)

    def take_over(self, record: DroppedRecord) -> DroppedRecord:
        """Add what a dead process did not report; return the record of all."""
        self._loss = Loss(*record).joined(self._loss)
        return DroppedRecord(*self._loss)

    def take(self) -> Loss | None:
        """Return what an event has to report now, and begin again."""
        loss, self._loss = self._loss, None
        return loss

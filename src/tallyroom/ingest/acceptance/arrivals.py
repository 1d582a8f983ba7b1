"""Notifies watches of an environment, in the order of sequence numbers, when events have reached the store."""

import asyncio
from collections import deque
from collections.abc import Iterable

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.validation.event import Event
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

_MAX_DAYS = 366
_MAX_WAITING_ARRIVALS = 100

UtcDays = frozenset[int] | None
"""The days of the events, as UTC days since 1970; None if it may be any day."""


class Arrival(msgspec.Struct, frozen=True):
    """Settled events up to the sequence number `last_seq`, none of them in a later chunk than `chunk_id`."""

    last_seq: int
    chunk_id: int
    utc_days: UtcDays

    def merge(self, later: "Arrival") -> "Arrival":
        """Return this arrival and a later one combined."""
        return Arrival(
            max(self.last_seq, later.last_seq), later.chunk_id, merge_utc_days(self.utc_days, later.utc_days)
        )


class Watch:
    """A watch on the events of one environment above `since_seq`; no event up to it becomes durable later."""

    def __init__(self, scope: Scope, drain: Drain, since_seq: int, chunk_id: int) -> None:
        self._drain = drain
        self._start_chunk_id = chunk_id
        self.scope = scope
        self._arrivals: deque[Arrival] = deque()
        self._arrival_added = asyncio.Event()
        self.since_seq = since_seq

    def add_arrival(self, arrival: Arrival) -> None:
        """Add settled events, merging them so that memory stays bounded while the store accepts nothing for hours."""
        must_merge = self._arrivals and (
            len(self._arrivals) == _MAX_WAITING_ARRIVALS or self._arrivals[-1].chunk_id == arrival.chunk_id
        )
        self._arrivals.append(self._arrivals.pop().merge(arrival) if must_merge else arrival)
        self._arrival_added.set()

    async def wait_start_stored(self) -> None:
        """Wait until the store has the events up to `since_seq`."""
        await self._drain.wait_reached(self._start_chunk_id, self.scope)

    async def wait_stored(self) -> Arrival:
        """Wait until settled events are in the store, and return all that are there by then as one arrival."""
        while not self._arrivals:
            self._arrival_added.clear()
            await self._arrival_added.wait()
        await self._drain.wait_reached(self._arrivals[0].chunk_id, self.scope)
        return self._pop_stored()

    def take_stored(self) -> Arrival | None:
        """Return what `wait_stored` would without waiting; None if that would wait."""
        if self._arrivals and self._drain.has_reached(self._arrivals[0].chunk_id, self.scope):
            return self._pop_stored()
        return None

    @property
    def is_caught_up(self) -> bool:
        """Whether the store has all events that are settled."""
        return not self._arrivals and self._drain.has_reached(self._start_chunk_id, self.scope)

    def _pop_stored(self) -> Arrival:
        arrival = self._arrivals.popleft()
        while self._arrivals and self._drain.has_reached(self._arrivals[0].chunk_id, self.scope):
            arrival = arrival.merge(self._arrivals.popleft())
        return arrival


class ArrivalNotifier:
    """All watches, by environment; used only on the event loop. All requests up to `settled_seq` are settled."""

    def __init__(self, spool: Spool, drain: Drain) -> None:
        self._spool = spool
        self._drain = drain
        self._watches: dict[Scope, list[Watch]] = {}
        self.settled_seq = spool.last_seq

    def watch(self, scope: Scope) -> Watch:
        """Start watching an environment, until `unwatch`."""
        # Read this before `last_id`, so that all events up to it are in chunks up to `last_id`.
        since_seq = self._spool.last_seq
        watch = Watch(scope, self._drain, since_seq, self._spool.last_id)
        self._watches.setdefault(scope, []).append(watch)
        return watch

    def unwatch(self, watch: Watch) -> None:
        """Stop watching an environment."""
        watches = self._watches[watch.scope]
        watches.remove(watch)
        if not watches:
            del self._watches[watch.scope]

    async def close(self) -> None:
        """Do nothing: a single worker has nothing to end."""

    def find_utc_days(self, scope: Scope, events: Iterable[Event]) -> UtcDays:
        """Return the days of a request's events, for `note_settled`; None, at no cost, if the scope has no watches."""
        if scope not in self._watches:
            return None
        return frozenset(event.timestamp_ms // DAY_MS for event in events)

    def note_settled(self, scope: Scope, last_seq: int, utc_days: UtcDays, *, is_kept: bool = True) -> None:
        """Record that a request is durable or was refused; even a failed commit may have reached the disk."""
        if is_kept:  # kept requests come in order, refused ones may not
            self.settled_seq = last_seq
        if watches := self._watches.get(scope):
            arrival = Arrival(last_seq, self._spool.last_id, utc_days)
            for watch in watches:
                watch.add_arrival(arrival)


def merge_utc_days(first: UtcDays, second: UtcDays) -> UtcDays:
    """Return the days of both; None, for any day, if these are too many."""
    utc_days = None if first is None or second is None else first | second
    return None if utc_days is None or len(utc_days) > _MAX_DAYS else utc_days

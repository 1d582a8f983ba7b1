"""Notifies those who watch an environment when its events have reached the store, without querying the store.

A watch is notified of each request when the request is settled, in the order of sequence numbers, and waits until the
drain has moved its events into the store. A reader who reads up to the sequence number that the watch reports has
therefore seen everything up to it.
"""

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

Days = frozenset[int] | None
"""The days on which the events happened, as UTC days since 1970; None if it may be any day."""


class Arrival(msgspec.Struct, frozen=True):
    """A group of settled events.

    Attributes:
        last_seq: their highest sequence number.
        chunk_id: a chunk of the spool; no event of the group is in a later one.
        days: the days on which they happened.
    """

    last_seq: int
    chunk_id: int
    days: Days

    def merge(self, later: "Arrival") -> "Arrival":
        """Return this arrival and a later one combined."""
        return Arrival(max(self.last_seq, later.last_seq), later.chunk_id, merge_days(self.days, later.days))


class Watch:
    """A watch on one environment.

    Attributes:
        scope: the environment.
        since: a sequence number. The watch reports every event above it; no event up to it can become durable later.
    """

    def __init__(self, scope: Scope, drain: Drain, since: int, chunk_id: int) -> None:
        self._drain = drain
        self._start_chunk_id = chunk_id
        self.scope = scope
        self._arrivals: deque[Arrival] = deque()
        self._changed = asyncio.Event()
        self.since = since

    def add(self, arrival: Arrival) -> None:
        """Note settled events, merging them so that memory stays bounded while the store takes nothing for hours."""
        must_merge = self._arrivals and (
            len(self._arrivals) == _MAX_WAITING_ARRIVALS or self._arrivals[-1].chunk_id == arrival.chunk_id
        )
        self._arrivals.append(self._arrivals.pop().merge(arrival) if must_merge else arrival)
        self._changed.set()

    async def wait_begun(self) -> None:
        """Wait until the store has the events up to `since`."""
        await self._drain.wait_reached(self._start_chunk_id)

    async def wait_stored(self) -> Arrival:
        """Wait until settled events are in the store, and return all that are there by then as one arrival."""
        while not self._arrivals:
            self._changed.clear()
            await self._changed.wait()
        await self._drain.wait_reached(self._arrivals[0].chunk_id)
        return self._pop_stored()

    def take_stored(self) -> Arrival | None:
        """Return what `wait_stored` would without waiting; None if that would wait."""
        if self._arrivals and self._arrivals[0].chunk_id <= self._drain.drained_id:
            return self._pop_stored()
        return None

    @property
    def is_quiet(self) -> bool:
        """Whether the store has all events that are settled."""
        return not self._arrivals and self._start_chunk_id <= self._drain.drained_id

    def _pop_stored(self) -> Arrival:
        arrival = self._arrivals.popleft()
        while self._arrivals and self._arrivals[0].chunk_id <= self._drain.drained_id:
            arrival = arrival.merge(self._arrivals.popleft())
        return arrival


class ArrivalNotifier:
    """All watches, by environment; used only on the event loop.

    Args:
        spool: knows which events are durable.
        drain: knows which events are in the store.

    Attributes:
        settled_seq: sequence number up to which all requests are settled.
    """

    def __init__(self, spool: Spool, drain: Drain) -> None:
        self._spool = spool
        self._drain = drain
        self._watches: dict[Scope, list[Watch]] = {}
        self.settled_seq = spool.last_seq

    def watch(self, scope: Scope) -> Watch:
        """Start watching an environment, until `unwatch`."""
        since = self._spool.last_seq  # read before `last_id`, so that all events up to it are in chunks up to that one
        watch = Watch(scope, self._drain, since, self._spool.last_id)
        self._watches.setdefault(scope, []).append(watch)
        return watch

    def unwatch(self, watch: Watch) -> None:
        """Stop watching an environment."""
        watches = self._watches[watch.scope]
        watches.remove(watch)
        if not watches:
            del self._watches[watch.scope]

    async def close(self) -> None:
        """Nothing has to end where a worker is alone."""

    def find_days(self, scope: Scope, events: Iterable[Event]) -> Days:
        """Return the days of a request's events, for `note_settled`; None, at no cost, if nobody watches."""
        if scope not in self._watches:
            return None
        return frozenset(event.timestamp_ms // DAY_MS for event in events)

    def note_settled(self, scope: Scope, last_seq: int, days: Days, *, is_kept: bool = True) -> None:
        """Note that a request is durable or was refused; even a failed commit may have reached the disk."""
        if is_kept:  # in order, which those that are refused need not be
            self.settled_seq = last_seq
        if watches := self._watches.get(scope):
            arrival = Arrival(last_seq, self._spool.last_id, days)
            for watch in watches:
                watch.add(arrival)


def merge_days(one: Days, other: Days) -> Days:
    """Return the days of both; None, which stands for any day, if these are too many."""
    days = None if one is None or other is None else one | other
    return None if days is None or len(days) > _MAX_DAYS else days

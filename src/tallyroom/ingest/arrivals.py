"""Tells who watches an environment that events of it have come into the store, without looking there.

A watch hears of each request when it is settled, which is in the order of sequence numbers, and waits for the drain to
bring its events into the store. So whoever reads up to what it tells has read everything up to there.
"""

import asyncio
from collections import deque
from collections.abc import Iterable

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain import Drain
from tallyroom.ingest.event import Event
from tallyroom.spool.queue import Spool
from tallyroom.store.scope import Scope

_MOST_DAYS = 366
_MOST_WAITING = 100

Days = frozenset[int] | None
"""UTC days since 1970 on which the events happened; None for any."""


class Arrival(msgspec.Struct, frozen=True):
    """Events that were settled.

    Attributes:
        last_seq: their highest sequence number.
        chunk_id: the chunk of the spool up to which they are, at the latest.
        days: when they happened.
    """

    last_seq: int
    chunk_id: int
    days: Days

    def then(self, later: "Arrival") -> "Arrival":
        """This one and a later one as one."""
        return Arrival(later.last_seq, later.chunk_id, _united(self.days, later.days))


class Watch:
    """One environment that somebody watches.

    Attributes:
        since: every event with a higher sequence number is told; of those up to it, all that ever come are durable.
    """

    def __init__(self, drain: Drain, since: int, chunk_id: int) -> None:
        self._drain = drain
        self._before = chunk_id
        self._settled: deque[Arrival] = deque()
        self._changed = asyncio.Event()
        self.since = since

    def add(self, arrival: Arrival) -> None:
        """Events were settled; a store that takes nothing for hours must not fill the memory with this."""
        merges = self._settled and (
            len(self._settled) == _MOST_WAITING or self._settled[-1].chunk_id == arrival.chunk_id
        )
        self._settled.append(self._settled.pop().then(arrival) if merges else arrival)
        self._changed.set()

    async def begun(self) -> None:
        """Wait until the store has the events up to `since`."""
        await self._drain.reached(self._before)

    async def stored(self) -> Arrival:
        """Wait for events, and for the store to have them; all that it has by then, as one."""
        while not self._settled:
            self._changed.clear()
            await self._changed.wait()
        await self._drain.reached(self._settled[0].chunk_id)
        found = self._settled.popleft()
        while self._settled and self._settled[0].chunk_id <= self._drain.drained_id:
            found = found.then(self._settled.popleft())
        return found


class Arrivals:
    """Who watches which environment; used on the event loop only.

    Args:
        spool: knows what is durable.
        drain: knows what is in the store.
    """

    def __init__(self, spool: Spool, drain: Drain) -> None:
        self._spool = spool
        self._drain = drain
        self._watches: dict[Scope, Watch] = {}

    def watch(self, scope: Scope) -> Watch:
        """Watch an environment from now on; one watch for each, until `unwatch`."""
        since = self._spool.last_seq  # before `last_id`, so that all up to it are in chunks up to that
        watch = self._watches[scope] = Watch(self._drain, since, self._spool.last_id)
        return watch

    def unwatch(self, scope: Scope) -> None:
        """Nobody watches the environment any more."""
        del self._watches[scope]

    def days_of(self, scope: Scope, events: Iterable[Event]) -> Days:
        """The days of a request's events, for `settled`; None, at no cost, while nobody watches the environment."""
        if scope not in self._watches:
            return None
        return frozenset(event.timestamp_ms // DAY_MS for event in events)

    def settled(self, scope: Scope, last_seq: int, days: Days) -> None:
        """A request is durable, or was refused: a commit that failed may have reached the disk all the same."""
        watch = self._watches.get(scope)
        if watch is not None:
            watch.add(Arrival(last_seq, self._spool.last_id, days))


def _united(one: Days, other: Days) -> Days:
    both = None if one is None or other is None else one | other
    return None if both is None or len(both) > _MOST_DAYS else both

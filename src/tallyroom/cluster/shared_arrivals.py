"""What reaches the event store through the spools of other workers, for those who watch an environment here.

A worker that watches environments says so every second, and whoever hears it watches them for it and announces what has
been stored, and every two seconds that nothing was. So a worker does nothing for environments that nobody watches.
Messages may be lost: each says from where on it tells everything, and whatever no message told of within five seconds
is found in the metadata, where each worker writes down how far its spool is (decisions/0031).
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import MESSAGE_BYTES, Peers, SpoolState
from tallyroom.ingest.acceptance.arrivals import Arrivals, Days, Watch, united
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

_WATCH_SECONDS = 1.0
_WATCHED_SECONDS = 10.0
_LOOK_SECONDS = 2.5
_ANNOUNCE_SECONDS = 0.2
_QUIET_SECONDS = 2.0
_MAX_DAYS = 100

_log = logging.getLogger(__name__)


class Report(msgspec.Struct, frozen=True):
    """What has reached the store through the spool of another worker.

    Attributes:
        spool: its identity.
        after: a sequence number; everything after it is meant.
        last_seq: the sequence number up to which everything is in the store.
        days: the days on which these events happened; none if there are no events.
    """

    spool: int
    after: int
    last_seq: int
    days: Days

    def then(self, later: "Report") -> "Report":
        """Return this report and a later one combined."""
        days = united(self.days, later.days) if later.after <= self.last_seq else None
        return Report(self.spool, min(self.after, later.after), max(self.last_seq, later.last_seq), days)


class _Arrived(msgspec.Struct, array_like=True, frozen=True):
    workspace_id: str
    environment: str
    after: int
    last_seq: int
    days: list[int] | None


class _Message(msgspec.Struct, array_like=True, frozen=True):
    spool: int
    scopes: list[tuple[str, str]]
    arrivals: list[_Arrived]


class _Watched:
    """An environment that this worker watches for others."""

    def __init__(self, watch: Watch, now: float) -> None:
        self.watch = watch
        self.until = self.told_at = now
        self.last_seq = watch.since


class Reports:
    """The reports on one environment that are waiting, at most one for each spool."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._waiting: dict[int, Report] = {}
        self._changed = asyncio.Event()

    def put(self, report: Report) -> None:
        """Add a report."""
        earlier = self._waiting.get(report.spool)
        self._waiting[report.spool] = report if earlier is None else earlier.then(report)
        self._changed.set()

    async def stored(self) -> Report:
        """Wait until another worker's events are in the store, and return what is known of them."""
        while not self._waiting:
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.pop(next(iter(self._waiting)))


class SharedArrivals(Arrivals):
    """The watches of one of several workers, which tell each other of what they watch; used only on the event loop.

    Args:
        spool: knows which events of this worker are durable.
        drain: knows which of them are in the store.
        peers: the other workers.
        clock: tells for how long others watch.
    """

    def __init__(self, spool: Spool, drain: Drain, peers: Peers, clock: Clock) -> None:
        super().__init__(spool, drain)
        self._peers = peers
        self._own = spool.identity
        self._clock = clock
        self._reports: dict[Scope, Reports] = {}
        self._for_others: dict[Scope, _Watched] = {}
        self._changed = asyncio.Event()
        self._following: list[asyncio.Task[None]] = []
        self._announcing: asyncio.Task[None] | None = None
        peers.hear(self.hear)

    async def spools(self) -> Mapping[int, SpoolState]:
        """Return what is known of all spools, as `Peers.spools` does.

        Raises:
            Unavailable: the metadata does not answer.
        """
        return await self._peers.spools()

    def follow(self, scope: Scope) -> Reports:
        """Have reports on an environment collected, until `unfollow`; each has at most one who follows."""
        if not self._reports:
            self._following = [asyncio.create_task(self._ask()), asyncio.create_task(self._look())]
        following = self._reports[scope] = Reports(scope)
        self._changed.set()
        return following

    def unfollow(self, following: Reports) -> None:
        """Collect no more of them."""
        del self._reports[following.scope]
        if not self._reports:
            for task in self._following:
                task.cancel()

    def hear(self, text: str) -> None:
        """Take a message of a worker; one that this version does not understand counts as lost."""
        try:
            message = msgspec.json.decode(text, type=_Message)
        except msgspec.MsgspecError:
            return
        if message.spool == self._own:
            return
        for name in message.scopes:
            self._watch(Scope(*name))
        for arrival in message.arrivals:
            if following := self._reports.get(Scope(arrival.workspace_id, arrival.environment)):
                days = None if arrival.days is None else frozenset(arrival.days)
                following.put(Report(message.spool, arrival.after, arrival.last_seq, days))

    async def close(self) -> None:
        """Tell nobody anything any more."""
        tasks = [*self._following, *([self._announcing] if self._announcing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self) -> None:
        """Say what is followed here: at once when something is added, and again and again."""
        while True:
            self._changed.clear()
            await self._tell([(scope.workspace_id, scope.environment) for scope in self._reports], [])
            with suppress(TimeoutError):
                async with asyncio.timeout(_WATCH_SECONDS):
                    await self._changed.wait()

    async def _look(self) -> None:
        """Report what the other workers have written down; the second look that finds it, so that they tell first."""
        states: dict[int, SpoolState] = {}
        while True:
            with suppress(Unavailable):
                spools = await self._peers.spools()
                for spool, state in states.items():
                    for following in self._reports.values():
                        following.put(Report(spool, state.stored_seq, state.stored_seq, frozenset()))
                used = {spool: state for spool, state in spools.items() if state.is_used or spool in states}
                states = {spool: state for spool, state in used.items() if spool != self._own}
            await asyncio.sleep(_LOOK_SECONDS)

    def _watch(self, scope: Scope) -> None:
        now = self._clock.monotonic()
        if scope not in self._for_others:
            self._for_others[scope] = _Watched(self.watch(scope), now)
        self._for_others[scope].until = now + _WATCHED_SECONDS
        if self._announcing is None or self._announcing.done():
            self._announcing = asyncio.create_task(self._announce())

    async def _announce(self) -> None:
        """Tell of what others watch, as long as they do."""
        while self._for_others:
            now = self._clock.monotonic()
            arrivals = [
                arrival for environment in list(self._for_others.values()) if (arrival := self._news(environment, now))
            ]
            if arrivals:
                await self._tell([], arrivals)
            await asyncio.sleep(_ANNOUNCE_SECONDS)

    def _news(self, environment: _Watched, now: float) -> _Arrived | None:
        if environment.until < now:
            self.unwatch(environment.watch)
            del self._for_others[environment.watch.scope]
            return None
        if arrival := environment.watch.stored_by_now():
            last_seq, days = max(environment.last_seq, arrival.last_seq), arrival.days
        elif environment.watch.is_quiet and now - environment.told_at >= _QUIET_SECONDS:
            last_seq, days = max(environment.last_seq, self.settled_seq), frozenset()
        else:
            return None
        after, environment.last_seq, environment.told_at = environment.last_seq, last_seq, now
        sorted_days = None if days is None or len(days) > _MAX_DAYS else sorted(days)
        scope = environment.watch.scope
        return _Arrived(scope.workspace_id, scope.environment, after, last_seq, sorted_days)

    async def _tell(self, scopes: list[tuple[str, str]], arrivals: list[_Arrived]) -> None:
        try:
            for part in _parts(self._own, scopes, arrivals):
                await self._peers.tell(part)
        except Unavailable as error:  # what follows says that something is missing
            _log.info("other workers could not be told of events", extra={"reason": error.message})


def _parts(own: int, scopes: list[tuple[str, str]], arrivals: list[_Arrived]) -> Iterator[str]:
    """Yield messages that are short enough."""
    text = msgspec.json.encode(_Message(own, scopes, arrivals))
    if len(text) <= MESSAGE_BYTES:
        yield text.decode()
        return
    for scopes_half in (scopes[: len(scopes) // 2], scopes[len(scopes) // 2 :]):
        if scopes_half:
            yield from _parts(own, scopes_half, [])
    for arrivals_half in (arrivals[: len(arrivals) // 2], arrivals[len(arrivals) // 2 :]):
        if arrivals_half:
            yield from _parts(own, [], arrivals_half)

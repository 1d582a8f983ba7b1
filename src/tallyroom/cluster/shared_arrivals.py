"""What reaches the event store through other workers' spools, for readers that watch an environment on this worker.

A worker that watches environments announces it every second. Every worker that hears it announces what has been stored
in them, and every two seconds that nothing was. So a worker does nothing for environments that no one watches. Messages
may be lost: each names the sequence number after which it is complete. Anything that no message has reported within
five seconds is found in the metadata, where each worker records its spool's position (decisions/0031).
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import MAX_MESSAGE_BYTES, Peers, SpoolState
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier, UtcDays, Watch, merge_utc_days
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

_SEND_WATCHES_SECONDS = 1.0
_PEER_WATCH_SECONDS = 10.0
_POLL_SECONDS = 2.5
_ANNOUNCE_SECONDS = 0.2
_QUIET_SECONDS = 2.0
_MAX_DAYS = 100

_log = logging.getLogger(__name__)


class ArrivalReport(msgspec.Struct, frozen=True):
    """What has reached the store from one spool after `after_seq`, up to `last_seq`, and the days of these events."""

    spool_id: int
    after_seq: int
    last_seq: int
    days: UtcDays

    def combine(self, later: "ArrivalReport") -> "ArrivalReport":
        """Return this report and a later one combined."""
        days = merge_utc_days(self.days, later.days) if later.after_seq <= self.last_seq else None
        after_seq, last_seq = min(self.after_seq, later.after_seq), max(self.last_seq, later.last_seq)
        return ArrivalReport(self.spool_id, after_seq, last_seq, days)


class _ArrivalEntry(msgspec.Struct, array_like=True, frozen=True):
    workspace_id: str
    environment: str
    after_seq: int
    last_seq: int
    days: list[int] | None


class _PeerMessage(msgspec.Struct, array_like=True, frozen=True):
    spool_id: int
    scopes: list[tuple[str, str]]
    arrivals: list[_ArrivalEntry]


class _PeerWatch:
    """An environment that this worker watches for others."""

    def __init__(self, watch: Watch, now: float) -> None:
        self.watch = watch
        self.watched_until = self.announced_at = now
        self.announced_seq = watch.since_seq


class ReportQueue:
    """The pending reports on one environment, at most one for each spool."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._report_by_spool_id: dict[int, ArrivalReport] = {}
        self._changed_event = asyncio.Event()

    def add_report(self, report: ArrivalReport) -> None:
        """Add a report."""
        earlier = self._report_by_spool_id.get(report.spool_id)
        self._report_by_spool_id[report.spool_id] = report if earlier is None else earlier.combine(report)
        self._changed_event.set()

    async def wait_for_report(self) -> ArrivalReport:
        """Wait until another worker's events are in the store, and return the report on them."""
        while not self._report_by_spool_id:
            self._changed_event.clear()
            await self._changed_event.wait()
        return self._report_by_spool_id.pop(next(iter(self._report_by_spool_id)))


class SharedArrivals(ArrivalNotifier):
    """One worker's watches. Workers tell each other what they watch. Used only on the event loop."""

    def __init__(self, spool: Spool, drain: Drain, peers: Peers, clock: Clock) -> None:
        super().__init__(spool, drain)
        self._peers = peers
        self._own_spool_id = spool.identity
        self._clock = clock
        self._queue_by_scope: dict[Scope, ReportQueue] = {}
        self._peer_watch_by_scope: dict[Scope, _PeerWatch] = {}
        self._follow_event = asyncio.Event()
        self._follow_tasks: list[asyncio.Task[None]] = []
        self._announce_task: asyncio.Task[None] | None = None
        peers.subscribe(self.receive_message)

    async def find_spools(self) -> Mapping[int, SpoolState]:
        """Return the state of all spools, as `Peers.find_spools` does."""
        return await self._peers.find_spools()

    def follow(self, scope: Scope) -> ReportQueue:
        """Collect reports on an environment until `unfollow`. Each environment has at most one follower."""
        if not self._queue_by_scope:
            self._follow_tasks = [asyncio.create_task(self._send_watches()), asyncio.create_task(self._poll_spools())]
        report_queue = self._queue_by_scope[scope] = ReportQueue(scope)
        self._follow_event.set()
        return report_queue

    def unfollow(self, report_queue: ReportQueue) -> None:
        """Stop collecting reports."""
        del self._queue_by_scope[report_queue.scope]
        if not self._queue_by_scope:
            for task in self._follow_tasks:
                task.cancel()

    def receive_message(self, text: str) -> None:
        """Handle a worker's message. A message that this version does not understand counts as lost."""
        try:
            message = msgspec.json.decode(text, type=_PeerMessage)
        except msgspec.MsgspecError:
            return
        if message.spool_id == self._own_spool_id:
            return
        for workspace_id, environment in message.scopes:
            self._watch_for_peer(Scope(workspace_id, environment))
        for arrival in message.arrivals:
            if report_queue := self._queue_by_scope.get(Scope(arrival.workspace_id, arrival.environment)):
                days = None if arrival.days is None else frozenset(arrival.days)
                report_queue.add_report(ArrivalReport(message.spool_id, arrival.after_seq, arrival.last_seq, days))

    async def close(self) -> None:
        """Stop sending messages."""
        tasks = [*self._follow_tasks, *([self._announce_task] if self._announce_task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_watches(self) -> None:
        """Announce what is followed here, immediately when something is added and then repeatedly."""
        while True:
            self._follow_event.clear()
            await self._broadcast([(scope.workspace_id, scope.environment) for scope in self._queue_by_scope], [])
            with suppress(TimeoutError):
                async with asyncio.timeout(_SEND_WATCHES_SECONDS):
                    await self._follow_event.wait()

    async def _poll_spools(self) -> None:
        """Report what other workers have recorded, at the next poll, so that their messages come first."""
        known_states: dict[int, SpoolState] = {}
        while True:
            with suppress(Unavailable):
                spools = await self._peers.find_spools()
                for spool_id, state in known_states.items():
                    for queue in self._queue_by_scope.values():
                        queue.add_report(ArrivalReport(spool_id, state.stored_seq, state.stored_seq, frozenset()))
                known_states = {
                    spool_id: state
                    for spool_id, state in spools.items()
                    if spool_id != self._own_spool_id and (state.is_used or spool_id in known_states)
                }
            await asyncio.sleep(_POLL_SECONDS)

    def _watch_for_peer(self, scope: Scope) -> None:
        now = self._clock.monotonic()
        if scope not in self._peer_watch_by_scope:
            self._peer_watch_by_scope[scope] = _PeerWatch(self.watch(scope), now)
        self._peer_watch_by_scope[scope].watched_until = now + _PEER_WATCH_SECONDS
        if self._announce_task is None or self._announce_task.done():
            self._announce_task = asyncio.create_task(self._announce_arrivals())

    async def _announce_arrivals(self) -> None:
        """Announce arrivals that others watch, while they watch them."""
        while self._peer_watch_by_scope:
            now = self._clock.monotonic()
            entries = [self._build_entry(peer_watch, now) for peer_watch in list(self._peer_watch_by_scope.values())]
            arrivals = [entry for entry in entries if entry]
            if arrivals:
                await self._broadcast([], arrivals)
            await asyncio.sleep(_ANNOUNCE_SECONDS)

    def _build_entry(self, peer_watch: _PeerWatch, now: float) -> _ArrivalEntry | None:
        if peer_watch.watched_until < now:
            self.unwatch(peer_watch.watch)
            del self._peer_watch_by_scope[peer_watch.watch.scope]
            return None
        if arrival := peer_watch.watch.take_stored():
            last_seq, days = max(peer_watch.announced_seq, arrival.last_seq), arrival.utc_days
        elif peer_watch.watch.is_caught_up and now - peer_watch.announced_at >= _QUIET_SECONDS:
            last_seq, days = max(peer_watch.announced_seq, self.settled_seq), frozenset()
        else:
            return None
        after_seq, peer_watch.announced_seq, peer_watch.announced_at = peer_watch.announced_seq, last_seq, now
        sorted_days = None if days is None or len(days) > _MAX_DAYS else sorted(days)
        scope = peer_watch.watch.scope
        return _ArrivalEntry(scope.workspace_id, scope.environment, after_seq, last_seq, sorted_days)

    async def _broadcast(self, scopes: list[tuple[str, str]], arrivals: list[_ArrivalEntry]) -> None:
        try:
            for message in _split_messages(self._own_spool_id, scopes, arrivals):
                await self._peers.broadcast(message)
        except Unavailable as error:  # readers see in what follows that something is missing
            _log.info("cannot notify other workers of events", extra={"reason": error.message})


def _split_messages(own_spool_id: int, scopes: list[tuple[str, str]], arrivals: list[_ArrivalEntry]) -> Iterator[str]:
    """Yield messages that are short enough for one notification."""
    text = msgspec.json.encode(_PeerMessage(own_spool_id, scopes, arrivals))
    if len(text) <= MAX_MESSAGE_BYTES:
        yield text.decode()
        return
    for scopes_half in (scopes[: len(scopes) // 2], scopes[len(scopes) // 2 :]):
        if scopes_half:
            yield from _split_messages(own_spool_id, scopes_half, [])
    for arrivals_half in (arrivals[: len(arrivals) // 2], arrivals[len(arrivals) // 2 :]):
        if arrivals_half:
            yield from _split_messages(own_spool_id, [], arrivals_half)

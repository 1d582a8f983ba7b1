"""Turns validated events into an acknowledgement: counts them against the plan and fsyncs them, all or none."""

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import Peers
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier, Days
from tallyroom.ingest.acceptance.cap import MonthlyCap
from tallyroom.ingest.acceptance.disk import DiskWatch
from tallyroom.ingest.validation.event import Event
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IngestBatch, Replay
from tallyroom.storage.spool.queue import OutcomeCallback, Spool
from tallyroom.storage.spool.row import Chunk, SpoolRow, build_chunks, month_of

_RETRY_AFTER_SECONDS = 30
_RETRY_SOON_SECONDS = 2


class EventAcceptor:
    """Puts validated requests into the spool.

    Args:
        spool: makes events durable.
        cap: the plans' monthly caps.
        disk: watches the free disk space.
        spool_max_bytes: the most bytes that may wait for the store.
        arrivals: notifies the watchers of an environment.
        directory: knows whether the spool is still where it belongs.
        peers: the other workers, one of which may have taken the place of this one.
    """

    def __init__(  # every reason to refuse
        self,
        spool: Spool,
        cap: MonthlyCap,
        disk: DiskWatch,
        spool_max_bytes: int,
        arrivals: ArrivalNotifier,
        directory: DirectoryWatch,
        peers: Peers,
    ) -> None:
        self._spool = spool
        self._cap = cap
        self._disk = disk
        self._directory = directory
        self._peers = peers
        self._spool_max_bytes = spool_max_bytes
        self._arrivals = arrivals
        self._received_ms = 0  # of the newest event: setting the clock back must not reverse the order of arrival

    async def accept(self, scope: Scope, plan: str, events: list[Event], now_ms: int, replay: Replay | None) -> int:
        """Wait until all events are durable, and return how many there are.

        Takes the arguments and raises the errors of `accept_at_once`. The answer is 0 if room for the events had to be
        made first; now there is some, but time has passed, so the caller must check again whose events they are.

        Raises:
            SpoolUnavailable: the commit failed; no event is acknowledged.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self.accept_at_once(scope, plan, events, now_ms, partial(_settle_future, future), replay):
            await self._cap.make_room(scope.workspace_id, plan, month_of(now_ms), len(events))
            return 0
        await future
        return len(events)

    def accept_at_once(  # the parts of one request
        self,
        scope: Scope,
        plan: str,
        events: list[Event],
        now_ms: int,
        on_outcome: OutcomeCallback,
        replay: Replay | None = None,
    ) -> bool:
        """Add the events to the next commit; return False, with nothing done, if that cannot be decided at once.

        Args:
            scope: the workspace and environment of the key.
            plan: ``free`` or ``paid``.
            events: at least one.
            now_ms: the time of receipt.
            on_outcome: called on the event loop, with None once all events are durable, or with the error if none is.
            replay: stored with the events if the client sent an idempotency key.

        Raises:
            PlanLimit: the events would exceed the monthly cap; none is kept.
            Unavailable: the disk or the spool is full, or the server is stopping; none is kept.
        """
        month = month_of(now_ms)
        if not self._cap.reserve(scope.workspace_id, plan, month, len(events)):
            return False
        if replay is not None and replay.previous_wait is not None:
            self._received_ms = max(self._received_ms, replay.previous_wait.peer_received_ms + 1)
        build_chunks = partial(self._build_chunks, scope, events, now_ms)
        self._enqueue(
            scope, month, len(events), build_chunks, self._arrivals.find_days(scope, events), on_outcome, replay
        )
        if replay is not None:
            replay.received_ms = self._received_ms
        return True

    async def store_reserved(
        self, scope: Scope, month: int, event_count: int, build_chunks: Callable[[int], list[Chunk]]
    ) -> None:
        """Wait until events that already count against the plan are durable.

        Args:
            scope: the workspace and environment of the key.
            month: UTC month of receipt.
            event_count: at least one.
            build_chunks: builds the chunks for the spool, given the first sequence number.

        Raises:
            Unavailable: no event is kept, and the reserved count is given back.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._enqueue(scope, month, event_count, build_chunks, None, partial(_settle_future, future), None)
        await future

    def _enqueue(
        self,
        scope: Scope,
        month: int,
        event_count: int,
        build_chunks: Callable[[int], list[Chunk]],
        days: Days,
        on_outcome: OutcomeCallback,
        replay: Replay | None,
    ) -> None:
        try:
            self._refuse_when_not_accepting()
            first_seq = self._spool.reserve_seqs(event_count)
            last_seq = first_seq + event_count - 1
            batch = IngestBatch(scope.workspace_id, month, event_count, last_seq, build_chunks(first_seq), replay)

            def settle_batch(error: Exception | None) -> None:
                if error is not None:
                    self._cap.give_back(scope.workspace_id, month, event_count)
                self._arrivals.note_settled(scope, last_seq, days, is_kept=error is None)
                on_outcome(error)

            self._spool.add_batch(batch, settle_batch)
        except Unavailable:
            self._cap.give_back(scope.workspace_id, month, event_count)
            raise

    def _build_chunks(self, scope: Scope, events: list[Event], now_ms: int, first_seq: int) -> list[Chunk]:
        workspace_id, environment, spool = scope.workspace_id, scope.environment, self._spool.identity
        received_ms = self._received_ms = max(now_ms, self._received_ms)
        rows = [
            SpoolRow(
                workspace_id,
                environment,
                event.timestamp_ms,
                received_ms,
                spool,
                seq,
                event.name,
                event.actor,
                event.label,
                event.source,
                msgspec.Raw(event.properties),
                msgspec.Raw(event.narrowed) if event.narrowed else "",
            )
            for seq, event in enumerate(events, first_seq)
        ]
        return build_chunks(rows)

    def _refuse_when_not_accepting(self) -> None:
        self._directory.refuse_astray()
        if objection := self._peers.find_objection():
            raise Unavailable(objection, _RETRY_SOON_SECONDS)
        self._disk.refuse_when_low()
        if self._spool.waiting_bytes > self._spool_max_bytes:
            raise Unavailable(
                "Too many events wait for the event store, so the server accepts no new ones.", _RETRY_AFTER_SECONDS
            )


def _settle_future(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():  # the client disconnected
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)

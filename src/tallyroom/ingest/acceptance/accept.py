"""Makes checked requests durable and acknowledges them: counts their events against the plan and fsyncs them."""

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import Peers
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier, UtcDays
from tallyroom.ingest.acceptance.cap import MonthlyCap
from tallyroom.ingest.acceptance.disk import DiskWatch
from tallyroom.ingest.drain.frame import FrameHeader
from tallyroom.ingest.otlp.body import CheckedPieces, keep_first_events
from tallyroom.ingest.otlp.pack import LeftOutCounts
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.ingest.validation.event import Event
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IdempotentRequest, IngestBatch
from tallyroom.storage.spool.lane import find_lane
from tallyroom.storage.spool.queue import OutcomeCallback, Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk, SpoolRow, build_chunks, mark_narrowed, month_of

_RETRY_AFTER_SECONDS = 30
_RETRY_SOON_SECONDS = 2
_OTLP_ROW_BYTES = 150  # size of the line of an event without properties


class EventAcceptor:
    """Puts validated requests into the spool, of which at most `spool_max_bytes` may wait for the store."""

    def __init__(  # every reason to refuse
        self,
        spool: Spool,
        cap: MonthlyCap,
        disk_watch: DiskWatch,
        spool_max_bytes: int,
        arrival_notifier: ArrivalNotifier,
        directory_watch: DirectoryWatch,
        peers: Peers,
    ) -> None:
        self._spool = spool
        self._cap = cap
        self._disk_watch = disk_watch
        self._directory_watch = directory_watch
        self._peers = peers
        self._spool_max_bytes = spool_max_bytes
        self._arrival_notifier = arrival_notifier
        self._last_received_ms = 0  # of the newest event: setting the clock back must not reverse the order of arrival

    async def accept(
        self, scope: Scope, plan: str, events: list[Event], now_ms: int, idempotent_request: IdempotentRequest | None
    ) -> int:
        """Wait until all events are durable, and return how many there are; raises as `accept_at_once` does.

        0 means that the monthly cap had to be asked for room: the caller must check the key again and call again.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self.accept_at_once(scope, plan, events, now_ms, partial(_settle_future, future), idempotent_request):
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
        idempotent_request: IdempotentRequest | None = None,
    ) -> bool:
        """Add the events to the next commit; return False, with nothing done, if that cannot be decided at once.

        `plan` is ``free`` or ``paid``. `on_outcome` is called on the event loop, with None once all events are durable,
        or with the error. Raises `PlanLimit` above the monthly cap, or `Unavailable`. After an error, none is kept.
        """
        month = month_of(now_ms)
        if not self._cap.reserve(scope.workspace_id, plan, month, len(events)):
            return False
        if idempotent_request is not None and idempotent_request.previous_wait is not None:
            self._last_received_ms = max(self._last_received_ms, idempotent_request.previous_wait.peer_received_ms + 1)
        build_chunks = partial(self._build_chunks, scope, events, now_ms)
        utc_days = self._arrival_notifier.find_utc_days(scope, events)
        self._enqueue(scope, month, len(events), build_chunks, utc_days, on_outcome, idempotent_request)
        if idempotent_request is not None:
            idempotent_request.received_ms = self._last_received_ms
        return True

    async def store_reserved(
        self, scope: Scope, month: int, event_count: int, build_chunks: Callable[[int], list[Chunk]]
    ) -> None:
        """Wait until events that already count in a UTC month of receipt are durable; `Unavailable` gives them back."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._enqueue(scope, month, event_count, build_chunks, None, partial(_settle_future, future), None)
        await future

    def _enqueue(
        self,
        scope: Scope,
        month: int,
        event_count: int,
        build_chunks: Callable[[int], list[Chunk]],
        utc_days: UtcDays,
        on_outcome: OutcomeCallback,
        idempotent_request: IdempotentRequest | None,
    ) -> None:
        try:
            self._refuse_when_not_accepting()
            first_seq = self._spool.reserve_seqs(event_count)
            last_seq, chunks = first_seq + event_count - 1, build_chunks(first_seq)
            lane = find_lane(scope.workspace_id, scope.environment, chunks)
            batch = IngestBatch(scope.workspace_id, month, event_count, last_seq, chunks, idempotent_request, lane)

            def on_settled(error: Exception | None) -> None:
                if error is not None:
                    self._cap.give_back(scope.workspace_id, month, event_count)
                elif idempotent_request is not None:
                    idempotent_request.accepted_count = event_count
                self._arrival_notifier.note_settled(scope, last_seq, utc_days, is_kept=error is None)
                on_outcome(error)

            self._spool.add_batch(batch, on_settled)
        except Unavailable:
            self._cap.give_back(scope.workspace_id, month, event_count)
            raise

    def _build_chunks(self, scope: Scope, events: list[Event], now_ms: int, first_seq: int) -> list[Chunk]:
        workspace_id, environment, spool_id = scope.workspace_id, scope.environment, self._spool.identity
        received_ms = self._last_received_ms = max(now_ms, self._last_received_ms)
        rows = [
            SpoolRow(
                workspace_id,
                environment,
                event.timestamp_ms,
                received_ms,
                spool_id,
                seq,
                event.name,
                event.actor,
                event.label,
                event.source,
                msgspec.Raw(event.properties),
                mark_narrowed(event.narrowed) if event.has_long_numbers else None,
            )
            for seq, event in enumerate(events, first_seq)
        ]
        return build_chunks(rows)

    def _refuse_when_not_accepting(self) -> None:
        self._directory_watch.refuse_astray()
        if objection := self._peers.find_objection():
            raise Unavailable(objection, _RETRY_SOON_SECONDS)
        self._disk_watch.refuse_when_low()
        if self._spool.waiting_bytes > self._spool_max_bytes:
            raise Unavailable(
                "Too many events are queued for the event store, so the server accepts no new ones.",
                _RETRY_AFTER_SECONDS,
            )


class OtlpAcceptor:
    """Puts checked requests into the spool."""

    def __init__(self, acceptor: EventAcceptor, cap: MonthlyCap) -> None:
        self._acceptor = acceptor
        self._cap = cap

    async def accept(
        self, scope: Scope, plan: str, signal: Signal, checked_pieces: CheckedPieces, now_ms: int
    ) -> LeftOutCounts | None:
        """Wait until the request is durable, and return what was left out of it, such as events beyond the monthly cap.

        None means that the cap had to be asked for room: check the key again and call again. After `Unavailable`, none
        is kept.
        """
        workspace_id, month = scope.workspace_id, month_of(now_ms)
        reserved_count = self._cap.reserve_up_to(workspace_id, plan, month, checked_pieces.event_count)
        if reserved_count is None:
            await self._cap.make_room(workspace_id, plan, month, checked_pieces.event_count, is_part_enough=True)
            return None
        if reserved_count < checked_pieces.event_count:
            try:
                checked_pieces = await asyncio.to_thread(keep_first_events, signal, checked_pieces, reserved_count)
            except BaseException:
                self._cap.give_back(workspace_id, month, reserved_count)
                raise
            self._cap.give_back(workspace_id, month, reserved_count - checked_pieces.event_count)
        if checked_pieces.pieces:
            build_chunks = partial(_build_otlp_chunks, scope, signal, checked_pieces, now_ms)
            await self._acceptor.store_reserved(scope, month, checked_pieces.event_count, build_chunks)
        return checked_pieces.left_out


def _settle_future(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():  # the client disconnected
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


def _build_otlp_chunks(
    scope: Scope, signal: Signal, checked_pieces: CheckedPieces, now_ms: int, first_seq: int
) -> list[Chunk]:
    chunks = []
    origin = (signal.name, scope.workspace_id, scope.environment, now_ms)
    for compressed_payload, byte_count, event_count in checked_pieces.pieces:
        frame = FrameHeader(*origin, first_seq, event_count, len(compressed_payload)).wrap(compressed_payload)
        chunks.append(Chunk(UNMAPPED_MONTH, event_count, frame, byte_count + event_count * _OTLP_ROW_BYTES))
        first_seq += event_count
    return chunks

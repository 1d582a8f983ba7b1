"""Makes a checked request durable and acknowledges it: counts its events, up to the plan's cap, and fsyncs them."""

import asyncio

from tallyroom.ingest.acceptance.accept import EventAcceptor
from tallyroom.ingest.acceptance.cap import MonthlyCap
from tallyroom.ingest.drain.frame import FrameHeader
from tallyroom.ingest.otlp.body import CheckedPieces, keep_first_events
from tallyroom.ingest.otlp.pack import LeftOutCounts
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk, month_of

_ROW_BYTES = 150  # size of the line of an event without properties


class OtlpAcceptor:
    """Puts checked requests into the spool."""

    def __init__(self, acceptor: EventAcceptor, cap: MonthlyCap) -> None:
        self._acceptor = acceptor
        self._cap = cap

    async def accept(
        self, scope: Scope, plan: str, signal: Signal, checked_pieces: CheckedPieces, now_ms: int
    ) -> LeftOutCounts | None:
        """Wait until the request is durable, and return what was left out of it, such as events beyond the monthly cap.

        None means that the cap had to be asked for room: the caller must check the key again and call again. `plan` is
        ``free`` or ``paid``. Raises `Unavailable` if nothing is kept: the disk or the spool is full, the server is
        stopping, or the commit failed.
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

            def build_chunks(first_seq: int) -> list[Chunk]:
                return _build_chunks(scope, signal, checked_pieces, now_ms, first_seq)

            await self._acceptor.store_reserved(scope, month, checked_pieces.event_count, build_chunks)
        return checked_pieces.left_out


def _build_chunks(
    scope: Scope, signal: Signal, checked_pieces: CheckedPieces, now_ms: int, first_seq: int
) -> list[Chunk]:
    chunks = []
    for compressed_payload, byte_count, event_count in checked_pieces.pieces:
        frame = FrameHeader(
            signal.name, scope.workspace_id, scope.environment, now_ms, first_seq, event_count, len(compressed_payload)
        ).wrap(compressed_payload)
        chunks.append(Chunk(UNMAPPED_MONTH, event_count, frame, byte_count + event_count * _ROW_BYTES))
        first_seq += event_count
    return chunks

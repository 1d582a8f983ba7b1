"""Turns a checked request into an acknowledgement: counts its events, as far as the plan allows, and fsyncs them."""

import asyncio

from tallyroom.ingest.acceptance.accept import Accept
from tallyroom.ingest.acceptance.cap import MonthlyCap
from tallyroom.ingest.drain.frame import Frame
from tallyroom.ingest.otlp.body import CheckedPieces, keep_first_events
from tallyroom.ingest.otlp.pack import LeftRecords
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk, month_of

_ROW_BYTES = 150  # size of the line of an event without properties


class AcceptOtlp:
    """Puts checked requests into the spool.

    Args:
        accept: writes to the spool.
        cap: the plans' monthly caps.
    """

    def __init__(self, accept: Accept, cap: MonthlyCap) -> None:
        self._accept = accept
        self._cap = cap

    async def accept(
        self, scope: Scope, plan: str, signal: Signal, records: CheckedPieces, now_ms: int
    ) -> LeftRecords | None:
        """Wait until the request is durable, and return what was left out of it.

        The answer is None if room for the events had to be made first; now there is some, but time has passed, so the
        caller must check again whose events they are.

        Args:
            scope: the workspace and environment of the key.
            plan: ``free`` or ``paid``.
            signal: the signal that the request carries.
            records: the records that may be kept; if they exceed the plan's monthly cap, only the first ones are.
            now_ms: the time of receipt.

        Raises:
            Unavailable: the disk or the spool is full, the server is stopping, or the commit failed; none is kept.
        """
        workspace_id, month = scope.workspace_id, month_of(now_ms)
        room = self._cap.reserve_up_to(workspace_id, plan, month, records.events)
        if room is None:
            await self._cap.make_room(workspace_id, plan, month, records.events, part=True)
            return None
        if room < records.events:
            try:
                records = await asyncio.to_thread(keep_first_events, signal, records, room)
            except BaseException:
                self._cap.give_back(workspace_id, month, room)
                raise
            self._cap.give_back(workspace_id, month, room - records.events)
        if records.pieces:

            def chunks(first_seq: int) -> list[Chunk]:
                return _chunks(scope, signal, records, now_ms, first_seq)

            await self._accept.keep(scope, month, records.events, chunks)
        return records.left


def _chunks(scope: Scope, signal: Signal, records: CheckedPieces, now_ms: int, first_seq: int) -> list[Chunk]:
    chunks = []
    for compressed_payload, size, events in records.pieces:
        frame = Frame(
            signal.name, scope.workspace_id, scope.environment, now_ms, first_seq, events, len(compressed_payload)
        ).around(compressed_payload)
        chunks.append(Chunk(UNMAPPED_MONTH, events, frame, size + events * _ROW_BYTES))
        first_seq += events
    return chunks

"""From a checked request to an acknowledgement: counted against the plan, as far as that goes, and fsynced."""

import asyncio

from tallyroom.ingest.accept import Accept
from tallyroom.ingest.cap import MonthlyCap
from tallyroom.ingest.otlp.frame import Frame
from tallyroom.ingest.otlp.pack import Left
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.ingest.otlp.take import Taken, take_first
from tallyroom.spool.row import UNMAPPED, Chunk, month_of
from tallyroom.store.scope import Scope

_ROW_BYTES = 150  # of the line of an event without properties


class AcceptOtlp:
    """Takes checked requests into the spool.

    Args:
        accept: the way into the spool.
        cap: the plans' monthly caps.
    """

    def __init__(self, accept: Accept, cap: MonthlyCap) -> None:
        self._accept = accept
        self._cap = cap

    async def accept(self, scope: Scope, plan: str, signal: Signal, taken: Taken, now_ms: int) -> Left:
        """Return what was left out when the rest is durable.

        Args:
            scope: the workspace and environment of the key.
            plan: ``free`` or ``paid``.
            signal: of which the request is.
            taken: what may be kept of it; beyond the plan's monthly cap, only what came first.
            now_ms: the time of receipt.

        Raises:
            Unavailable: the disk or the spool is full, the server stops, or the commit failed; none is kept.
        """
        workspace_id, month = scope.workspace_id, month_of(now_ms)
        allowed = self._cap.reserve_up_to(workspace_id, plan, month, taken.events)
        if allowed < taken.events:
            try:
                taken = await asyncio.to_thread(take_first, signal, taken, allowed)
            except BaseException:
                self._cap.give_back(workspace_id, month, allowed)
                raise
            self._cap.give_back(workspace_id, month, allowed - taken.events)
        if taken.pieces:

            def chunks(first_seq: int) -> list[Chunk]:
                return _chunks(scope, signal, taken, now_ms, first_seq)

            await self._accept.keep(scope, month, taken.events, chunks)
        return taken.left


def _chunks(scope: Scope, signal: Signal, taken: Taken, now_ms: int, first_seq: int) -> list[Chunk]:
    chunks = []
    for compressed, size, events in taken.pieces:
        frame = Frame(
            signal.name, scope.workspace_id, scope.environment, now_ms, first_seq, events, len(compressed)
        ).around(compressed)
        chunks.append(Chunk(UNMAPPED, events, frame, size + events * _ROW_BYTES))
        first_seq += events
    return chunks

"""The server's side of the processes that read bodies (ingest/validation/body_worker.py)."""

import asyncio

from tallyroom.core.process_pool import PoolRefusals, ProcessPool
from tallyroom.ingest.otlp.body import CheckedPieces
from tallyroom.ingest.validation.body_worker import FoundEvents, ReadEvents, ReadRecords
from tallyroom.ingest.validation.event import Event

_MODULE = "tallyroom.ingest.validation.body_worker"
_MAX_WAITING_BODIES = 64  # bodies of up to 2 MiB
_POOL_REFUSALS = PoolRefusals(
    busy_message="Too many requests are queued. Try again shortly.",
    failure_message="The body could not be read in time. Try again.",
    retry_after_seconds=1,
)


class BodyReaders:
    """Reads large bodies in processes started on demand; each kind has its own, so that none delays another."""

    def __init__(self) -> None:
        self._plain_pool = _build_pool(1)
        self._exact_pool = _build_pool(1)
        self._record_pool = _build_pool(2)

    async def read_plain_events(self, body: bytes, now_ms: int) -> list[Event] | None:
        """Return an inflated body's events; None if that needs `read_exact_events`. Raises `Unavailable`."""
        return (await self._plain_pool.ask(ReadEvents(body, now_ms, exactly=False), FoundEvents)).events

    async def read_exact_events(self, body: bytes, now_ms: int) -> list[Event]:
        """Return the events of an inflated body, and raise the errors of `parse_exactly`; or raise `Unavailable`."""
        return await self._exact_pool.ask(ReadEvents(body, now_ms, exactly=True), list[Event])

    async def read_records(self, signal: str, body: bytes, *, json: bool) -> CheckedPieces:
        """Read an inflated OpenTelemetry request; raises the errors of `read_protobuf`, or `Unavailable`."""
        return await self._record_pool.ask(ReadRecords(signal, body, json), CheckedPieces)

    async def close(self) -> None:
        """Kill the processes, even busy ones."""
        await asyncio.gather(*(pool.close() for pool in (self._plain_pool, self._exact_pool, self._record_pool)))


def _build_pool(max_processes: int) -> ProcessPool:
    return ProcessPool([_MODULE], _POOL_REFUSALS, max_workers=max_processes, max_waiting=_MAX_WAITING_BODIES)

"""The processes that read bodies, as the server sees them (ingest/validation/body_worker.py)."""

import asyncio

from tallyroom.core.process_pool import PoolRefusals, ProcessPool
from tallyroom.ingest.otlp.body import CheckedPieces
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.messages import FoundEvents, ReadEvents, ReadRecords

_MODULE = "tallyroom.ingest.validation.body_worker"
_MOST_WAITING = 64  # bodies of up to 2 MiB
_REFUSALS = PoolRefusals(
    busy_message="Too many other requests are waiting. Try again.",
    failure_message="The body could not be read in time. Try again.",
    retry_after_seconds=1,
)


class BodyReaders:
    """Reads large bodies in processes that start with the first; each kind has its own, so that none delays another."""

    def __init__(self) -> None:
        self._plain = _processes(1)
        self._exact = _processes(1)
        self._records = _processes(2)

    async def plain_events(self, body: bytes, now_ms: int) -> list[Event] | None:
        """Return the events of an inflated body, as `parse_plainly` does; None if only `exact_events` can judge it.

        Raises:
            Unavailable: too many bodies wait, the server stops, or the process broke.
        """
        return (await self._plain.ask(ReadEvents(body, now_ms, exactly=False), FoundEvents)).events

    async def exact_events(self, body: bytes, now_ms: int) -> list[Event]:
        """Return the events of an inflated body, as `parse_exactly` does.

        Raises:
            ValidationFailed, PayloadTooLarge: as `parse_exactly` does.
            Unavailable: as above.
        """
        return await self._exact.ask(ReadEvents(body, now_ms, exactly=True), list[Event])

    async def records(self, signal: str, body: bytes, *, json: bool) -> CheckedPieces:
        """Return the pieces of an inflated request of OpenTelemetry, in JSON or else in protobuf.

        Raises:
            ValidationFailed, PayloadTooLarge: as `read_protobuf` does.
            Unavailable: as above.
        """
        return await self._records.ask(ReadRecords(signal, body, json), CheckedPieces)

    async def close(self) -> None:
        """End the processes, whatever they are reading."""
        await asyncio.gather(*(pool.close() for pool in (self._plain, self._exact, self._records)))


def _processes(most: int) -> ProcessPool:
    return ProcessPool(
        [_MODULE],
        _REFUSALS,
        max_workers=most,
        max_waiting=_MOST_WAITING,
    )

"""Decides whether a worker is alone, or counts and remembers together with the others on its PostgreSQL database."""

from tallyroom.ingest.cap import LocalCap, MonthlyCap
from tallyroom.ingest.idempotency_keys import IdempotencyKeys, LocalIdempotencyKeys
from tallyroom.ingest.shared_cap import SharedCap
from tallyroom.ingest.shared_idempotency_keys import SharedIdempotencyKeys
from tallyroom.ingest.worker_parts import WorkerParts


def open_cap(dsn: str, free_events_per_month: int, parts: WorkerParts) -> MonthlyCap:
    """Open the monthly cap.

    Args:
        dsn: the PostgreSQL database of the metadata; "" if a file has them, which only one process accepts events for.
        free_events_per_month: the cap of the plan ``free``.
        parts: what counts.
    """
    return SharedCap(free_events_per_month, parts) if dsn else LocalCap(parts.connection, free_events_per_month)


def open_idempotency_keys(dsn: str, parts: WorkerParts) -> IdempotencyKeys:
    """Open the idempotency keys; the arguments are those of `open_cap`."""
    return SharedIdempotencyKeys(parts) if dsn else LocalIdempotencyKeys()

"""Decides whether a worker is alone, or counts and remembers together with the others on its PostgreSQL database."""

from tallyroom.cluster.shared_arrivals import SharedArrivals
from tallyroom.cluster.shared_cap import SharedCap
from tallyroom.cluster.shared_idempotency_keys import SharedIdempotencyKeys
from tallyroom.cluster.worker_parts import WorkerContext
from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.ingest.acceptance.cap import LocalCap, MonthlyCap
from tallyroom.ingest.acceptance.idempotency_keys import IdempotencyKeys, LocalIdempotencyKeys
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.spool.queue import Spool


def open_cap(dsn: str, free_events_per_month: int, context: WorkerContext) -> MonthlyCap:
    """Open the monthly cap.

    Args:
        dsn: the PostgreSQL database of the metadata; "" if a file has them, which only one process accepts events for.
        free_events_per_month: the cap of the plan ``free``.
        context: what counts.
    """
    return SharedCap(free_events_per_month, context) if dsn else LocalCap(context.connection, free_events_per_month)


def open_idempotency_keys(dsn: str, context: WorkerContext) -> IdempotencyKeys:
    """Open the idempotency keys; the arguments are those of `open_cap`."""
    return SharedIdempotencyKeys(context) if dsn else LocalIdempotencyKeys()


def open_arrivals(dsn: str, spool: Spool, drain: Drain, peers: Peers, clock: Clock) -> ArrivalNotifier:
    """Open what reports on new events.

    Args:
        dsn: as for `open_cap`.
        spool: knows which events of this worker are durable.
        drain: knows which of them are in the store.
        peers: the other workers.
        clock: tells for how long these want to know of events.
    """
    return SharedArrivals(spool, drain, peers, clock) if dsn else ArrivalNotifier(spool, drain)

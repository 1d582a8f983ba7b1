"""Chooses whether a worker counts and remembers alone or together with the others on its PostgreSQL database."""

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
    """Open the monthly cap; `dsn` is "" if the metadata is in a file, and only this process accepts events."""
    return SharedCap(free_events_per_month, context) if dsn else LocalCap(context.connection, free_events_per_month)


def open_idempotency_keys(dsn: str, context: WorkerContext) -> IdempotencyKeys:
    """Open the idempotency keys; `dsn` is as for `open_cap`."""
    return SharedIdempotencyKeys(context) if dsn else LocalIdempotencyKeys()


def open_arrivals(dsn: str, spool: Spool, drain: Drain, peers: Peers, clock: Clock) -> ArrivalNotifier:
    """Open the notifier for new events; `dsn` is as for `open_cap`."""
    return SharedArrivals(spool, drain, peers, clock) if dsn else ArrivalNotifier(spool, drain)

"""What the metadata on a server records about several workers, read at one moment by a process that is not a worker."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.metadata.record import SpoolState
from tallyroom.storage.metadata.stamp import Loss

SELECT_DELAYED_ALERTS = """
SELECT count(*), min(delayed_since_ms) FROM alerts WHERE enabled AND delayed_since_ms > coalesce(evaluated_at_ms, 0)
"""
"""The columns of `DelayedAlerts`, in SQLite and in PostgreSQL."""


class SurveyedSpool(NamedTuple):
    """A spool that was ever in use; `host` and `path` are from its last use."""

    identity: int  # the number that each of its events carries
    host: str
    path: str
    state: SpoolState
    keeper_id: int | None  # the spool whose worker is responsible for its events; None if only its own worker is
    has_worker: bool  # whether a worker has a lease on it
    settings_fingerprint: str | None  # of that worker; None if there is no worker
    acknowledged_seq: int  # its events are acknowledged up to here, according to its worker's last report
    stored_seq: int  # its events are stored up to here, according to the same report
    counts_json: str  # its counts, from the same report; "" if there is none
    reported_ms: int | None  # the time of the report by the database's clock; None if there is none


class OpenErasure(NamedTuple):
    """An unfinished erasure: the time of the request (ms since 1970 UTC), and the spools that it waits for."""

    asked_at_ms: int
    waiting_spool_ids: Sequence[int]


class DelayedAlerts(NamedTuple):
    """How many alerts wait for the newest events, and the first beat at which one of them did (ms since 1970 UTC)."""

    alert_count: int
    since_ms: int | None


class Survey(NamedTuple):
    """What the metadata records about all workers."""

    server_version: str
    write_problem: str  # "" if the database can be written
    now_ms: int  # by the database server's clock
    clock_ahead_ms: int  # how far this machine's clock is ahead of it
    spools: Sequence[SurveyedSpool]
    erasures: Sequence[OpenErasure]
    delayed_alerts: DelayedAlerts
    losses: Sequence[Loss]  # those that operators have accepted, oldest first

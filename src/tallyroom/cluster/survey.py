"""What the metadata on a server records about several workers, read at one moment by a process that is not a worker."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.metadata.record import SpoolState
from tallyroom.storage.metadata.stamp import Loss


class SurveyedSpool(NamedTuple):
    """A spool that was ever in use; `host` and `path` are from its last use.

    Attributes:
        identity: the number that each of its events carries.
        keeper_id: the spool whose worker is responsible for its events; None if only its own worker is.
        has_worker: whether a worker has a lease on it.
        settings_fingerprint: a fingerprint of that worker's settings; None if there is no worker.
        acknowledged_seq: its events are acknowledged up to this sequence number, according to its worker's last report.
        stored_seq: its events are stored up to this sequence number, according to the same report.
        counts_json: its counts as JSON, from the same report; "" if there is none.
        reported_ms: the time of the report by the database's clock; None if there is none.
    """

    identity: int
    host: str
    path: str
    state: SpoolState
    keeper_id: int | None
    has_worker: bool
    settings_fingerprint: str | None
    acknowledged_seq: int
    stored_seq: int
    counts_json: str
    reported_ms: int | None


class OpenErasure(NamedTuple):
    """An unfinished erasure: the time of the request (ms since 1970 UTC), and the spools that it waits for."""

    asked_at_ms: int
    waiting_spool_ids: Sequence[int]


class Survey(NamedTuple):
    """What the metadata records about all workers; `losses` are those that operators have accepted, oldest first.

    `write_problem` is "" if the database can be written. `now_ms` is by the database server's clock. This machine's
    clock is `clock_ahead_ms` ahead of it.
    """

    server_version: str
    write_problem: str
    now_ms: int
    clock_ahead_ms: int
    spools: Sequence[SurveyedSpool]
    erasures: Sequence[OpenErasure]
    losses: Sequence[Loss]

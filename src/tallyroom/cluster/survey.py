"""What the metadata on a server knows of several workers, read at one moment for somebody who is none of them."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.metadata.record import SpoolState
from tallyroom.storage.metadata.stamp import Loss


class SurveyedSpool(NamedTuple):
    """A spool that was ever in use.

    Attributes:
        identity: the number that each of its events carries.
        host: the machine on which it was last in use.
        path: its directory there.
        state: what has become of it.
        keeper_id: the spool whose worker answers for its events; None if nobody but its own does.
        has_worker: whether a worker has a lease on it.
        settings_fingerprint: a fingerprint of the settings of that worker; None if there was none.
        acknowledged_seq: the sequence number up to which its events are acknowledged, as its worker said last.
        stored_seq: the one up to which they are stored.
        counts_json: its counts, as JSON, as its worker said last; "" if it has not said.
        reported_ms: when that was, by the database's clock; None if it has not said anything.
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
    """An erasure that is not done: when it was asked for (ms since 1970 UTC), and the spools that it waits for."""

    asked_at_ms: int
    waiting_spool_ids: Sequence[int]


class Survey(NamedTuple):
    """All of it.

    Attributes:
        server_version: that of the database server.
        write_problem: why it cannot be written; "" if it can.
        now_ms: the time by its clock.
        clock_ahead_ms: by how much the clock of this machine is ahead of it.
        spools: all spools.
        erasures: those that are under way.
        losses: what operators have accepted as lost, oldest first.
    """

    server_version: str
    write_problem: str
    now_ms: int
    clock_ahead_ms: int
    spools: Sequence[SurveyedSpool]
    erasures: Sequence[OpenErasure]
    losses: Sequence[Loss]

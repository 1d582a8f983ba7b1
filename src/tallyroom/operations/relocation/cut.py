"""Finds a moment at which all workers of an installation have delivered what they had accepted before it.

No worker is held up: each says with every renewal of its lease how far its spool is, and what its counts are. Of each
spool, the cut is at the number up to which it had acknowledged events when its worker said so first. As long as nothing
is deleted until all have said so again, the event store has exactly what the counts say of the events up to there.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from socket import gethostname
from typing import NamedTuple

from tallyroom.cluster.open_metadata import survey
from tallyroom.cluster.survey import Survey, SurveyedSpool
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.settings import Settings
from tallyroom.operations.doctor.event_balance import said_numbers
from tallyroom.storage.database_file import reading
from tallyroom.storage.spool.event_counts import SpoolNumbers, read_numbers

_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 120.0


class WorkerAbsent(TallyroomError):
    """A worker is away, so nobody knows whether its spool has events that the event store does not have."""


class Cut(NamedTuple):
    """How far each spool is meant.

    Attributes:
        counts: those of each spool that is meant up to its last event.
        absent: spools whose workers are away; what waits in these is left out.
        spools: all that there ever were.
        at_ms: when the workers had said how far they are, by the clock of the metadata database.
    """

    counts: Mapping[int, SpoolNumbers]
    absent: Sequence[SurveyedSpool]
    spools: Sequence[SurveyedSpool]
    at_ms: int

    def expected(self, spool: int) -> int:
        """Return how many events of a spool the event store has, of those that are meant."""
        counts = self.counts[spool]
        return counts.acknowledged - counts.dead_letters - counts.erased - counts.lost

    def where(self) -> str:
        """Return the condition in SQL for the events that are meant."""
        if not self.counts:
            return "1"
        spools = ", ".join(map(str, self.counts))
        last = ", ".join(str(counts.next_seq) for counts in self.counts.values())
        return f"seq < transform(spool, [{spools}], [{last}], {2**63 - 1})"


class Cuts:
    """Makes cuts.

    Args:
        settings: those of the workers.
        clock: that of this host.
        without_absent: leave out what waits in the spools of workers that are away.
    """

    def __init__(self, settings: Settings, clock: Clock, *, without_absent: bool) -> None:
        self._dsn = settings.db_dsn
        self._clock = clock
        self._without_absent = without_absent

    def make(self) -> Cut:
        """Wait until all that the workers have accepted before this call is in the event store.

        Raises:
            WorkerAbsent: a worker is away.
            Unavailable: that takes too long.
            TallyroomError: the metadata database does not answer.
        """
        cut = self._said_anew()
        for cluster in self._looks():
            spools = {spool.identity: spool for spool in cluster.spools}
            if all(_has_delivered(spools[spool], counts) for spool, counts in cut.counts.items()):
                return cut
            self._refuse([spool for spool in cluster.spools if spool.identity in cut.counts and not _is_served(spool)])
        raise Unavailable("The event store does not take what the workers have accepted. Try again later.")

    def holds(self, cut: Cut) -> bool:
        """Return whether nothing was deleted, put aside or lost since a cut was made.

        Raises:
            WorkerAbsent, Unavailable, TallyroomError: as `make` does.
        """
        then, now = cut.counts, self._said_anew().counts
        return now.keys() >= then.keys() and all(_same(then[spool], now[spool]) for spool in then)

    def _said_anew(self) -> Cut:
        """Wait until each worker has said its counts after this call."""
        since: int | None = None
        for cluster in self._looks():
            since = since or cluster.now_ms
            live = [spool for spool in cluster.spools if spool.state == "live"]
            absent = [spool for spool in live if not _is_served(spool)]
            if not self._without_absent:
                self._refuse(absent)
            spool_counts = [
                (spool.identity, _counts(spool)) for spool in live if spool not in absent and _is_new(spool, since)
            ]
            counts_by_spool = {spool: counts for spool, counts in spool_counts if counts is not None}
            if len(counts_by_spool) + len(absent) == len(live):
                return Cut(counts_by_spool, absent, cluster.spools, cluster.now_ms)
        raise Unavailable("A worker holds its lease and does not say how far it is. Try again later.")

    def _looks(self) -> Iterator[Survey]:
        deadline = self._clock.monotonic() + _PATIENCE_SECONDS
        while self._clock.monotonic() < deadline:
            yield survey(self._dsn, self._clock.now_ms)
            time.sleep(_LOOK_SECONDS)

    def _refuse(self, absent: Sequence[SurveyedSpool]) -> None:
        """Refuse to leave out what may wait in a spool."""
        if absent:
            where = " and ".join(f"{spool.identity}, last in use on {spool.host} in {spool.path}" for spool in absent)
            raise WorkerAbsent(
                f"No worker serves from {'this spool' if len(absent) == 1 else 'these spools'}: {where}. Events may "
                "wait there that nobody else has. Start the worker, adopt the spool with `tallyroom spool adopt`, or "
                "leave out what waits there with --without-absent."
            )


def _is_served(spool: SurveyedSpool) -> bool:
    """Return whether a worker has it, or a look into its file on this host shows that nothing waits in it."""
    if spool.has_worker:
        return True
    counts = _in_file(spool)
    return counts is not None and counts.queued == 0


def _is_new(spool: SurveyedSpool, since: int) -> bool:
    return not spool.has_worker or (spool.seen_ms or 0) > since


def _counts(spool: SurveyedSpool) -> SpoolNumbers | None:
    return said_numbers(spool) if spool.has_worker else _in_file(spool)


def _in_file(spool: SurveyedSpool) -> SpoolNumbers | None:
    """Read the counts of a spool of this host; None if it is not there."""
    file = Path(spool.path) / SPOOL_FILE
    if spool.host != gethostname() or not file.is_file():
        return None
    with suppress(sqlite3.Error), reading(file) as connection:
        counts = read_numbers(connection)
        return counts if counts.spool == spool.identity else None
    return None


def _has_delivered(spool: SurveyedSpool, counts: SpoolNumbers) -> bool:
    if not spool.has_worker:
        return _is_served(spool)
    return spool.stored_seq >= counts.next_seq - 1


def _same(then: SpoolNumbers, now: SpoolNumbers) -> bool:
    """Return whether the events that were acknowledged then are where they were."""
    removals = [(counts.erased, counts.dead_letters, counts.lost, counts.erasing) for counts in (then, now)]
    return removals[0] == removals[1] and not now.erasing

"""Finds a moment at which all workers of an installation have delivered everything accepted before it.

No worker is blocked: each reports its spool's position and counts whenever it renews its lease. The cut of a spool is
the acknowledged position in its worker's first report. If nothing is deleted until all workers have reported again, the
event store has exactly the counted events up to the cut.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from socket import gethostname
from typing import NamedTuple

from tallyroom.cluster.open_metadata import read_survey
from tallyroom.cluster.survey import Survey, SurveyedSpool
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.settings import Settings
from tallyroom.operations.doctor.event_balance import read_reported_counts
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts

_POLL_SECONDS = 0.2
_MAX_WAIT_SECONDS = 120.0


class WorkerAbsent(TallyroomError):
    """A worker is away, so its spool may have events that the event store does not have."""


class ConsistentCut(NamedTuple):
    """The position up to which each spool is included."""

    counts_by_spool: Mapping[int, SpoolCounts]  # the counts of each included spool at its last included event
    absent_spools: Sequence[SurveyedSpool]  # those whose workers are away; their queued events are excluded
    all_spools: Sequence[SurveyedSpool]  # all that ever existed
    cut_ms: int  # when all workers had reported, by the metadata database's clock

    def count_expected(self, spool_id: int) -> int:
        """Return how many included events of a spool the event store must have."""
        counts = self.counts_by_spool[spool_id]
        return counts.acknowledged - counts.dead_letters - counts.erased - counts.written_off

    def sql_condition(self) -> str:
        """Return the SQL condition for the included events."""
        if not self.counts_by_spool:
            return "1"
        spool_list = ", ".join(map(str, self.counts_by_spool))
        next_seqs = ", ".join(str(counts.next_seq) for counts in self.counts_by_spool.values())
        return f"seq < transform(spool, [{spool_list}], [{next_seqs}], {2**63 - 1})"


class CutFinder:
    """Finds cuts; `without_absent` excludes what is queued in the spools of workers that are away."""

    def __init__(self, settings: Settings, clock: Clock, *, without_absent: bool) -> None:
        self._dsn = settings.db_dsn
        self._clock = clock
        self._without_absent = without_absent

    def find_cut(self) -> ConsistentCut:
        """Wait until everything that the workers accepted before this call is in the event store.

        Raises `WorkerAbsent`, or `Unavailable` if it takes too long.
        """
        cut = self._wait_for_cut()
        for survey in self._poll_surveys():
            spool_by_id = {spool.identity: spool for spool in survey.spools}
            if all(_has_delivered(spool_by_id[spool_id], counts) for spool_id, counts in cut.counts_by_spool.items()):
                return cut
            cut_spools = [spool for spool in survey.spools if spool.identity in cut.counts_by_spool]
            self._refuse_absent([spool for spool in cut_spools if not _is_served(spool)])
        raise Unavailable("The event store does not accept the workers' events. Try again later.")

    def is_valid(self, cut: ConsistentCut) -> bool:
        """Return whether nothing was deleted, set aside or lost since a cut; raises as `find_cut` does."""
        counts_before, counts_now = cut.counts_by_spool, self._wait_for_cut().counts_by_spool
        return counts_now.keys() >= counts_before.keys() and all(
            _is_unchanged(counts_before[spool_id], counts_now[spool_id]) for spool_id in counts_before
        )

    def _wait_for_cut(self) -> ConsistentCut:
        started_ms: int | None = None
        for survey in self._poll_surveys():
            started_ms = started_ms or survey.now_ms
            live_spools = [spool for spool in survey.spools if spool.state == "live"]
            absent_spools = [spool for spool in live_spools if not _is_served(spool)]
            if not self._without_absent:
                self._refuse_absent(absent_spools)
            spool_counts = [
                (spool.identity, _read_counts(spool))
                for spool in live_spools
                if spool not in absent_spools and _has_reported_since(spool, started_ms)
            ]
            counts_by_spool = {spool_id: counts for spool_id, counts in spool_counts if counts is not None}
            if len(counts_by_spool) + len(absent_spools) == len(live_spools):
                return ConsistentCut(counts_by_spool, absent_spools, survey.spools, survey.now_ms)
        raise Unavailable("A worker holds its lease but does not report its position. Try again later.")

    def _poll_surveys(self) -> Iterator[Survey]:
        deadline = self._clock.monotonic() + _MAX_WAIT_SECONDS
        while self._clock.monotonic() < deadline:
            yield read_survey(self._dsn, self._clock.now_ms)
            time.sleep(_POLL_SECONDS)

    def _refuse_absent(self, absent_spools: Sequence[SurveyedSpool]) -> None:
        if absent_spools:
            spool_list = " and ".join(
                f"{spool.identity}, last in use on {spool.host} in {spool.path}" for spool in absent_spools
            )
            raise WorkerAbsent(
                f"No worker is using {'this spool' if len(absent_spools) == 1 else 'these spools'}: {spool_list}. "
                "Events queued there may exist nowhere else. Start the worker, adopt the spool with "
                "`tallyroom spool adopt`, or leave these events out with --without-absent."
            )


def _is_served(spool: SurveyedSpool) -> bool:
    """Return whether a worker has the spool, or its file on this host shows that nothing is queued."""
    if spool.has_worker:
        return True
    counts = _read_counts_from_file(spool)
    return counts is not None and counts.queued == 0


def _has_reported_since(spool: SurveyedSpool, started_ms: int) -> bool:
    return not spool.has_worker or (spool.reported_ms or 0) > started_ms


def _read_counts(spool: SurveyedSpool) -> SpoolCounts | None:
    return read_reported_counts(spool) if spool.has_worker else _read_counts_from_file(spool)


def _read_counts_from_file(spool: SurveyedSpool) -> SpoolCounts | None:
    """Read the counts of a spool of this host; None if the file does not exist."""
    file = Path(spool.path) / SPOOL_FILE
    if spool.host != gethostname() or not file.is_file():
        return None
    with suppress(sqlite3.Error), open_read_only(file) as connection:
        counts = read_spool_counts(connection)
        return counts if counts.spool == spool.identity else None
    return None


def _has_delivered(spool: SurveyedSpool, counts: SpoolCounts) -> bool:
    return spool.stored_seq >= counts.next_seq - 1 if spool.has_worker else _is_served(spool)


def _is_unchanged(counts_before: SpoolCounts, counts_now: SpoolCounts) -> bool:
    """Return whether the events that were acknowledged before are still in the same place."""
    removals = [
        (counts.erased, counts.dead_letters, counts.written_off, counts.erasing)
        for counts in (counts_before, counts_now)
    ]
    return removals[0] == removals[1] and not counts_now.erasing

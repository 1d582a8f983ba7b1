"""The order of the queue, in memory: which chunks wait, by lane and month.

The spool's thread changes it after each commit, and rebuilds it from the file after a fault. So choosing the next claim
does not read the queue, however long it is.
"""

import threading
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from tallyroom.storage.spool.chunk_set import ChunkSet
from tallyroom.storage.spool.claim import ChunkSize
from tallyroom.storage.spool.lane import AwaitedChunks, LaneMonth

MAX_CLAIM_BYTES = 6_000_000
"""The size of one block for the store: about 20,000 events, which take 70 ms to insert."""

_MAX_CLAIM_RUNS = 4000  # bounds the time that the spool's thread needs to record a claim: 10 ms
_MAX_RUN_BYTES = MAX_CLAIM_BYTES // 12  # a claim has whole runs, and is smaller than a block by up to one of them


class WaitingGroup(NamedTuple):
    """The chunks of one lane and month that wait in no claim."""

    lane_month: LaneMonth
    first_id: int
    last_id: int
    byte_count: int


class ClaimCandidate(NamedTuple):
    """The next chunks of a group; doubtful ones may be in the store although no claim was open."""

    lane_month: LaneMonth
    chunks: ChunkSet
    run_count: int
    is_doubtful: bool


class _Run(NamedTuple):
    first_id: int
    last_id: int
    byte_count: int


class _Group:
    __slots__ = ("byte_count", "runs")

    def __init__(self) -> None:
        self.runs: deque[_Run] = deque()
        self.byte_count = 0

    def add(self, chunk_id: int, byte_count: int, *, starts_run: bool) -> None:
        self.byte_count += byte_count
        if self.runs and not starts_run:
            first_id, last_id, run_bytes = self.runs[-1]
            if last_id == chunk_id - 1 and run_bytes + byte_count <= _MAX_RUN_BYTES:
                self.runs[-1] = _Run(first_id, chunk_id, run_bytes + byte_count)
                return
        self.runs.append(_Run(chunk_id, chunk_id, byte_count))


class WaitingChunks:
    """All waiting chunks; thread-safe. Only the spool's thread changes which chunks wait or are claimed.

    Consecutive chunks of a group share one entry, so a steady stream needs no more memory the longer it waits.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._group_by_lane_month: dict[LaneMonth, _Group] = {}
        self._claimed_runs: list[tuple[LaneMonth, _Run]] = []
        self._is_claim_stored = False
        self._last_doubtful_id = 0
        self._has_news = False
        self.byte_count = 0  # of all waiting chunks, claimed or not

    def add(self, size: ChunkSize) -> None:
        """Add a chunk; IDs only rise."""
        with self._lock:
            self._add(size)

    def take_news(self) -> bool:
        """Return whether a group has begun to wait, or filled a block, since the last call."""
        has_news, self._has_news = self._has_news, False
        return has_news

    def replace(self, sizes: Iterable[ChunkSize], claimed_chunks: ChunkSet | None, last_doubtful_id: int) -> None:
        """Start again with the chunks in the file, in order; chunks up to `last_doubtful_id` are claimed one by one."""
        claimed_runs = iter(claimed_chunks.runs if claimed_chunks else ())
        claimed_run = next(claimed_runs, None)
        with self._lock:
            self._group_by_lane_month, self._claimed_runs, self._is_claim_stored = {}, [], False
            self._last_doubtful_id, self.byte_count = last_doubtful_id, 0
            for size in sizes:
                while claimed_run is not None and claimed_run.last_id < size.id:
                    claimed_run = next(claimed_runs, None)
                if claimed_run is not None and claimed_run.first_id <= size.id:
                    self._claimed_runs.append((size.lane_month, _Run(size.id, size.id, size.byte_count)))
                    self.byte_count += size.byte_count
                else:
                    self._add(size)

    def list_groups(self) -> list[WaitingGroup]:
        """Return what can be claimed, in any order."""
        with self._lock:
            return [
                WaitingGroup(lane_month, group.runs[0].first_id, group.runs[-1].last_id, group.byte_count)
                for lane_month, group in self._group_by_lane_month.items()
            ]

    def find_candidate(self, lane_month: LaneMonth) -> ClaimCandidate | None:
        """Return the oldest chunks of a group, at most one block but at least one run; None if nothing waits there."""
        with self._lock:
            group = self._group_by_lane_month.get(lane_month)
            if group is None:
                return None
            runs: list[_Run] = []
            byte_count = 0
            is_doubtful = group.runs[0].first_id <= self._last_doubtful_id
            max_run_count = 1 if is_doubtful else _MAX_CLAIM_RUNS
            for run in group.runs:
                byte_count += run.byte_count
                if len(runs) == max_run_count or (runs and byte_count > MAX_CLAIM_BYTES):
                    break
                runs.append(run)
        chunks = ChunkSet.of_runs((run.first_id, run.last_id) for run in runs)
        return ClaimCandidate(lane_month, chunks, len(runs), is_doubtful)

    def begin_claim(self, candidate: ClaimCandidate) -> None:
        """Move a candidate from the group to the claim, once the claim is durable."""
        with self._lock:
            group = self._group_by_lane_month[candidate.lane_month]
            runs = [group.runs.popleft() for _ in range(candidate.run_count)]
            group.byte_count -= sum(run.byte_count for run in runs)
            if not group.runs:
                del self._group_by_lane_month[candidate.lane_month]
            self._claimed_runs = [(candidate.lane_month, run) for run in runs]
            self._is_claim_stored = False

    def note_stored(self) -> None:
        """Record that the claimed chunks are in the store, although a crash may send them again."""
        with self._lock:
            self._is_claim_stored = True

    def end_claim(self) -> None:
        """Remove the claimed chunks, once their mark is durable."""
        with self._lock:
            self.byte_count -= sum(run.byte_count for _, run in self._claimed_runs)
            self._claimed_runs = []

    def find_oldest_id(self, *, is_mark_awaited: bool = False) -> int | None:
        """Return the oldest chunk that is not in the store or, if awaited, not marked as stored; None if all are."""
        with self._lock:
            first_ids = [group.runs[0].first_id for group in self._group_by_lane_month.values()]
            if is_mark_awaited or not self._is_claim_stored:
                first_ids += [run.first_id for _, run in self._claimed_runs]
        return min(first_ids, default=None)

    def list_oldest_ids(self) -> dict[LaneMonth, int]:
        """Return the oldest chunk of each group that is not all in the store."""
        with self._lock:
            oldest_id_by_lane_month = {
                lane_month: group.runs[0].first_id for lane_month, group in self._group_by_lane_month.items()
            }
            if not self._is_claim_stored:
                for lane_month, run in reversed(self._claimed_runs):  # older than those that wait in no claim
                    oldest_id_by_lane_month[lane_month] = run.first_id
        return oldest_id_by_lane_month

    def has_any(self, awaited: AwaitedChunks) -> bool:
        """Return whether one of the awaited chunks is not in the store."""
        with self._lock:
            claimed_runs = [] if self._is_claim_stored else self._claimed_runs
            return any(
                group.runs[0].first_id <= awaited.last_id and awaited.includes(lane_month)
                for lane_month, group in self._group_by_lane_month.items()
            ) or any(
                run.first_id <= awaited.last_id and awaited.includes(lane_month) for lane_month, run in claimed_runs
            )

    def _add(self, size: ChunkSize) -> None:
        group = self._group_by_lane_month.get(size.lane_month)
        if group is None:
            group = self._group_by_lane_month[size.lane_month] = _Group()
        group.add(size.id, size.byte_count, starts_run=size.id <= self._last_doubtful_id + 1)
        self.byte_count += size.byte_count
        was_empty = group.byte_count == size.byte_count
        was_block = group.byte_count - size.byte_count >= MAX_CLAIM_BYTES
        self._has_news |= was_empty or (group.byte_count >= MAX_CLAIM_BYTES and not was_block)

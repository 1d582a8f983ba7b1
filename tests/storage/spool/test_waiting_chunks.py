"""What waits is known in memory, by lane and month, and what a claim takes leaves it."""

import pytest

from tallyroom.storage.spool.chunk_set import ChunkRun, ChunkSet
from tallyroom.storage.spool.claim import ChunkSize
from tallyroom.storage.spool.lane import AwaitedChunks, LaneMonth
from tallyroom.storage.spool.waiting_chunks import MAX_CLAIM_BYTES, WaitingChunks, WaitingGroup

NEW, OLD, BULK = LaneMonth("", 202611), LaneMonth("", 202001), LaneMonth("w/production", 202611)


@pytest.fixture
def waiting() -> WaitingChunks:
    return WaitingChunks()


def fill(waiting: WaitingChunks, *kinds: LaneMonth, first_id: int = 1, size: int = 10) -> None:
    for chunk_id, kind in enumerate(kinds, first_id):
        waiting.add(ChunkSize(chunk_id, kind, size))


def claim(waiting: WaitingChunks, kind: LaneMonth) -> list[ChunkRun]:
    candidate = waiting.find_candidate(kind)
    assert candidate is not None
    waiting.begin_claim(candidate)
    return list(candidate.chunks.runs)


def test_a_group_has_the_chunks_of_its_kind(waiting: WaitingChunks) -> None:
    fill(waiting, NEW, OLD, NEW, NEW, BULK)
    assert sorted(waiting.list_groups()) == [
        WaitingGroup(OLD, 2, 2, 10),
        WaitingGroup(NEW, 1, 4, 30),
        WaitingGroup(BULK, 5, 5, 10),
    ]
    assert waiting.byte_count == 50
    assert claim(waiting, NEW) == [(1, 1), (3, 4)]
    assert {group.lane_month for group in waiting.list_groups()} == {OLD, BULK}
    assert waiting.find_candidate(NEW) is None


def test_a_claim_ends_before_it_is_too_large_but_has_one_chunk_at_least(waiting: WaitingChunks) -> None:
    for chunk_id, size in enumerate((MAX_CLAIM_BYTES + 1, MAX_CLAIM_BYTES - 10, 10, 1), 1):
        waiting.add(ChunkSize(chunk_id, NEW, size))
    assert [claim(waiting, NEW) for _ in range(3)] == [[(1, 1)], [(2, 2)], [(3, 4)]]
    assert waiting.list_groups() == []


def test_many_small_chunks_are_nearly_a_block(waiting: WaitingChunks) -> None:
    fill(waiting, *[NEW] * 8000, size=1000)
    [(first_id, last_id)] = claim(waiting, NEW)
    assert first_id == 1
    assert 0.9 * MAX_CLAIM_BYTES < 1000 * last_id <= MAX_CLAIM_BYTES


def test_claimed_chunks_are_awaited_until_they_are_stored_and_then_marked(waiting: WaitingChunks) -> None:
    fill(waiting, OLD, NEW, OLD)
    claim(waiting, OLD)
    assert (waiting.find_oldest_id(), waiting.has_any(AwaitedChunks(1))) == (1, True)
    waiting.note_stored()
    assert (waiting.find_oldest_id(), waiting.has_any(AwaitedChunks(1))) == (2, False)
    assert waiting.find_oldest_id(is_mark_awaited=True) == 1
    assert waiting.byte_count == 30
    waiting.end_claim()
    assert waiting.find_oldest_id(is_mark_awaited=True) == 2
    assert waiting.byte_count == 10


@pytest.mark.parametrize(
    ("awaited", "is_waiting"),
    [
        (AwaitedChunks(1), True),
        (AwaitedChunks(0), False),
        (AwaitedChunks(3, 202611), True),
        (AwaitedChunks(1, 202611), False),
        (AwaitedChunks(2, 202611, "v/production"), False),
        (AwaitedChunks(2, 202611, "w/production"), True),
    ],
)
def test_a_caller_waits_only_for_what_it_reads(
    waiting: WaitingChunks, awaited: AwaitedChunks, is_waiting: bool
) -> None:
    fill(waiting, OLD, BULK, NEW)
    assert waiting.has_any(awaited) == is_waiting


def test_only_what_the_drain_may_have_to_act_on_is_news(waiting: WaitingChunks) -> None:
    heard = []
    for chunk_id, (kind, size) in enumerate([(NEW, 1), (NEW, 1), (OLD, 1), (NEW, MAX_CLAIM_BYTES), (NEW, 1)], 1):
        waiting.add(ChunkSize(chunk_id, kind, size))
        heard.append(waiting.take_news())
    assert heard == [True, False, True, True, False]


def test_after_a_fault_the_file_counts(waiting: WaitingChunks) -> None:
    fill(waiting, NEW, NEW)
    sizes = [ChunkSize(chunk_id, kind, 5) for chunk_id, kind in ((4, OLD), (5, NEW), (6, OLD), (8, NEW))]
    waiting.replace(sizes, ChunkSet.of_runs([(4, 4), (6, 6)]), last_doubtful_id=0)
    assert waiting.list_groups() == [WaitingGroup(NEW, 5, 8, 10)]
    assert (waiting.byte_count, waiting.find_oldest_id()) == (20, 4)
    waiting.end_claim()
    assert (waiting.byte_count, waiting.find_oldest_id()) == (10, 5)


def test_doubtful_chunks_are_claimed_one_by_one(waiting: WaitingChunks) -> None:
    waiting.replace([ChunkSize(chunk_id, NEW, 5) for chunk_id in (1, 2, 3, 4)], None, last_doubtful_id=2)
    candidate = waiting.find_candidate(NEW)
    assert candidate is not None
    assert candidate.is_doubtful
    assert [claim(waiting, NEW) for _ in range(3)] == [[(1, 1)], [(2, 2)], [(3, 4)]]

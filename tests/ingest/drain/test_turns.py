"""Whose chunks go next: nobody's newest events wait behind somebody's history, and nothing starves.

Claims are counted, not timed.
"""

from collections import Counter
from typing import Any

import pytest

from tallyroom.ingest.drain.turns import Turns
from tallyroom.storage.spool.claim import ChunkSize
from tallyroom.storage.spool.lane import AwaitedChunks, LaneMonth
from tallyroom.storage.spool.row import UNMAPPED_MONTH
from tallyroom.storage.spool.waiting_chunks import MAX_CLAIM_BYTES, WaitingChunks

MONTH, LAST_MONTH = 202611, 202610  # of the tests' clock
A = LaneMonth("", MONTH)
HISTORY = [LaneMonth("b/production", 202000 + month) for month in range(1, 13)]


class Queue:
    """Chunks that wait, and the claims that the drain would take."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.waiting = WaitingChunks()
        self.turns = Turns(clock)
        self.last_id = 0
        self.awaited: list[AwaitedChunks] = []

    def put(self, *kinds: LaneMonth, size: int = 3000) -> None:
        for kind in kinds:
            self.last_id += 1
            self.waiting.add(ChunkSize(self.last_id, kind, size))

    def next(self) -> LaneMonth | None:
        """Take the next claim, if one is due, and finish it."""
        turn = self.turns.find_turn(self.waiting.list_groups(), self.awaited)
        if turn.lane_month is None:
            return None
        candidate = self.waiting.find_candidate(turn.lane_month)
        assert candidate is not None
        self.waiting.begin_claim(candidate)
        self.turns.note_claimed(turn.lane_month)
        self.waiting.end_claim()
        return turn.lane_month

    def rest(self) -> float:
        return self.turns.find_turn(self.waiting.list_groups(), self.awaited).rest_seconds

    def claim_all(self) -> list[LaneMonth]:
        claims = []
        while (kind := self.next()) is not None:
            claims.append(kind)
        return claims


@pytest.fixture
def queue(fake_clock: Any) -> Queue:
    return Queue(fake_clock)


def test_without_chunks_nothing_is_due(queue: Queue) -> None:
    assert queue.next() is None
    assert queue.rest() == float("inf")


@pytest.mark.parametrize(("is_awaited", "rest"), [(False, 0.45), (True, 0.1)])
def test_the_first_chunk_goes_at_once_and_the_next_after_a_rest(queue: Queue, *, is_awaited: bool, rest: float) -> None:
    queue.put(A)
    assert queue.claim_all() == [A]
    queue.put(A)
    if is_awaited:
        queue.awaited = [AwaitedChunks(queue.last_id)]
    assert queue.rest() == pytest.approx(rest)
    queue.clock.advance(rest)
    assert queue.claim_all() == [A]


def test_full_blocks_need_no_rest(queue: Queue) -> None:
    queue.put(A, A, A, size=MAX_CLAIM_BYTES)
    assert queue.claim_all() == [A] * 3


def test_a_group_does_not_rest_because_another_was_claimed(queue: Queue) -> None:
    kinds = [A, LaneMonth("", LAST_MONTH), LaneMonth("", UNMAPPED_MONTH)]
    queue.put(*kinds)
    assert queue.claim_all() == kinds


def test_between_two_parts_of_history_the_newest_events_of_others_go(queue: Queue) -> None:
    queue.put(*HISTORY, size=MAX_CLAIM_BYTES)
    claims = []
    for _ in range(24):
        queue.put(A)
        queue.clock.advance(0.45)
        claims.append(queue.next())
    assert claims[::2] == [A] * 12
    assert claims[1::2] == HISTORY, "the oldest chunk first"


def test_between_two_parts_of_somebodys_bulk_the_newest_events_of_others_go(queue: Queue) -> None:
    bulk = LaneMonth("b/production", MONTH)
    queue.put(*[bulk] * 12, size=MAX_CLAIM_BYTES)
    claims = []
    for _ in range(12):
        queue.put(A)
        queue.clock.advance(0.45)
        claims.append(queue.next())
    assert claims == [A, bulk] * 6


def test_sixty_shuffled_months_are_gathered(queue: Queue) -> None:
    """One insert a month each five seconds, not one with each request."""
    months = [LaneMonth("b/production", year * 100 + month) for year in range(2015, 2020) for month in range(1, 13)]
    claims: Counter[LaneMonth] = Counter()
    for _ in range(100):
        queue.put(A, *months)
        queue.clock.advance(0.1)
        claims.update(queue.claim_all())
    assert claims[A] in range(18, 24)
    assert {claims[month] for month in months} <= {1, 2}
    queue.clock.advance(1)
    claims.update(queue.claim_all())
    assert queue.waiting.list_groups() == [], "nothing has come for a second"


def test_a_gathered_month_goes_once_it_is_full(queue: Queue) -> None:
    queue.put(*HISTORY)
    assert queue.claim_all() == []
    queue.put(HISTORY[3], size=MAX_CLAIM_BYTES - 3000)
    assert queue.claim_all() == [HISTORY[3]]


def test_a_few_older_months_are_not_gathered(queue: Queue) -> None:
    queue.put(*HISTORY[:4])
    assert queue.claim_all() == HISTORY[:4]


def test_a_reader_who_waits_for_history_gets_it_but_not_with_each_question(queue: Queue) -> None:
    queue.put(*HISTORY)
    queue.awaited = [AwaitedChunks(queue.last_id)]
    assert queue.claim_all() == HISTORY
    queue.put(*HISTORY)
    queue.awaited = [AwaitedChunks(queue.last_id)]
    assert queue.claim_all() == []
    queue.clock.advance(2)
    assert queue.claim_all() == HISTORY


def test_a_reader_of_the_newest_months_does_not_hurry_history(queue: Queue) -> None:
    queue.put(*HISTORY)
    queue.awaited = [AwaitedChunks(queue.last_id, LAST_MONTH), AwaitedChunks(queue.last_id, lane="a/production")]
    assert queue.claim_all() == []


def test_before_a_stop_nothing_rests(queue: Queue) -> None:
    queue.put(*HISTORY, A)
    queue.claim_all()
    queue.put(*HISTORY, A)
    queue.turns.is_rushing = True
    assert len(queue.claim_all()) == len(HISTORY) + 1


@pytest.mark.parametrize("lane_count", [1, 5, 20])
def test_every_lane_and_month_has_its_turn_in_bounded_time(queue: Queue, lane_count: int) -> None:
    """However much comes in the newest months, and however often other lanes come and go."""
    bulks = [LaneMonth(f"{number}/production", MONTH) for number in range(lane_count)]
    old = LaneMonth("old/production", 201501)
    queue.put(old, LaneMonth("", 201502))
    claims = []
    while {old, LaneMonth("", 201502)} - set(claims):
        queue.put(A, *bulks, size=MAX_CLAIM_BYTES)
        queue.clock.advance(0.45)
        claims.append(queue.next())
    assert len(claims) <= 2 * (lane_count + 2)


def test_a_lane_that_comes_and_goes_does_not_overtake_one_that_waits(queue: Queue) -> None:
    steady, fleeting = LaneMonth("steady/production", MONTH), LaneMonth("fleeting/production", MONTH)
    queue.put(*[steady] * 9, size=MAX_CLAIM_BYTES)
    claims = []
    for _ in range(6):
        queue.put(fleeting)
        queue.clock.advance(0.45)
        claims.append(queue.next())
    assert claims.count(steady) >= 3


def test_sixty_thousand_chunks_that_wait_are_not_looked_at_for_a_claim(queue: Queue) -> None:
    """A claim looks at the groups, of which there are as many as months."""
    months = [LaneMonth("b/production", year * 100 + month) for year in range(2015, 2020) for month in range(1, 13)]
    for _ in range(1000):
        queue.put(*months, size=10)
    groups = queue.waiting.list_groups()
    assert len(groups) == 60
    queue.turns.is_rushing = True
    assert queue.next() == months[0]

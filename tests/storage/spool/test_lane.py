"""Small batches share a lane, large ones have the lane of their environment."""

import pytest

from tallyroom.storage.spool.lane import BULK_BYTES, SHARED_LANE, AwaitedChunks, LaneMonth, find_lane
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk


def chunks(*sizes: int) -> list[Chunk]:
    return [Chunk(202611 - number, 1, b"", size) for number, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "lane"),
    [
        ([BULK_BYTES - 1], SHARED_LANE),
        ([BULK_BYTES], "w/production"),
        ([10, 20], SHARED_LANE),
        ([BULK_BYTES // 2] * 2, "w/production"),  # of several months: what counts is the batch
    ],
)
def test_a_batch_is_bulk_from_its_size_on(sizes: list[int], lane: str) -> None:
    assert find_lane("w", "production", chunks(*sizes)) == lane


@pytest.mark.parametrize(
    ("awaited", "lane", "month", "is_included"),
    [
        (AwaitedChunks(9), "w/production", 197001, True),
        (AwaitedChunks(9, 202610), SHARED_LANE, 202609, False),
        (AwaitedChunks(9, 202610), SHARED_LANE, 202610, True),
        (AwaitedChunks(9, 202610), SHARED_LANE, UNMAPPED_MONTH, True),
        (AwaitedChunks(9, lane="w/production"), "w/production", 202611, True),
        (AwaitedChunks(9, lane="w/production"), SHARED_LANE, 202611, True),
        (AwaitedChunks(9, lane="w/production"), "w/test", 202611, False),
    ],
)
def test_a_caller_waits_for_its_months_and_lanes(
    awaited: AwaitedChunks, lane: str, month: int, *, is_included: bool
) -> None:
    assert awaited.includes(LaneMonth(lane, month)) == is_included

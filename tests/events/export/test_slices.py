"""Slices: every event in exactly one, in order, none too large, and few questions however the events lie in time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.ranges import FixedRange
from tallyroom.events.export.schemas import ExportPosition, SizedPosition
from tallyroom.events.export.slices import split_into_slices

HOUR = 3_600_000
DAY = 24 * HOUR
YEAR = 365 * DAY
ALL = FixedRange(0, 200 * YEAR)


def key(position: ExportPosition) -> tuple[int, int, int, int]:
    return position.timestamp_ms, position.received_ms, position.spool, position.seq


class Held:
    """Events in a list, asked as the store is; counts the questions."""

    def __init__(self, positions: list[SizedPosition]) -> None:
        self.all = sorted(positions, key=key)
        self.questions = 0

    async def find_first_day(self, from_ms: int, until_ms: int) -> int | None:
        self.questions += 1
        times = [position.timestamp_ms for position in self.all if from_ms <= position.timestamp_ms < until_ms]
        return min(times) // DAY * DAY if times else None

    async def fetch_positions(self, after: ExportPosition, until_ms: int, limit: int) -> list[SizedPosition]:
        self.questions += 1
        return [position for position in self.all if key(position) > key(after) and position.timestamp_ms < until_ms][
            :limit
        ]

    async def cut(self, time_range: FixedRange, **limits: Any) -> list[list[SizedPosition]]:
        pairs = [pair async for pair in split_into_slices(self, time_range, **limits)]
        return [[position for position in self.all if key(after) < key(position) <= key(last)] for after, last in pairs]


def positions(times: list[int], size: int = 100) -> list[SizedPosition]:
    return [SizedPosition(moment, 7, 1, seq, size) for seq, moment in enumerate(times, 1)]


def joined(found: list[list[SizedPosition]]) -> list[SizedPosition]:
    return [position for each in found for position in each]


moments = st.one_of(
    st.sampled_from([0, 1, DAY - 1, DAY, 50 * YEAR, 56 * YEAR]), st.integers(0, 60 * YEAR), st.integers(0, 3 * HOUR)
)
sized = st.builds(
    SizedPosition, moments, st.integers(1, 3), st.integers(1, 2), st.integers(1, 10**6), st.integers(0, 300)
)


@given(
    st.lists(sized, max_size=60, unique_by=key),
    st.integers(0, 60 * YEAR),
    st.integers(1, 60 * YEAR),
    st.integers(1, 7),
    st.integers(1, 500),
)
async def test_each_event_of_the_span_is_in_one_slice_in_order(
    events: list[SizedPosition], from_ms: int, length: int, max_events: int, max_bytes: int
) -> None:
    time_range = FixedRange(from_ms, from_ms + length)
    found = await Held(events).cut(time_range, max_events=max_events, max_bytes=max_bytes)
    assert joined(found) == [
        position
        for position in sorted(events, key=key)
        if time_range.from_ms <= position.timestamp_ms < time_range.to_ms
    ]
    for each in found:
        assert 1 <= len(each) <= max_events
        assert len(each) == 1 or sum(position.bytes for position in each) <= max_bytes


@pytest.mark.parametrize(
    ("times", "questions"),
    [
        ([], 1),
        ([56 * YEAR], 20),
        ([0, 56 * YEAR], 30),
        ([day * DAY for day in range(3650)], 400),  # one a day for ten years
        ([56 * YEAR] * 1000, 120),  # all in one millisecond
        ([56 * YEAR + second * 1000 for second in range(1000)], 140),
        ([56 * YEAR + ms for ms in range(1000)] + [57 * YEAR], 160),
    ],
    ids=["none", "one", "two far apart", "daily", "one millisecond", "each second", "burst and straggler"],
)
async def test_the_questions_are_few(times: list[int], questions: int) -> None:
    held = Held(positions(times))
    found = await held.cut(ALL, max_events=10)
    assert len(joined(found)) == len(times)
    assert held.questions <= questions


async def test_an_event_larger_than_a_slice_is_a_slice() -> None:
    events = [SizedPosition(DAY, 1, 1, 1, 10), SizedPosition(DAY, 1, 1, 2, 9999), SizedPosition(DAY, 1, 1, 3, 10)]
    assert await Held(events).cut(ALL, max_bytes=100) == [[event] for event in events]


async def test_the_end_is_left_out_and_the_beginning_is_not() -> None:
    held = Held(positions([DAY - 1, DAY, 2 * DAY - 1, 2 * DAY]))
    found = joined(await held.cut(FixedRange(DAY, 2 * DAY)))
    assert [position.timestamp_ms for position in found] == [DAY, 2 * DAY - 1]

"""Every entry comes in its order, and others get a turn in between."""

import asyncio
from random import Random

import pytest

from tallyroom.bots.time_slices import iterate_in_slices, sort_in_slices


@pytest.mark.parametrize("count", [0, 1, 10, 25])
async def test_every_entry_comes_in_its_order(count: int) -> None:
    assert [entry async for entry in iterate_in_slices(range(count), 10)] == list(range(count))


async def test_others_get_their_turn_in_between() -> None:
    seen: list[str] = []

    async def other() -> None:
        for _ in range(2):
            seen.append("other")
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    async for entry in iterate_in_slices("abcde", 2):
        seen += entry
    await task
    assert seen == ["a", "b", "other", "c", "d", "other", "e"]


@pytest.mark.parametrize("count", [0, 1, 3_999, 4_000, 4_001, 20_000])
def test_sorting_in_slices_is_sorting(count: int) -> None:
    random = Random(count)
    numbers = [random.randrange(-1000, 1000) << random.randrange(80) for _ in range(count)]
    assert sort_in_slices(iter(numbers)) == sorted(numbers)

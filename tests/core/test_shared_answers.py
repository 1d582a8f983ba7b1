"""Those who ask for the same get one answer, as long as it is young and there is room for it."""

import asyncio
from typing import Any

import pytest

from tallyroom.core.shared_answers import SHORT_CACHE_BYTES, SHORT_CACHE_SECONDS, build_short_lived_cache
from tallyroom.dashboards.kinds.note.question import Note


class Finder:
    """Counts how often it is asked."""

    def __init__(self, text: str = "found") -> None:
        self.text = text
        self.asked = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def find(self) -> Note:
        self.asked += 1
        await self.may_answer.wait()
        if self.text == "broken":
            raise ValueError(self.text)
        return Note(text=self.text)


async def test_a_result_is_found_once_until_it_is_too_old(fake_clock: Any) -> None:
    results, finder = build_short_lived_cache(fake_clock), Finder()
    assert [await results.get("a", finder.find) for _ in range(3)] == [Note(text="found")] * 3
    assert finder.asked == 1
    fake_clock.advance(SHORT_CACHE_SECONDS - 0.1)
    await results.get("a", finder.find)
    assert finder.asked == 1
    fake_clock.advance(0.2)
    await results.get("a", finder.find)
    assert finder.asked == 2


async def test_an_error_to_be_kept_is_answered_until_it_is_too_old(fake_clock: Any) -> None:
    results, finder = build_short_lived_cache(fake_clock, ValueError), Finder("broken")
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"):
            await results.get("a", finder.find)
    assert finder.asked == 1
    with pytest.raises(ValueError, match="broken"):
        await results.get("b", finder.find)
    assert finder.asked == 2
    fake_clock.advance(SHORT_CACHE_SECONDS + 0.1)
    finder.text = "found"
    assert await results.get("a", finder.find) == Note(text="found")


async def test_another_error_is_not_kept(fake_clock: Any) -> None:
    results, finder = build_short_lived_cache(fake_clock, KeyError), Finder("broken")
    for _ in range(2):
        with pytest.raises(ValueError, match="broken"):
            await results.get("a", finder.find)
    assert finder.asked == 2


async def test_another_key_is_another_result(fake_clock: Any) -> None:
    results = build_short_lived_cache(fake_clock)
    await results.get("a", Finder("a").find)
    assert await results.get("b", Finder("b").find) == Note(text="b")


async def test_those_who_ask_at_once_wait_for_one_answer(fake_clock: Any) -> None:
    results, finder = build_short_lived_cache(fake_clock), Finder()
    finder.may_answer.clear()
    asked = [asyncio.create_task(results.get("a", finder.find)) for _ in range(5)]
    await asyncio.sleep(0.001)
    asked[0].cancel()  # the one who asked first leaves
    finder.may_answer.set()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(answers[0], asyncio.CancelledError)
    assert answers[1:] == [Note(text="found")] * 4
    assert finder.asked == 1


async def test_an_error_reaches_everybody_and_is_not_kept(fake_clock: Any) -> None:
    results, finder = build_short_lived_cache(fake_clock), Finder("broken")
    answers = await asyncio.gather(*(results.get("a", finder.find) for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [ValueError] * 3
    with pytest.raises(ValueError, match="broken"):
        await results.get("a", finder.find)
    assert finder.asked == 2


async def test_no_more_is_kept_than_there_is_room_for(fake_clock: Any) -> None:
    results = build_short_lived_cache(fake_clock)
    big, small, huge = Finder("x" * (SHORT_CACHE_BYTES * 2 // 3)), Finder("y"), Finder("z" * SHORT_CACHE_BYTES)
    for _ in range(2):
        await results.get("huge", huge.find)
    assert huge.asked == 2
    await results.get("small", small.find)
    await results.get("big", big.find)
    await results.get("another", Finder("x" * (SHORT_CACHE_BYTES * 2 // 3)).find)
    await results.get("big", big.find)
    assert big.asked == 2

"""How connections share the turns of the event loop."""

import asyncio

import pytest

from tallyroom.server.protocol.fair_turns import MAX_CHUNKS, ChunkTurns


@pytest.fixture
async def turns() -> ChunkTurns:
    return ChunkTurns()


async def test_a_turn_is_over_when_its_chunks_are_used_up_and_another_begins(turns: ChunkTurns) -> None:
    turns.spend(MAX_CHUNKS - 1)
    over = [turns.is_over]
    turns.spend(1)
    over.append(turns.is_over)
    await asyncio.sleep(0)
    assert [*over, turns.is_over] == [False, True, False]


async def test_who_waits_is_called_in_order_and_others_are_heard_in_between(turns: ChunkTurns) -> None:
    told: list[str] = []

    def take(name: str, times: int) -> None:
        told.append(name)
        turns.spend(MAX_CHUNKS)
        if times > 1:
            turns.enqueue(lambda: take(name, times - 1))

    take("a", 2)
    turns.enqueue(lambda: take("b", 2))
    for _ in range(4):
        await asyncio.sleep(0)
        told.append("other")
    assert told == ["a", "a", "other", "b", "other", "b", "other", "other"]


async def test_those_who_need_little_go_on_in_one_turn(turns: ChunkTurns) -> None:
    told: list[int] = []
    for number in range(10):
        turns.enqueue(lambda number=number: told.append(number))  # type: ignore[misc] # mypy infers no default
    assert told == []
    await asyncio.sleep(0)
    assert told == list(range(10))

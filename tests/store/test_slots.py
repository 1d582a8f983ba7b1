"""store.slots: a workspace holds no more than its share, and none keeps another out."""

import asyncio

import pytest

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.store.slots import Slots

LONG = 60.0


def make_slots(total: int = 4, each: int = 2, waiting: int = 20, patience: float = LONG) -> Slots:
    return Slots(total=total, each=each, waiting=waiting, patience=patience)


async def turn() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def ask(slots: Slots, workspace: str, done: list[str]) -> "asyncio.Task[None]":
    async def one() -> None:
        await slots.take(workspace)
        done.append(workspace)

    return asyncio.create_task(one())


async def all_of(tasks: list["asyncio.Task[None]"]) -> None:
    await asyncio.gather(*tasks)


async def test_a_workspace_holds_no_more_than_its_share() -> None:
    slots, running = make_slots(), list[str]()
    tasks = [ask(slots, "a", running) for _ in range(5)]
    await turn()
    assert (running, slots.running, slots.waiting) == (["a", "a"], 2, 3)
    slots.give_back("a")
    await turn()
    assert running == ["a", "a", "a"]
    for _ in range(4):
        slots.give_back("a")
        await turn()
    await all_of(tasks)
    assert (slots.running, slots.waiting) == (0, 0)


async def test_a_crowd_does_not_keep_another_workspace_out() -> None:
    slots, running = make_slots(total=2, each=2), list[str]()
    tasks = [ask(slots, "crowd", running) for _ in range(10)]
    await turn()
    tasks += [ask(slots, "b", running), ask(slots, "c", running)]
    await turn()
    for _ in range(4):
        slots.give_back(running[-1])
        await turn()
    assert running[:5] == ["crowd", "crowd", "crowd", "b", "c"]
    while slots.running:
        slots.give_back(next(iter(slots._held)))
        await turn()
    await all_of(tasks)


async def test_those_of_one_workspace_are_served_in_their_order() -> None:
    slots, order = make_slots(total=1, each=1), list[int]()

    async def one(number: int) -> None:
        await slots.take("a")
        order.append(number)
        slots.give_back("a")

    await asyncio.gather(*(one(number) for number in range(10)))
    assert order == list(range(10))


async def test_too_many_wait() -> None:
    slots, running = make_slots(total=1, each=1, waiting=2), list[str]()
    tasks = [ask(slots, "a", running) for _ in range(3)]
    await turn()
    with pytest.raises(RateLimited) as refused:
        await slots.take("a")
    assert refused.value.headers["retry-after"] == "1"
    tasks.append(ask(slots, "b", running))  # has a queue of its own
    for _ in range(4):
        slots.give_back(running[-1])
        await turn()
    await all_of(tasks)


async def test_who_waits_too_long_is_refused_and_takes_no_slot() -> None:
    slots = make_slots(total=1, each=1, patience=0.01)
    await slots.take("a")
    with pytest.raises(Unavailable):
        await slots.take("a")
    slots.give_back("a")
    assert (slots.running, slots.waiting) == (0, 0)


@pytest.mark.parametrize("handed_out", [0, 1])
async def test_one_that_gives_up_leaves_nothing_behind(handed_out: int) -> None:
    slots = make_slots(total=1, each=1)
    await slots.take("a")
    waits = asyncio.create_task(slots.take("b"))
    await asyncio.sleep(0)
    if handed_out:
        slots.give_back("a")
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits
    assert (slots.running, slots.waiting) == (1 - handed_out, 0)

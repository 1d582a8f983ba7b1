import asyncio
from collections.abc import Awaitable

import pytest

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.store.slots import Slots

LONG = 60.0


def slots(total: int = 4, each: int = 2, waiting: int = 20, patience: float = LONG) -> Slots:
    return Slots(total=total, each=each, waiting=waiting, patience=patience)


async def turn() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def ask(places: Slots, workspace: str, done: list[str]) -> "asyncio.Task[None]":
    async def one() -> None:
        await places.take(workspace)
        done.append(workspace)

    return asyncio.create_task(one())


async def all_of(tasks: list["asyncio.Task[None]"]) -> None:
    await asyncio.gather(*tasks)


async def test_a_workspace_holds_no_more_than_its_share() -> None:
    places, running = slots(), list[str]()
    tasks = [ask(places, "a", running) for _ in range(5)]
    await turn()
    assert (running, places.running, places.waiting) == (["a", "a"], 2, 3)
    places.give_back("a")
    await turn()
    assert running == ["a", "a", "a"]
    for _ in range(4):
        places.give_back("a")
        await turn()
    await all_of(tasks)
    assert (places.running, places.waiting) == (0, 0)


async def test_a_crowd_does_not_keep_another_workspace_out() -> None:
    places, running = slots(total=2, each=2), list[str]()
    tasks = [ask(places, "crowd", running) for _ in range(10)]
    await turn()
    tasks += [ask(places, "b", running), ask(places, "c", running)]
    await turn()
    for _ in range(4):
        places.give_back(running[-1])
        await turn()
    assert running[:5] == ["crowd", "crowd", "crowd", "b", "c"]
    while places.running:
        places.give_back(next(iter(places._held)))
        await turn()
    await all_of(tasks)


async def test_those_of_one_workspace_are_served_in_their_order() -> None:
    places, order = slots(total=1, each=1), list[int]()

    async def one(number: int) -> None:
        await places.take("a")
        order.append(number)
        places.give_back("a")

    await asyncio.gather(*(one(number) for number in range(10)))
    assert order == list(range(10))


async def test_too_many_wait() -> None:
    places, running = slots(total=1, each=1, waiting=2), list[str]()
    tasks = [ask(places, "a", running) for _ in range(3)]
    await turn()
    with pytest.raises(RateLimited) as refused:
        await places.take("a")
    assert refused.value.headers["retry-after"] == "1"
    tasks.append(ask(places, "b", running))  # has a queue of its own
    for _ in range(4):
        places.give_back(running[-1])
        await turn()
    await all_of(tasks)


async def test_who_waits_too_long_is_refused_and_takes_no_place() -> None:
    places = slots(total=1, each=1, patience=0.01)
    await places.take("a")
    with pytest.raises(Unavailable):
        await places.take("a")
    places.give_back("a")
    assert (places.running, places.waiting) == (0, 0)


@pytest.mark.parametrize("handed_out", [0, 1])
async def test_one_that_gives_up_leaves_nothing_behind(handed_out: int) -> None:
    places = slots(total=1, each=1)
    await places.take("a")
    waits: Awaitable[None] = asyncio.create_task(places.take("b"))
    await asyncio.sleep(0)
    if handed_out:
        places.give_back("a")
    waits.cancel()  # type: ignore[attr-defined]
    with pytest.raises(asyncio.CancelledError):
        await waits
    assert (places.running, places.waiting) == (1 - handed_out, 0)

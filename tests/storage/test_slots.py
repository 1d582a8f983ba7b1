"""A workspace holds no more than its share, and none keeps another out."""

import asyncio

import pytest

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.storage.slots import SlotLimits, Slots

LONG = 60.0


def make_slots(total: int = 4, each: int = 2, waiting: int = 20, patience: float = LONG) -> Slots:
    return Slots(
        SlotLimits(total, patience, "busy", slots_per_key=each, max_waiting_per_key=waiting, crowd_message="crowded")
    )


async def turn() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def ask(slots: Slots, workspace: str, done: list[str]) -> "asyncio.Task[None]":
    async def one() -> None:
        await slots.acquire(workspace)
        done.append(workspace)

    return asyncio.create_task(one())


async def all_of(tasks: list["asyncio.Task[None]"]) -> None:
    await asyncio.gather(*tasks)


async def test_a_workspace_holds_no_more_than_its_share() -> None:
    slots, running = make_slots(), list[str]()
    tasks = [ask(slots, "a", running) for _ in range(5)]
    await turn()
    assert (running, slots.running_count, slots.waiting_count) == (["a", "a"], 2, 3)
    slots.release("a")
    await turn()
    assert running == ["a", "a", "a"]
    for _ in range(4):
        slots.release("a")
        await turn()
    await all_of(tasks)
    assert (slots.running_count, slots.waiting_count) == (0, 0)


async def test_a_crowd_does_not_keep_another_workspace_out() -> None:
    slots, running = make_slots(total=2, each=2), list[str]()
    tasks = [ask(slots, "crowd", running) for _ in range(10)]
    await turn()
    tasks += [ask(slots, "b", running), ask(slots, "c", running)]
    await turn()
    for _ in range(4):
        slots.release(running[-1])
        await turn()
    assert running[:5] == ["crowd", "crowd", "crowd", "b", "c"]
    while slots.running_count:
        slots.release(next(iter(slots._held_count_by_key)))
        await turn()
    await all_of(tasks)


async def test_those_of_one_workspace_are_served_in_their_order() -> None:
    slots, order = make_slots(total=1, each=1), list[int]()

    async def one(number: int) -> None:
        await slots.acquire("a")
        order.append(number)
        slots.release("a")

    await asyncio.gather(*(one(number) for number in range(10)))
    assert order == list(range(10))


async def test_too_many_wait() -> None:
    slots, running = make_slots(total=1, each=1, waiting=2), list[str]()
    tasks = [ask(slots, "a", running) for _ in range(3)]
    await turn()
    with pytest.raises(RateLimited) as refused:
        await slots.acquire("a")
    assert refused.value.headers["retry-after"] == "1"
    tasks.append(ask(slots, "b", running))  # has a queue of its own
    for _ in range(4):
        slots.release(running[-1])
        await turn()
    await all_of(tasks)


async def test_who_waits_too_long_is_refused_and_takes_no_slot() -> None:
    slots = make_slots(total=1, each=1, patience=0.01)
    await slots.acquire("a")
    with pytest.raises(Unavailable):
        await slots.acquire("a")
    slots.release("a")
    assert (slots.running_count, slots.waiting_count) == (0, 0)


@pytest.mark.parametrize("handed_out", [0, 1])
async def test_one_that_gives_up_leaves_nothing_behind(handed_out: int) -> None:
    slots = make_slots(total=1, each=1)
    await slots.acquire("a")
    waits = asyncio.create_task(slots.acquire("b"))
    await asyncio.sleep(0)
    if handed_out:
        slots.release("a")
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits
    assert (slots.running_count, slots.waiting_count) == (1 - handed_out, 0)


def hashing_slots(most: int = 128) -> Slots:
    return Slots(SlotLimits(1, LONG, "busy", retry_after=5, max_waiting=most))


def queue(slots: Slots, order: list[str], *keys: str, first: bool = False) -> list["asyncio.Task[None]"]:
    """Work of each key in turn, which notes when it runs."""

    async def one(key: str) -> None:
        await slots.acquire(key, has_priority=first)
        order.append(key)
        slots.release(key)

    return [asyncio.create_task(one(key)) for key in keys]


async def test_who_goes_first_waits_for_nobody_behind_a_thousand_strangers() -> None:
    slots, order = hashing_slots(most=1_000), list[str]()
    await slots.acquire("running")
    waiting = queue(slots, order, *(f"stranger {number}" for number in range(1_000)))
    await turn()
    waiting += queue(slots, order, "owner", first=True)
    await turn()
    slots.release("running")
    await asyncio.gather(*waiting)
    assert order[0] == "owner"
    assert len(order) == 1_001


async def test_of_four_turns_one_is_a_strangers() -> None:
    slots, order = hashing_slots(), list[str]()
    await slots.acquire("running")
    waiting = queue(slots, order, *(["member"] * 9), first=True) + queue(slots, order, *(["stranger"] * 3))
    await turn()
    slots.release("running")
    await asyncio.gather(*waiting)
    assert order == (["member"] * 3 + ["stranger"]) * 3


async def test_a_network_with_many_attempts_delays_only_itself() -> None:
    slots, order = hashing_slots(), list[str]()
    await slots.acquire("running")
    waiting = queue(slots, order, *(["flood"] * 50), "a", "b")
    await turn()
    slots.release("running")
    await asyncio.gather(*waiting)
    assert order[:5] == ["flood", "a", "b", "flood", "flood"]


async def test_who_waits_is_bounded_and_the_newest_of_the_longest_is_sent_away() -> None:
    slots, order = hashing_slots(most=4), list[str]()
    await slots.acquire("running")
    waiting = queue(slots, order, "flood", "flood", "flood", "a")
    await turn()
    waiting += queue(slots, order, "b", "flood")
    await turn()
    waiting += queue(slots, order, "c", "d")
    await turn()
    waiting += queue(slots, order, "owner", first=True)  # counted apart
    await turn()
    slots.release("running")
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    refused = [isinstance(each, Unavailable) for each in ended]
    #                  flood  flood flood  a      b      flood c      d     owner
    assert refused == [False, True, True, False, False, True, False, True, False]
    assert order == ["owner", "flood", "a", "b", "c"]
    assert [each.headers for each in ended if isinstance(each, Unavailable)] == [{"retry-after": "5"}] * 4
    assert (slots.running_count, slots.waiting_count) == (0, 0)


async def test_work_that_is_given_up_leaves_the_line_or_passes_its_turn_on() -> None:
    slots, order = hashing_slots(), list[str]()
    await slots.acquire("running")
    waits, called, last = queue(slots, order, "a", "b", "c")
    await turn()
    waits.cancel()
    await turn()
    slots.release("running")
    called.cancel()  # its turn has come, but it does not know yet
    await asyncio.gather(waits, called, last, return_exceptions=True)
    assert order == ["c"]
    assert (slots.running_count, slots.waiting_count) == (0, 0)

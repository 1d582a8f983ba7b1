"""One thread does the work in its order while the loop goes on."""

import asyncio
import threading

import pytest

from tallyroom.core.errors import Unavailable
from tallyroom.core.offload import SideThread


async def test_another_thread_does_the_work_and_the_loop_goes_on() -> None:
    began, loop_went_on = threading.Event(), threading.Event()

    def work(number: int) -> tuple[int, int]:
        began.set()
        assert loop_went_on.wait(10)
        return number, threading.get_ident()

    doing = asyncio.create_task(SideThread("test", 1).run(work, 7))
    assert await asyncio.to_thread(began.wait, 10)
    loop_went_on.set()
    number, thread = await doing
    assert number == 7
    assert thread != threading.get_ident()


async def test_it_is_one_thread_and_takes_work_in_its_order() -> None:
    side, seen = SideThread("test", 10), list[int]()
    await asyncio.gather(*(side.run(seen.append, number) for number in range(10)))
    assert seen == list(range(10))
    assert len({await side.run(threading.get_ident) for _ in range(5)}) == 1


async def test_an_error_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        await SideThread("test", 1).run(lambda: 1 // 0)


async def test_only_so_much_may_wait() -> None:
    side, go_on = SideThread("test", 2), threading.Event()
    waiting = [asyncio.create_task(side.run(go_on.wait, 10)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await side.run(go_on.wait, 10)
    go_on.set()
    assert await asyncio.gather(*waiting) == [True, True]
    assert await side.run(go_on.wait, 10)


async def test_closing_waits_for_what_is_being_done() -> None:
    side, began, go_on = SideThread("test", 2), threading.Event(), threading.Event()

    def work() -> str:
        began.set()
        go_on.wait(10)
        return "done"

    doing = asyncio.create_task(side.run(work))
    assert await asyncio.to_thread(began.wait, 10)
    closing = asyncio.create_task(side.close())
    await asyncio.sleep(0)
    assert not closing.done()
    go_on.set()
    await closing
    assert await doing == "done"

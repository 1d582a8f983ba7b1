"""core.memory: memory is given back once after a flood, and later than it was asked for."""

import asyncio
import threading

from tallyroom.core.memory import Relief, give_back


async def test_it_is_given_back_once_in_a_thread_however_often_it_is_asked_for() -> None:
    threads: list[int] = []
    done = asyncio.Event()
    loop = asyncio.get_running_loop()

    def note() -> None:
        threads.append(threading.get_ident())
        loop.call_soon_threadsafe(done.set)

    relief = Relief(note, seconds=0.01)
    relief.soon()
    relief.soon()
    assert threads == []
    await done.wait()
    await asyncio.sleep(0.03)
    assert len(threads) == 1
    assert threads != [threading.get_ident()]
    done.clear()
    relief.soon()
    await done.wait()
    assert len(threads) == 2


def test_this_system_can_do_it() -> None:
    give_back()

"""Memory is given back after a flood, a few times and later than it was asked for."""

import asyncio
import gc
import threading
import weakref

from tallyroom.core.memory import MemoryRelief, freeze_objects, release_memory


async def test_it_is_given_back_in_a_thread_as_often_as_it_helps() -> None:
    given: asyncio.Queue[int] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    relief = MemoryRelief(lambda: loop.call_soon_threadsafe(given.put_nowait, threading.get_ident()), (0.01, 0.01))
    for _ in range(2):
        relief.schedule()
        relief.schedule()
        assert given.empty()
        assert threading.get_ident() not in [await given.get(), await given.get()]
        await asyncio.sleep(0.03)
        assert given.empty()


async def test_whoever_asks_again_and_again_does_not_put_it_off() -> None:
    given = asyncio.Event()
    loop = asyncio.get_running_loop()
    relief = MemoryRelief(lambda: loop.call_soon_threadsafe(given.set), (0.05, 3600.0))
    while not given.is_set():
        relief.schedule()
        await asyncio.sleep(0.01)


def test_this_system_can_do_it() -> None:
    release_memory()


def test_what_is_kept_for_long_is_freed_when_nobody_uses_it() -> None:
    class Kept:
        pass

    kept = Kept()
    gone = weakref.ref(kept)
    gc.unfreeze()
    freeze_objects()
    try:
        assert gc.get_freeze_count() > 0
        assert not any(each is kept for each in gc.get_objects())
        del kept
        assert gone() is None
    finally:
        gc.unfreeze()

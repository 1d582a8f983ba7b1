"""Processes that may take too long, break or be left behind."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from harness.servers import echo_worker
from harness.servers.child import WITH_HARNESS
from harness.servers.echo_worker import DIE, FAIL, PID, REFUSE, SLEEP
from harness.servers.worker_processes import runs
from harness.suite.patience import PATIENCE
from tallyroom.core.errors import PayloadTooLarge, Unavailable
from tallyroom.core.process_pool import PoolRefusals, ProcessPool, WorkerFault

Make = Callable[..., ProcessPool]


@pytest.fixture
async def make(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Make]:
    """Makes pools that are closed after the test."""
    monkeypatch.setenv("PYTHONPATH", WITH_HARNESS["PYTHONPATH"])
    async with AsyncExitStack() as made:

        def one(**given: Any) -> ProcessPool:
            limits = {"max_workers": 1, "job_seconds": PATIENCE, "queue_seconds": PATIENCE} | given
            pool = ProcessPool([echo_worker.__name__], PoolRefusals("busy", "lost", 7), **limits)
            made.push_async_callback(pool.close)
            return pool

        yield one


async def pid_of(pool: ProcessPool) -> int:
    return int(await pool.ask(PID, bytes))


async def gone(pid: int) -> None:
    """Wait until a process has ended and its end is known."""

    def wait() -> None:
        while runs(pid):
            time.sleep(0.01)

    await asyncio.to_thread(wait)


async def test_answers_of_any_size_come_from_one_process_that_stays(make: Make) -> None:
    pool = make()
    first = await pid_of(pool)
    for size in (0, 1, 65_536, 65_537, 5_000_001):
        job = os.urandom(size)
        assert await pool.ask(job, bytes) == job
    assert await pid_of(pool) == first


async def test_a_refusal_and_a_fault_are_raised_and_end_no_process(make: Make) -> None:
    pool = make()
    first = await pid_of(pool)
    with pytest.raises(PayloadTooLarge, match="It is too large"):
        await pool.ask(REFUSE, bytes)
    with pytest.raises(WorkerFault, match="KeyError"):
        await pool.ask(FAIL, bytes)
    assert await pid_of(pool) == first


async def test_there_are_as_many_as_may_be_at_once(make: Make) -> None:
    pool = make(max_workers=2)
    assert len(set(await asyncio.gather(*(pid_of(pool) for _ in range(6))))) <= 2


async def test_one_that_takes_too_long_is_given_up_and_the_next_job_gets_another(make: Make) -> None:
    pool = make(job_seconds=2)
    first = await pid_of(pool)
    with pytest.raises(Unavailable, match="lost"):
        await pool.ask(SLEEP, bytes)
    assert await pid_of(pool) != first
    await gone(first)


@pytest.mark.parametrize("size", [3, 5_000_000])
async def test_one_that_breaks_fails_its_job_and_no_other(make: Make, size: int) -> None:
    pool = make()
    first = await pid_of(pool)
    with pytest.raises(Unavailable, match="lost"):
        await pool.ask(DIE, bytes)
    assert await pool.ask(b"x" * size, bytes) == b"x" * size
    assert await pid_of(pool) != first


async def test_one_that_broke_while_idle_is_replaced(make: Make) -> None:
    pool = make()
    first = await pid_of(pool)
    os.kill(first, signal.SIGKILL)
    await gone(first)
    assert await pid_of(pool) != first


async def test_a_job_waits_for_its_turn_and_not_for_ever(make: Make) -> None:
    pool = make(queue_seconds=0.1)
    stuck = asyncio.create_task(pool.ask(SLEEP, bytes))
    await asyncio.sleep(0.01)
    with pytest.raises(Unavailable, match="busy"):
        await pool.ask(PID, bytes)
    await pool.close()
    with pytest.raises(Unavailable, match="lost"):
        await stuck


async def test_only_so_many_may_wait(make: Make) -> None:
    pool = make(max_waiting=2)
    stuck = asyncio.create_task(pool.ask(SLEEP, bytes))
    await asyncio.sleep(0.01)
    waiting = [asyncio.create_task(pool.ask(PID, bytes)) for _ in range(2)]
    await asyncio.sleep(0.01)
    with pytest.raises(Unavailable, match="busy"):
        await pool.ask(PID, bytes)
    waiting[0].cancel()
    await asyncio.sleep(0.01)
    waiting.append(asyncio.create_task(pool.ask(PID, bytes)))  # in the place of who left
    await asyncio.sleep(0.01)
    await pool.close()
    ends = await asyncio.gather(stuck, *waiting[1:], return_exceptions=True)
    assert all(isinstance(end, Unavailable) for end in ends)


async def test_nobody_gets_the_answer_of_one_who_left(make: Make) -> None:
    pool = make()
    left = asyncio.create_task(pool.ask(b"x" * 5_000_000, bytes))
    await asyncio.sleep(0.01)
    left.cancel()
    assert await pool.ask(b"mine", bytes) == b"mine"


async def test_an_idle_one_ends_and_the_next_job_gets_another(make: Make) -> None:
    pool = make(idle_seconds=0.2)
    first = await pid_of(pool)
    assert await pid_of(pool) == first
    await gone(first)
    assert await pid_of(pool) != first


async def test_closing_ends_them_all_and_no_more_are_started(make: Make) -> None:
    pool = make(max_workers=2)
    pids = await asyncio.gather(pid_of(pool), pid_of(pool))
    stuck = asyncio.create_task(pool.ask(SLEEP, bytes))
    await asyncio.sleep(0.01)
    await pool.close()
    with pytest.raises(Unavailable, match="lost"):
        await stuck
    for pid in pids:
        await gone(pid)
    with pytest.raises(Unavailable, match="lost"):
        await pool.ask(PID, bytes)

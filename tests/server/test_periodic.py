"""A chore comes again, also after it failed, until it is cancelled."""

import asyncio

import pytest

from tallyroom.core.errors import Unavailable
from tallyroom.server.periodic import run_every


async def test_a_chore_that_fails_is_logged_and_comes_again(caplog: pytest.LogCaptureFixture) -> None:
    done = asyncio.Event()
    runs = []

    async def chore() -> None:
        runs.append(len(runs))
        if len(runs) == 2:
            raise ZeroDivisionError
        if 3 <= len(runs) <= 5:
            raise Unavailable("The metadata database is busy.")
        if len(runs) == 7:
            raise Unavailable("The metadata database is busy.")
        if len(runs) == 8:
            done.set()

    task = asyncio.create_task(run_every(0.001, chore))
    await asyncio.wait_for(done.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    failed, *waits = caplog.records
    assert (failed.message, failed.exc_info is None) == ("a chore failed", False)
    assert [(each.message, each.exc_info) for each in waits] == [
        ("a chore failed and will be retried at its next turn", None)
    ] * 2


async def test_the_first_run_waits_its_time() -> None:
    runs = []

    async def chore() -> None:
        runs.append(1)

    task = asyncio.create_task(run_every(60, chore))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert runs == []


async def test_the_first_run_may_come_sooner() -> None:
    done = asyncio.Event()

    async def chore() -> None:
        done.set()

    task = asyncio.create_task(run_every(60, chore, first_seconds=0.001))
    await asyncio.wait_for(done.wait(), 5)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

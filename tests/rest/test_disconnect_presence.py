"""What requires the client is given up when the client leaves, or has left; nothing else is."""

import asyncio

import pytest

from tallyroom.rest.disconnect import Presence


async def test_a_block_ends_when_the_client_leaves() -> None:
    presence, after = Presence(), list[str]()

    async def work() -> None:
        with presence.cancel_on_leave():
            await asyncio.sleep(3600)
        after.append("went on")

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    presence.leave()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert after == []


async def test_a_block_is_not_begun_when_the_client_has_left() -> None:
    presence = Presence()
    presence.leave()
    with pytest.raises(asyncio.CancelledError), presence.cancel_on_leave():
        raise AssertionError


async def test_what_comes_after_the_block_runs_to_its_end() -> None:
    presence, after = Presence(), list[str]()

    async def work() -> None:
        with presence.cancel_on_leave():
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        after.append("went on")

    task = asyncio.create_task(work())
    await asyncio.sleep(0.001)
    presence.leave()
    await task
    assert after == ["went on"]

"""A workspace with many writes delays its own, on either database (rules/safety#write-turns)."""

import asyncio

import pytest

from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Workspace
from tallyroom.storage.metadata.write_turns import STRANGERS, set_write_turn_owner

pytestmark = pytest.mark.usefixtures("on_both")


def write(database: Database, writer: str, order: list[str]) -> "asyncio.Task[None]":
    async def one() -> None:
        set_write_turn_owner(writer)
        async with database.session(write=True) as db:
            order.append(writer)
            db.add(Workspace(id=f"{writer} {len(order)}", name="w", plan="paid", timezone="UTC", created_at_ms=0))

    return asyncio.create_task(one())


async def test_writers_take_turns(database: Database) -> None:
    order: list[str] = []
    async with database.session(write=True):
        writes = [write(database, "flood", order) for _ in range(10)]
        writes += [write(database, STRANGERS, order) for _ in range(10)]
        await asyncio.sleep(0.05)  # all of them wait
        writes += [write(database, "member", order), write(database, "another", order)]
        await asyncio.sleep(0.05)
    await asyncio.gather(*writes)
    assert order[:4] == ["flood", STRANGERS, "member", "another"]
    assert len(order) == 22


async def test_a_writer_that_is_stopped_or_fails_lets_the_next_one_begin(database: Database) -> None:
    order: list[str] = []

    async def fail() -> None:
        async with database.session(write=True):
            raise ZeroDivisionError

    async with database.session(write=True):
        stopped = write(database, "stopped", order)
        failing = asyncio.create_task(fail())
        await asyncio.sleep(0.05)
        stopped.cancel()
    await asyncio.gather(stopped, failing, return_exceptions=True)
    await write(database, "next", order)
    assert order == ["next"]

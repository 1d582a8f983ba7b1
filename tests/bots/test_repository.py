"""Many rows are written some at a time, so that nobody else has to wait for the last."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import event

from harness.stores.listed_bots import ListedBots
from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.repository import load_tallies, store_bots, store_tallies
from tallyroom.bots.votes import VoterTally


class Connection:
    """Notes how many rows each statement has."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    async def connection(self) -> "Connection":
        return self

    async def execute(self, _statement: Any, rows: Sequence[Any]) -> None:
        self.rows.append(len(rows))


@pytest.mark.parametrize(("known", "rows"), [(0, [250, 250, 100]), (600, [250, 250, 100]), (300, [250, 200, 50, 100])])
async def test_rows_of_a_statement(known: int, rows: list[int]) -> None:
    ids = [str(10**17 + at) for at in range(600)]
    db: Any = Connection()
    await store_bots(db, [BotRow("w", bot_id, 1, 0, 0, 0) for bot_id in ids], set(ids[:known]))
    assert sorted(db.rows) == sorted(rows)
    db.rows = []
    voters = [(bot_id, bot_id) for bot_id in ids]
    await store_tallies(db, "w", dict.fromkeys(voters, VoterTally()), set(voters[:known]))
    assert sorted(db.rows) == sorted(rows)


@pytest.mark.parametrize("count", [0, 1, 2, 8, 9, 250, 251, 600])
async def test_tallies_are_found_by_bot_and_user(bots: ListedBots, count: int) -> None:
    voters = [(str(10**17 + at % 7), str(at)) for at in range(count)]
    tallies = {voter: VoterTally(votes=at + 1) for at, voter in enumerate(voters)}
    async with bots.database.session(write=True) as db:
        await store_bots(db, [BotRow(bots.workspace_id, str(10**17 + at), 1, 0, 0, 0) for at in range(7)], ())
        await store_tallies(db, bots.workspace_id, tallies, ())
        strangers = [(bot_id, f"{user_id}x") for bot_id, user_id in voters]
        assert await load_tallies(db, bots.workspace_id, sorted([*voters, *strangers])) == tallies
        assert await load_tallies(db, "another", voters) == {}


async def test_no_other_tallies_are_read(bots: ListedBots) -> None:
    """A look-up that read all voters of the workspace made each batch of votes slower than the one before."""
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    async with bots.database.session(write=False) as db:
        connection = (await db.connection()).sync_connection
        event.listen(connection, "before_cursor_execute", note)
        await load_tallies(db, bots.workspace_id, [("1", "2")])
        [asked] = statements
        plan = await (await db.connection()).exec_driver_sql(f"EXPLAIN QUERY PLAN {asked}", ("",) * asked.count("?"))
    [search] = [step for *_, step in plan.all() if "voters" in step]
    assert "(workspace_id=? AND bot_id=? AND user_id=?)" in search

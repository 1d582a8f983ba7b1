"""Many rows are written some at a time, so that nobody else has to wait for the last."""

from collections.abc import Sequence
from typing import Any

import pytest

from tallyroom.bots.repository import store_bots, store_tallies
from tallyroom.bots.rows import BotRow
from tallyroom.bots.votes import Tally


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
    await store_tallies(db, "w", dict.fromkeys(voters, Tally()), set(voters[:known]))
    assert sorted(db.rows) == sorted(rows)

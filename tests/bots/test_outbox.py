"""bots.outbox: whoever waits for lines is told as soon as they have moved."""

import asyncio
from typing import Any

import pytest

from harness.patience import PATIENCE
from tallyroom.bots import repository
from tallyroom.bots.outbox import Outbox


async def test_a_move_during_the_look_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    unused: Any = None
    outbox, waiting = Outbox(unused, unused), [(1, 1), (1, 1), (0, 0), (0, 0)]

    async def look(_database: object) -> tuple[int, int]:
        found = waiting.pop(0)
        if len(waiting) == 2:  # what waited has moved when the answer arrives
            outbox._moved.set()
            outbox._moved = asyncio.Event()
        return found

    monkeypatch.setattr(repository, "oldest_and_newest_line", look)
    async with asyncio.timeout(PATIENCE):
        assert await outbox.caught_up(10 * PATIENCE)

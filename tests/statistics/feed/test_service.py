"""statistics.feed.service: an import is read beside the event loop."""

import threading
from typing import Any

import pytest

from tallyroom.auth.tenant import StatsScope
from tallyroom.bots.feed import FeedBatch
from tallyroom.core.errors import Forbidden
from tallyroom.statistics.feed import reading, service
from tallyroom.statistics.feed.service import Feeding


class Sender:
    workspace_id = "w"

    def __init__(self, scope: StatsScope) -> None:
        self.scope = scope


class Feed:
    def __init__(self) -> None:
        self.taken: list[FeedBatch] = []

    async def take(self, _workspace_id: str, batch: FeedBatch, *_: Any, **_more: Any) -> list[bool]:
        self.taken.append(batch)
        return [True] * len(batch.votes)


class KnownRows:
    async def count(self, *_: Any) -> int:
        return 0


def feeding(feed: Any, clock: Any) -> Feeding:
    known: Any = KnownRows()
    return Feeding(feed, known, clock, creates=False)


async def test_rows_are_read_in_another_thread(fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def read(body: bytes, now_ms: int) -> Any:
        threads.append(threading.get_ident())
        return reading.import_of(body, now_ms)

    monkeypatch.setattr(service, "import_of", read)
    feed: Any = Feed()
    sender: Any = Sender(StatsScope.WRITE)
    row = b'{"id":"583807014896140293","server_count":1}'
    imported = await feeding(feed, fake_clock).import_rows(sender, b'{"rows":[%b]}' % b",".join([row] * 3))
    assert imported.bots == 3
    assert [len(batch.posts) for batch in feed.taken] == [3]
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


async def test_a_token_for_one_bot_has_nothing_read(fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "import_of", lambda *_: pytest.fail("it is read"))
    sender: Any = Sender(StatsScope.BOT)
    feed: Any = Feed()
    with pytest.raises(Forbidden):
        await feeding(feed, fake_clock).import_rows(sender, b"{}")

"""An import is read by another process."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from tallyroom.auth.principals import StatsScope
from tallyroom.bots.feed import FeedBatch
from tallyroom.bots.statistics_api.feed.import_worker import ImportReader, ImportRow
from tallyroom.bots.statistics_api.feed.reading import parse_import_rows
from tallyroom.bots.statistics_api.feed.service import FeedService
from tallyroom.core.errors import Forbidden, ValidationFailed

EVERY_FIELD = {
    "id": "583807014896140293",
    "name": "Ñ \U0001f600",
    "listingId": "583807014896140295",
    "certified": True,
    "owners": ["583807014896140296"],
    "deleted": False,
    "def_avatar": "0",
    "avatar": "https://example.com/a.png",
    "short_desc": "short",
    "lib": "lib",
    "prefix": "!",
    "website": "https://example.com",
    "approved_at": "2026-01-01T00:00:00Z",
    "tags": ["one", "two"],
    "unlisted": True,
    "unlisted_reason": None,
    "counter_source": "votes",
    "server_count": 5,
    "shard_count": 2,
    "monthly_votes": 2**53 - 1,
    "total_votes": 0,
    "review_count": 1,
    "avg_review_rating": 4.5,
    "timestamp": "2026-02-02T00:00:00Z",
}


class Sender:
    workspace_id = "w"

    def __init__(self, scope: StatsScope) -> None:
        self.scope = scope


class Feed:
    def __init__(self) -> None:
        self.taken: list[FeedBatch] = []

    async def write_batch(self, _workspace_id: str, batch: FeedBatch, *_: Any, **_more: Any) -> list[bool]:
        self.taken.append(batch)
        return [True] * len(batch.votes)


class KnownRowCounter:
    async def count_known_rows(self, *_: Any) -> int:
        return 0


class Imports(ImportReader):
    """Knows whether it was asked."""

    was_asked = False

    async def read_rows(self, body: bytes, now_ms: int) -> list[ImportRow]:
        self.was_asked = True
        return await super().read_rows(body, now_ms)


@pytest.fixture
async def imports() -> AsyncIterator[Imports]:
    made = Imports()
    yield made
    await made.close()


def feeding(feed: Any, imports: ImportReader, clock: Any) -> FeedService:
    known: Any = KnownRowCounter()
    return FeedService(feed, known, imports, clock, may_create_bots=False)


async def test_rows_are_read_by_another_process_with_the_results_and_refusals_of_the_function(
    fake_clock: Any, imports: Imports
) -> None:
    feed: Any = Feed()
    sender: Any = Sender(StatsScope.WRITE)
    bot, vote = msgspec.json.encode(EVERY_FIELD), b'{"bot":"583807014896140293","userId":"583807014896140294"}'
    body = b'{"rows":[%b]}' % b",".join([bot, bot, vote])
    now_ms = fake_clock.now_ms()
    rows = await imports.read_rows(body, now_ms)
    assert repr(rows) == repr([ImportRow(*row) for row in parse_import_rows(body, now_ms)])  # 1 stays 1, and is not 1.0
    imported = await feeding(feed, imports, fake_clock).import_rows(sender, body)
    assert (imported.bots, imported.votes) == (2, 1)
    (batch,) = feed.taken
    assert (len(batch.profiles), len(batch.posts), len(batch.votes)) == (2, 2, 1)
    with pytest.raises(ValidationFailed) as refused:
        await feeding(feed, imports, fake_clock).import_rows(sender, b'{"rows":[{"id":"x"}]}')
    assert [detail.path for detail in refused.value.details] == [["rows", 0, "id"]]
    assert len(feed.taken) == 1


async def test_a_token_for_one_bot_has_nothing_read(fake_clock: Any, imports: Imports) -> None:
    sender: Any = Sender(StatsScope.BOT)
    feed: Any = Feed()
    with pytest.raises(Forbidden):
        await feeding(feed, imports, fake_clock).import_rows(sender, b"{}")
    assert not imports.was_asked

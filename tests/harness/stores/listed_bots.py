"""The parts of a listing as a server has them, around the event store of this process and a clock that tests move."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from harness.stores.event_store import EventStore
from harness.stores.metadata import opened
from tallyroom.bots.directory import BotDirectory, DirectoryCache
from tallyroom.bots.feed import CounterPost, FeedBatch, ListingFeed, ProfileChange
from tallyroom.bots.history import HistoryReader
from tallyroom.bots.history_queries import HistoryQueries
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.statistics_api.records import BotRecordBuilder
from tallyroom.bots.votes import Vote
from tallyroom.core.clock import Clock
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Workspace


async def anybody(_db: Session) -> None:
    """Whoever feeds may."""


class ListedBots:
    """One workspace's listing."""

    def __init__(self, database: Database, store: EventStore, clock: Clock) -> None:
        self.workspace_id = str(uuid.uuid4())
        self.listing = ListingScope(self.workspace_id)
        self.database = database
        self.clock = clock
        self.queries = ListingQueries(store.reader)
        self.outbox = ListingOutbox(database, store.writer)
        self._feed = ListingFeed(database, self.outbox, self.queries, clock)
        self.directories = DirectoryCache(database, self.queries, self.outbox, clock)
        self.records = BotRecordBuilder(database, self.directories)
        self.history_queries = HistoryQueries(store.reader)
        self.histories = HistoryReader(self.history_queries, self.outbox, clock)

    async def take(
        self, profiles: Sequence[ProfileChange] = (), posts: Sequence[CounterPost] = (), votes: Sequence[Vote] = ()
    ) -> list[bool]:
        return await self._feed.write_batch(self.workspace_id, FeedBatch(profiles, posts, votes), anybody)

    async def profile(self, bot_id: str, **columns: Any) -> None:
        await self.take(profiles=[ProfileChange(bot_id, columns)])

    async def post(self, bot_id: str, time_ms: int, **counters: float) -> None:
        await self.take(posts=[CounterPost(bot_id, time_ms, counters)])

    async def vote(self, bot_id: str, user_id: str, time_ms: int, weight: int = 1, vote_id: str = "") -> bool:
        (counted,) = await self.take(votes=[Vote(bot_id, user_id, time_ms, weight, vote_id)])
        return counted

    async def directory(self) -> BotDirectory:
        """The one that lives as long as this listing."""
        return await self.directories.get_directory(self.workspace_id)

    async def fresh_directory(self) -> BotDirectory:
        """One that nobody has asked yet."""
        return await DirectoryCache(self.database, self.queries, self.outbox, self.clock).get_directory(
            self.workspace_id
        )


@asynccontextmanager
async def listed_bots(path: Path, store: EventStore, clock: Clock) -> AsyncIterator[ListedBots]:
    """An empty listing in the migrated metadata at `path`, whose lines move as in a server."""
    database = opened(path)
    bots = ListedBots(database, store, clock)
    async with database.session(write=True) as db:
        db.add(Workspace(id=bots.workspace_id, name="w", plan="paid", timezone="UTC", created_at_ms=0))
    moving = asyncio.create_task(bots.outbox.run())
    try:
        yield bots
        assert await bots.outbox.wait_until_stored(20)
    finally:
        moving.cancel()
        with suppress(asyncio.CancelledError):
            await moving
        await database.close()

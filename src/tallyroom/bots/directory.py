"""The in-memory directory of one workspace: names, and ranks now and in the past, always as new as the metadata.

Ranks depend on all bots. So a directory reads all bots once, and then only those that changed, by the database's
version.
"""

import asyncio
from collections.abc import Callable

from cachetools import LRUCache

from tallyroom.bots import repository
from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import HISTORY_METRICS, METRICS, RANK_METRICS, SOURCE_METRIC, Counters
from tallyroom.bots.ids import number_from_id
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.past_rankings import LATE_AGE_MS, PastRankings
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.rankings import BotRankings
from tallyroom.bots.search_entries import SearchEntry, build_search_entry, list_matching_ids
from tallyroom.core.clock import Clock
from tallyroom.core.memory import freeze_objects
from tallyroom.core.times import DAY_MS
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

MONTH_MS = 30 * DAY_MS

_MAX_DIRECTORIES = 64
_CHUNK_SIZE = 100


class BotDirectory:
    """All bots of a workspace except unlisted ones; `search_entries`, by bot ID, include deleted bots.

    `day_ago` has listed bots that were known 24 hours ago; `month_ago` has monthly votes 30 days ago, without ranks.
    """

    def __init__(self, database: Database, queries: ListingQueries, workspace_id: str) -> None:
        listing = ListingScope(workspace_id)
        self._database = database
        self._workspace_id = workspace_id
        self._seen_revision = -1
        self._database_version = -1
        self._full_read_token = object()  # replaced after each reading of all bots
        self._first_seen_ms_by_bot_id: dict[str, int] = {}  # when each bot was first seen
        self._is_all_stale = True
        self._stale_bot_ids: set[str] = set()  # bots whose past must be read again
        self.search_entries: dict[str, SearchEntry] = {}
        self.current_rankings = BotRankings(RANK_METRICS, {}, 0, default_value=0)
        self.day_ago = PastRankings(queries, listing, DAY_MS, HISTORY_METRICS, rank_metrics=METRICS)
        self.month_ago = PastRankings(queries, listing, MONTH_MS, ("monthly_votes", SOURCE_METRIC))
        self._lock = asyncio.Lock()

    async def refresh(self, now_ms: int, outbox: ListingOutbox) -> None:
        """Bring everything up to this moment; usually there is little to do, and nothing to wait for."""
        if self._database.change_version("listing") != self._database_version or not all(
            past.is_read_until(now_ms) for past in self._past_rankings
        ):
            async with self._lock:
                await self._read_updates(now_ms, outbox)
        self.current_rankings.advance(now_ms)
        for past in self._past_rankings:
            past.advance(now_ms, self._first_seen_ms_by_bot_id)

    @property
    def cache_key(self) -> tuple[object, ...]:
        """A value that is equal until a rank, a rank change or a listed bot changes."""
        return self._full_read_token, self.current_rankings.change_count, self.day_ago.rankings.change_count

    def rank(self, bot_id: str, metric: str) -> int:
        """Return a bot's rank by a metric, from 1; 0 for a deleted bot, which has no rank."""
        return self.current_rankings.rank(bot_id, metric) or 0

    def rank_change(self, bot_id: str, metric: str) -> int:
        """Return how many ranks a bot has climbed in 24 hours; 0 if it had no rank then."""
        earlier_rank, rank = self.day_ago.rankings.rank(bot_id, metric), self.current_rankings.rank(bot_id, metric)
        return 0 if earlier_rank is None or rank is None else earlier_rank - rank

    def percentage_change(self, bot_id: str, metric: str, past: PastRankings) -> float:
        """Return the change of a metric since `past` in percent; 0 if the value was unknown or 0 then."""
        earlier_value = past.rankings.value(bot_id, metric)
        return compute_percent_change(earlier_value, self.current_rankings.value(bot_id, metric))

    async def search_names(self, text: str, *, include_deleted: bool) -> list[str]:
        """Return the IDs of bots with `text` in their name, ignoring case, by rank of monthly votes; deleted last."""
        lower_text = text.lower()
        return await self._find_matching_ids(
            lambda entry: lower_text in entry.lower_name and (include_deleted or not entry.is_deleted)
        )

    async def search_tags(self, tag: str, *, include_deleted: bool) -> list[str]:
        """Return the ids of bots with a tag, ignoring case, in the order of `search_names`."""
        lower_tag = tag.lower()
        return await self._find_matching_ids(
            lambda entry: lower_tag in entry.tags and (include_deleted or not entry.is_deleted)
        )

    async def list_owned_bot_ids(self, user_id: str) -> list[str]:
        """Return the ids of bots that the user owns, including deleted bots, in the order of `search_names`."""
        return await self._find_matching_ids(lambda entry: user_id in entry.owners)

    @property
    def _past_rankings(self) -> tuple[PastRankings, PastRankings]:
        return self.day_ago, self.month_ago

    async def _find_matching_ids(self, matches: Callable[[SearchEntry], bool]) -> list[str]:
        """Search all bots in slices; a bot that changes meanwhile is read before or after its change."""
        listed_ids = [*self.current_rankings.ranking("monthly_votes").ordered_bot_ids]
        listed_matches = await list_matching_ids(listed_ids, self.search_entries, matches)
        deleted_ids = [bot_id for bot_id, entry in self.search_entries.items() if entry.is_deleted]
        return listed_matches + sorted(
            await list_matching_ids(deleted_ids, self.search_entries, matches), key=number_from_id
        )

    async def _read_updates(self, now_ms: int, outbox: ListingOutbox) -> None:
        database_version = self._database.change_version("listing")
        is_far_behind = any(past.is_far_behind(now_ms) for past in self._past_rankings)
        self._is_all_stale = self._is_all_stale or is_far_behind
        if database_version != self._database_version:
            await self._read_changed_bots(now_ms)
        if (is_far_behind or database_version != self._database_version) and (
            self._is_all_stale or self._stale_bot_ids
        ):
            await self._reread_stale_past(now_ms, outbox)
        if not all(past.is_read_until(now_ms) for past in self._past_rankings):
            await self._read_past_ahead(now_ms, outbox)
        self._database_version = database_version

    async def _read_changed_bots(self, now_ms: int) -> None:
        revision = await repository.find_revision(self._database, self._workspace_id)
        if self._seen_revision < 0:
            await self._read_all_bots(now_ms)
        elif revision != self._seen_revision:
            bot_ids = await repository.list_changed_ids(self._database, self._workspace_id, self._seen_revision)
            for start in range(0, len(bot_ids), _CHUNK_SIZE):
                chunk = bot_ids[start : start + _CHUNK_SIZE]
                bots = await repository.find_bots(self._database, self._workspace_id, chunk)
                self._apply_bots([bot for bot in bots if bot is not None], now_ms)
                await asyncio.sleep(0)  # let other requests run in between
        self._seen_revision = revision

    async def _read_all_bots(self, now_ms: int) -> None:
        search_entries: dict[str, SearchEntry] = {}
        counters_by_bot_id: dict[str, Counters] = {}
        first_seen_ms_by_bot_id: dict[str, int] = {}
        async with self._database.session(write=False) as db:
            async for bots in repository.stream_bot_chunks(db, self._workspace_id):
                search_entries |= {bot.id: build_search_entry(bot) for bot in bots if not bot.unlisted}
                counters_by_bot_id |= {bot.id: bot.to_counters() for bot in bots if bot.is_listed}
                first_seen_ms_by_bot_id |= {bot.id: bot.first_seen_ms for bot in bots if bot.is_listed}
                freeze_objects()  # immediately, because it looks at all objects made since the last call
        self.search_entries, self._first_seen_ms_by_bot_id = search_entries, first_seen_ms_by_bot_id
        self.current_rankings = await asyncio.to_thread(
            BotRankings, RANK_METRICS, counters_by_bot_id, now_ms, default_value=0
        )

    async def _reread_stale_past(self, now_ms: int, outbox: ListingOutbox) -> None:
        """Read the stale past again; it stays stale until the event store has all of it."""
        is_caught_up = await outbox.wait_before_read()
        for past in self._past_rankings:
            if self._is_all_stale:
                await past.read_all(now_ms, self._first_seen_ms_by_bot_id, self.current_rankings)
                freeze_objects()
            else:
                await past.read_bots_again(self._stale_bot_ids, self._first_seen_ms_by_bot_id)
        if self._is_all_stale:
            self._full_read_token = object()
        if is_caught_up:
            self._is_all_stale = False
            self._stale_bot_ids.clear()

    async def _read_past_ahead(self, now_ms: int, outbox: ListingOutbox) -> None:
        if not await outbox.wait_before_read() and outbox.failure_reason:
            self._is_all_stale = True  # lines that still wait for the store may be older than what is read now
        for past in self._past_rankings:
            await past.read_ahead(now_ms)

    def _apply_bots(self, bots: list[BotRow], now_ms: int) -> None:
        for bot in bots:
            is_relisted = bot.is_listed and bot.id not in self._first_seen_ms_by_bot_id
            if bot.late_revision > self._seen_revision or (is_relisted and bot.first_seen_ms < now_ms - LATE_AGE_MS):
                self._stale_bot_ids.add(bot.id)
            elif bot.is_listed and self._first_seen_ms_by_bot_id.get(bot.id) != bot.first_seen_ms:
                for past in self._past_rankings:
                    past.add_upcoming_bot(bot.id, bot.first_seen_ms)
            self._apply_bot(bot)
        self.current_rankings.put_all_counters({bot.id: bot.to_counters() for bot in bots if bot.is_listed})

    def _apply_bot(self, bot: BotRow) -> None:
        if bot.unlisted:
            self.search_entries.pop(bot.id, None)
        else:
            self.search_entries[bot.id] = build_search_entry(bot)
        if bot.is_listed:
            self._first_seen_ms_by_bot_id[bot.id] = bot.first_seen_ms
        else:
            self._first_seen_ms_by_bot_id.pop(bot.id, None)
            for rankings in (self.current_rankings, self.day_ago.rankings, self.month_ago.rankings):
                rankings.drop_bot(bot.id)


class DirectoryCache:
    """The directories of recently used workspaces."""

    def __init__(self, database: Database, queries: ListingQueries, outbox: ListingOutbox, clock: Clock) -> None:
        self._database = database
        self._queries = queries
        self._outbox = outbox
        self._clock = clock
        self._directories: LRUCache[str, BotDirectory] = LRUCache(_MAX_DIRECTORIES)

    async def get_directory(self, workspace_id: str) -> BotDirectory:
        """Return the current directory of a workspace; raises `StoreUnavailable` or `Unavailable`."""
        directory = self._directories.get(workspace_id)
        if directory is None:
            directory = self._directories[workspace_id] = BotDirectory(self._database, self._queries, workspace_id)
        await directory.refresh(self._clock.now_ms(), self._outbox)
        return directory


def compute_percent_change(before: int | None, after: int | None) -> float:
    """Return the change from `before` to `after` in percent; 0 if there is nothing to compare with."""
    return (after - before) / before * 100 if before and after is not None else 0.0

"""Bot records: the current profile, counters, ranks and changes of a bot (rules/statistics#bot-record)."""

import asyncio
from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import VOTE_METRICS, Counters, CounterSource
from tallyroom.bots.directory import BotDirectory, DirectoryCache
from tallyroom.bots.repository import find_bots
from tallyroom.bots.statistics_api.bot_lookup import find_listed_bots
from tallyroom.core.times import iso_ms
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

_CHUNK_SIZE = 25  # a millisecond or two


class PercentageChanges(msgspec.Struct):
    """By how many percent monthly votes changed in 24 hours and in 30 days; 0 if there was no count then."""

    daily: float
    monthly: float


class BotRecord(msgspec.Struct, kw_only=True):
    """A bot; the ranks of a deleted bot are 0. `topGGId` is `listingId` under the name that clients know.

    `counter_source` is what `monthly_votes` and `total_votes` are: `posted` counters, or the received `votes`.
    `unreported` names the counters that were never sent, which are 0; only members get it.
    """

    id: str
    listingId: str  # noqa: N815 # the published clients' name
    topGGId: str  # noqa: N815 # as above
    certified: bool
    owners: list[str]
    deleted: bool
    name: str
    def_avatar: str
    avatar: str
    short_desc: str
    lib: str
    prefix: str
    website: str
    approved_at: str
    monthly_votes: int
    total_votes: int
    server_count: int
    shard_count: int | UnsetType = UNSET
    monthly_votes_rank: int
    server_count_rank: int
    total_votes_rank: int
    shard_count_rank: int | UnsetType = UNSET
    timestamp: str
    unix_timestamp: str
    tags: list[str]
    avg_review_rating: float
    review_count: int
    counter_source: CounterSource
    percentage_changes: PercentageChanges
    unreported: list[str] | UnsetType = UNSET


class BotRecordBuilder:
    """Builds bot records."""

    def __init__(self, database: Database, directory_cache: DirectoryCache) -> None:
        self._database = database
        self._directory_cache = directory_cache

    async def get_records(
        self,
        listing: ListingScope,
        bot_ids: Sequence[str],
        *,
        with_shards: bool = False,
        include_unlisted: bool = False,
        with_unreported: bool = False,
    ) -> list[BotRecord]:
        """Return the records of bots in the requested order, or raise `NotFound` if one is not in the listing."""
        directory = await self._directory_cache.get_directory(listing.workspace_id)
        bots = await find_listed_bots(self._database, listing, bot_ids, include_unlisted=include_unlisted)
        return [_build_record(bot, directory, with_shards=with_shards, with_unreported=with_unreported) for bot in bots]

    async def get_listed_records(
        self, listing: ListingScope, bot_ids: Sequence[str], *, with_unreported: bool
    ) -> list[BotRecord]:
        """Return the records of bots that a search found, except bots that have been unlisted since."""
        directory = await self._directory_cache.get_directory(listing.workspace_id)
        records: list[BotRecord] = []
        for start in range(0, len(bot_ids), _CHUNK_SIZE):
            chunk = bot_ids[start : start + _CHUNK_SIZE]
            bots = await find_bots(self._database, listing.workspace_id, chunk)
            records += [
                _build_record(bot, directory, with_shards=False, with_unreported=with_unreported)
                for bot in bots
                if bot is not None and not bot.unlisted
            ]
            await asyncio.sleep(0)  # so that other tasks need not wait for all of them
        return records


def _build_record(bot: BotRow, directory: BotDirectory, *, with_shards: bool, with_unreported: bool) -> BotRecord:
    listing_id, rankings = bot.listing_id or bot.id, directory.current_rankings
    counters, now_ms = rankings.find_counters(bot.id) or bot.to_counters(), rankings.moment_ms
    return BotRecord(
        id=bot.id,
        listingId=listing_id,
        topGGId=listing_id,
        certified=bot.certified,
        owners=msgspec.json.decode(bot.owners),
        deleted=bot.deleted,
        name=bot.name or bot.id,
        def_avatar=bot.def_avatar,
        avatar=bot.avatar,
        short_desc=bot.short_desc,
        lib=bot.lib,
        prefix=bot.prefix,
        website=bot.website,
        approved_at=iso_ms(bot.first_seen_ms if bot.approved_at_ms is None else bot.approved_at_ms),
        monthly_votes=counters.value_at("monthly_votes", now_ms) or 0,
        total_votes=counters.value_at("total_votes", now_ms) or 0,
        server_count=bot.server_count or 0,
        shard_count=bot.shard_count or 0 if with_shards else UNSET,
        monthly_votes_rank=directory.rank(bot.id, "monthly_votes"),
        server_count_rank=directory.rank(bot.id, "server_count"),
        total_votes_rank=directory.rank(bot.id, "total_votes"),
        shard_count_rank=directory.rank(bot.id, "shard_count") if with_shards else UNSET,
        timestamp=iso_ms(bot.updated_at_ms),
        unix_timestamp=str(bot.updated_at_ms),
        tags=msgspec.json.decode(bot.tags),
        avg_review_rating=bot.avg_review_rating or 0,
        review_count=bot.review_count or 0,
        counter_source=counters.source,
        percentage_changes=_find_changes(bot, directory),
        unreported=_list_unreported(bot, counters, now_ms, with_shards=with_shards) if with_unreported else UNSET,
    )


def _find_changes(bot: BotRow, directory: BotDirectory) -> PercentageChanges:
    return PercentageChanges(
        daily=directory.percentage_change(bot.id, "monthly_votes", directory.day_ago),
        monthly=directory.percentage_change(bot.id, "monthly_votes", directory.month_ago),
    )


def _list_unreported(bot: BotRow, counters: Counters, now_ms: int, *, with_shards: bool) -> list[str]:
    """Return the names of the counters that were never sent."""
    value_by_name = {
        "server_count": bot.server_count,
        "review_count": bot.review_count,
        "avg_review_rating": bot.avg_review_rating,
        **({"shard_count": bot.shard_count} if with_shards else {}),
    }
    return [
        *counters.list_unknown(VOTE_METRICS, now_ms),
        *(name for name, value in value_by_name.items() if value is None),
    ]

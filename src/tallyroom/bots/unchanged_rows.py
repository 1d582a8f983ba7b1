"""Finds rows about bots that change nothing, because the listing already has their values."""

from collections.abc import Mapping, Sequence

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import METRICS, SOURCES, CounterKey
from tallyroom.bots.feed import CounterPost, ProfileChange
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.repository import load_bots
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

FedRow = tuple[ProfileChange | None, CounterPost | None]
"""The profile and the counters that one row has for a bot."""


class KnownRowCounter:
    """Counts such rows before they are fed."""

    def __init__(self, database: Database, queries: ListingQueries, outbox: ListingOutbox) -> None:
        self._database = database
        self._queries = queries
        self._outbox = outbox

    async def count_known_rows(self, workspace_id: str, rows: Sequence[FedRow]) -> int | None:
        """Return how many rows would change nothing; None if the event store does not answer."""
        bot_ids = {row_part.bot_id for row in rows for row_part in row if row_part is not None}
        async with self._database.session(write=False) as db:
            bot_by_id = await load_bots(db, workspace_id, sorted(bot_ids))
        past_counters_of_rows = [
            past_counters
            async for row in iterate_in_slices(rows)
            if (past_counters := _list_past_counters(row, bot_by_id)) is not None
        ]
        counter_keys = {key for past_counters in past_counters_of_rows for key in past_counters}
        try:
            stored_value_by_key = await self._load_stored_value_by_key(workspace_id, counter_keys)
        except (Unavailable, RateLimited):
            return None
        known_count = 0
        async for past_counters in iterate_in_slices(past_counters_of_rows):
            known_count += all(stored_value_by_key.get(key) == value for key, value in past_counters.items())
        return known_count

    async def _load_stored_value_by_key(
        self, workspace_id: str, counter_keys: set[CounterKey]
    ) -> dict[CounterKey, int]:
        if not counter_keys:
            return {}
        if not await self._outbox.wait_before_read():
            raise Unavailable("The event store is behind.")
        counters = await self._queries.read_counters_by_keys(ListingScope(workspace_id), counter_keys)
        return {(counter.bot_id, counter.metric, counter.time_ms): counter.value for counter in counters}


def _list_past_counters(row: FedRow, bot_by_id: Mapping[str, BotRow]) -> dict[CounterKey, float] | None:
    """Return a row's counters that only the event store can know; None if the row has something new in any case."""
    profile, post = row
    if profile is not None and not _is_known(profile, bot_by_id.get(profile.bot_id)):
        return None
    return {} if post is None else _collect_past_counters(post, bot_by_id.get(post.bot_id))


def _collect_past_counters(post: CounterPost, bot: BotRow | None) -> dict[CounterKey, float] | None:
    past_counters: dict[CounterKey, float] = {}
    for counter_name, value in post.counters.items():
        newest_ms = getattr(bot, f"{counter_name}_ms", None)
        if newest_ms is None or post.time_ms > newest_ms:
            return None
        if post.time_ms == newest_ms and getattr(bot, counter_name) != value:
            return None
        if post.time_ms < newest_ms and counter_name in METRICS:
            past_counters[post.bot_id, counter_name, post.time_ms] = value
    return past_counters


def _is_known(profile: ProfileChange, bot: BotRow | None) -> bool:
    if bot is None or any(getattr(bot, column) != value for column, value in profile.columns.items()):
        return False
    source = None if bot.counter_source is None else SOURCES[bot.counter_source]
    return profile.counter_source in {None, source}

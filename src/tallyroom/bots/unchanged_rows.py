"""Finds rows about bots that change nothing, because the listing already knows all of it."""

from collections.abc import Mapping, Sequence

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import METRICS, SOURCES
from tallyroom.bots.feed import Post, Profile
from tallyroom.bots.outbox import Outbox
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.repository import load_bots
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.storage.event_store.scope import Listing
from tallyroom.storage.metadata.connection import Database

FedRow = tuple[Profile | None, Post | None]
"""The profile and the counters that one row has for a bot."""

CounterKey = tuple[str, str, int]
"""A bot, one of its metrics, and a time in ms since 1970 UTC."""


class KnownRowCounter:
    """Counts such rows before they are fed.

    Args:
        database: the current state of the bots.
        queries: the event store, which has their past.
        outbox: the lines on their way to the event store.
    """

    def __init__(self, database: Database, queries: ListingQueries, outbox: Outbox) -> None:
        self._database = database
        self._queries = queries
        self._outbox = outbox

    async def count_known(self, workspace_id: str, rows: Sequence[FedRow]) -> int | None:
        """Return how many rows would change nothing; None if the event store does not answer."""
        bot_ids = {row_part.bot_id for row in rows for row_part in row if row_part is not None}
        async with self._database.session(write=False) as db:
            bots = await load_bots(db, workspace_id, sorted(bot_ids))
        past_rows = [
            past_counters
            async for row in iterate_in_slices(rows)
            if (past_counters := _list_past_counters(row, bots)) is not None
        ]
        try:
            stored_values = await self._load_stored_values(
                workspace_id, {key for past_counters in past_rows for key in past_counters}
            )
        except (Unavailable, RateLimited):
            return None
        return len(
            [
                past_counters
                async for past_counters in iterate_in_slices(past_rows)
                if all(stored_values.get(key) == value for key, value in past_counters.items())
            ]
        )

    async def _load_stored_values(self, workspace_id: str, counter_keys: set[CounterKey]) -> dict[CounterKey, int]:
        if not counter_keys:
            return {}
        if not await self._outbox.wait_before_read():
            raise Unavailable("The event store is behind.")
        counters = await self._queries.read_counters_of(Listing(workspace_id), counter_keys)
        return {(counter.bot_id, counter.metric, counter.time_ms): counter.value for counter in counters}


def _list_past_counters(row: FedRow, bots: Mapping[str, BotRow]) -> dict[CounterKey, float] | None:
    """Return a row's counters that only the event store can know; None if the row has something new in any case."""
    profile, post = row
    if profile is not None and not _is_known(profile, bots.get(profile.bot_id)):
        return None
    return {} if post is None else _past_counters_of(post, bots.get(post.bot_id))


def _past_counters_of(post: Post, bot: BotRow | None) -> dict[CounterKey, float] | None:
    past_counters: dict[CounterKey, float] = {}
    for name, value in post.counters.items():
        known_ms = getattr(bot, f"{name}_ms", None)
        if known_ms is None or post.time_ms > known_ms:
            return None
        if post.time_ms == known_ms and getattr(bot, name) != value:
            return None
        if post.time_ms < known_ms and name in METRICS:
            past_counters[post.bot_id, name, post.time_ms] = value
    return past_counters


def _is_known(profile: Profile, bot: BotRow | None) -> bool:
    if bot is None or any(getattr(bot, column) != value for column, value in profile.columns.items()):
        return False
    source = None if bot.counter_source is None else SOURCES[bot.counter_source]
    return profile.counter_source in {None, source}

"""Feeding a listing: a transaction writes a batch completely, or not at all (rules/statistics#durable-feeding)."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from tallyroom.bots import repository
from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import HISTORY_METRICS, SOURCE_METRIC, SOURCES, CounterSource, month_of
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.past_rankings import LATE_AGE_MS
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.repository import VoterKey
from tallyroom.bots.shards import update_total_servers
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.bots.votes import Vote, VoteHistory, VoterTally
from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound, Unavailable
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.event_store.tables import BOT_COUNTERS, BOT_VOTES
from tallyroom.storage.metadata.connection import Database, Session

_MAX_WAIT_SECONDS = 10.0
_HISTORY_CHUNK_SIZE, _LINE_SLICE_SIZE = 1_000, 2_000

PermissionCheck = Callable[[Session], Awaitable[None]]
"""Raises if the sender is no longer allowed to feed; called within the transaction."""


class ProfileChange(msgspec.Struct, frozen=True):
    """A new profile of a bot: columns of `BotRow` with new values, and the new counter source, None to keep it."""

    bot_id: str
    columns: Mapping[str, Any]
    counter_source: CounterSource | None = None


class CounterPost(msgspec.Struct, frozen=True):
    """Counters of a bot at a moment, by the names in `COUNTER_NAMES`; `shard` is a number and its server count."""

    bot_id: str
    time_ms: int
    counters: Mapping[str, int | float]  # an integer stays one on its way between processes
    shard: tuple[int, int] | None = None


class FeedBatch(msgspec.Struct, frozen=True):
    """Everything that is fed at once. Profiles and counters apply in order, so the last one wins."""

    profiles: Sequence[ProfileChange] = ()
    posts: Sequence[CounterPost] = ()
    votes: Sequence[Vote] = ()

    @property
    def bot_ids(self) -> set[str]:
        """The bots in the batch."""
        return {entry.bot_id for entries in (self.profiles, self.posts, self.votes) for entry in entries}

    @property
    def profile_bot_ids(self) -> set[str]:
        """The bots for which the batch has a profile."""
        return {profile.bot_id for profile in self.profiles}


class ListingFeed:
    """The one way into a listing. Batches of one workspace take turns."""

    def __init__(self, database: Database, outbox: ListingOutbox, queries: ListingQueries, clock: Clock) -> None:
        self._database = database
        self._outbox = outbox
        self._queries = queries
        self._clock = clock
        self._lock_by_workspace_id: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def write_batch(
        self, workspace_id: str, batch: FeedBatch, check_permission: PermissionCheck, *, may_create_bots: bool = True
    ) -> list[bool]:
        """Write a batch of checked values durably, and return for each vote whether it counts.

        The profile of an unknown bot creates it; with `may_create_bots`, so do counters and votes. Raises `NotFound`
        for any other unknown bot, and `Unavailable` if earlier votes cannot be read or the metadata is busy.
        """
        async with self._lock_by_workspace_id[workspace_id]:
            if await self._is_repeated_vote(workspace_id, batch):
                return [False] * len(batch.votes)
            history_by_voter = await self._load_history_by_voter(workspace_id, batch.votes)
            async with self._database.session(write=True) as db:
                await check_permission(db)
                writer = _BatchWriter(db, workspace_id, self._clock.now_ms(), may_create_bots=may_create_bots)
                are_counted = await writer.write_batch(batch, history_by_voter)
        failpoints.hit("feed.commit.after")
        self._outbox.notify_added()
        return are_counted

    async def _is_repeated_vote(self, workspace_id: str, batch: FeedBatch) -> bool:
        """Return True if the batch is a single vote that already counted, so that a retry costs next to nothing."""
        if batch.profiles or batch.posts or len(batch.votes) != 1:
            return False
        (vote,) = batch.votes
        tally = await repository.find_tally(self._database, workspace_id, (vote.bot_id, vote.user_id))
        return tally is not None and not tally.needs_history(vote) and not tally.count_vote(vote)

    async def _load_history_by_voter(self, workspace_id: str, votes: Sequence[Vote]) -> dict[VoterKey, VoteHistory]:
        """Find all votes of the voters for whom the last vote alone is not enough (`VoterTally.needs_history`)."""
        voters = await self._list_undecided_voters(workspace_id, votes)
        if not voters:
            return {}
        if not await self._outbox.wait_until_stored(_MAX_WAIT_SECONDS):
            raise Unavailable("The event store is behind. Send this again later.")
        history_by_voter: dict[VoterKey, VoteHistory] = {}
        for start in range(0, len(voters), _HISTORY_CHUNK_SIZE):
            chunk = voters[start : start + _HISTORY_CHUNK_SIZE]
            history_by_voter |= await self._queries.read_vote_histories(ListingScope(workspace_id), chunk)
        return {voter: history_by_voter.get(voter, VoteHistory(())) for voter in voters}

    async def _list_undecided_voters(self, workspace_id: str, votes: Sequence[Vote]) -> list[VoterKey]:
        voters: dict[VoterKey, None] = {}
        async with self._database.session(write=False) as db:
            tally_by_voter = await repository.load_tallies(db, workspace_id, _list_voters(votes))
        async for vote in iterate_in_slices(votes):
            voter = (vote.bot_id, vote.user_id)
            tally = tally_by_voter.setdefault(voter, VoterTally())
            if tally.needs_history(vote):
                voters[voter] = None
            elif voter not in voters:
                tally.count_vote(vote)
        return list(voters)


class _BatchWriter:
    """One batch on its way into the metadata, within one transaction."""

    def __init__(self, db: Session, workspace_id: str, now_ms: int, *, may_create_bots: bool) -> None:
        self._db = db
        self._may_create_bots = may_create_bots
        self._workspace_id = workspace_id
        self._now_ms = now_ms
        self._revision = 0
        self._bot_by_id: dict[str, BotRow] = {}
        self._history_value_by_key: dict[tuple[str, str, int], float] = {}  # by bot, metric and time
        self._vote_lines: list[bytes] = []

    async def write_batch(self, batch: FeedBatch, history_by_voter: Mapping[VoterKey, VoteHistory]) -> list[bool]:
        """Write everything; return for each vote whether it counts."""
        self._revision = await repository.increment_revision(self._db, self._workspace_id)
        known_bots = await repository.load_bots(self._db, self._workspace_id, sorted(batch.bot_ids))
        if not self._may_create_bots and batch.bot_ids - known_bots.keys() - batch.profile_bot_ids:
            raise NotFound("No bot exists with the ID provided; PUT its profile first.")
        self._bot_by_id = {id_: known_bots.get(id_) or self._build_bot(id_) for id_ in sorted(batch.bot_ids)}
        async for profile in iterate_in_slices(batch.profiles):
            self._apply_profile(profile)
        async for post in iterate_in_slices(batch.posts):
            self._apply_post(post)
        tallies = await repository.load_tallies(self._db, self._workspace_id, _list_voters(batch.votes))
        existing_voters = set(tallies)
        are_counted = [self._add_vote(vote, tallies, history_by_voter) async for vote in iterate_in_slices(batch.votes)]
        await repository.store_bots(self._db, list(self._bot_by_id.values()), known_bots.keys())
        await repository.store_tallies(self._db, self._workspace_id, tallies, existing_voters)
        await repository.add_outbox_lines(self._db, BOT_COUNTERS, await self._build_counter_lines())
        await repository.add_outbox_lines(self._db, BOT_VOTES, self._vote_lines)
        return are_counted

    def _build_bot(self, bot_id: str) -> BotRow:
        return BotRow(self._workspace_id, bot_id, self._revision, 0, self._now_ms, self._now_ms)

    def _touch_bot(self, bot_id: str, time_ms: int) -> BotRow:
        bot = self._bot_by_id[bot_id]
        bot.revision = self._revision
        bot.updated_at_ms = max(bot.updated_at_ms, min(time_ms, self._now_ms))
        bot.first_seen_ms = min(bot.first_seen_ms, time_ms)
        if time_ms < self._now_ms - LATE_AGE_MS:
            bot.late_revision = self._revision
        return bot

    def _apply_profile(self, profile: ProfileChange) -> None:
        bot = self._touch_bot(profile.bot_id, self._now_ms)
        for column, value in profile.columns.items():
            setattr(bot, column, value)
        if profile.counter_source is not None:
            self._apply_counter(bot, SOURCE_METRIC, self._now_ms, SOURCES.index(profile.counter_source))

    def _apply_post(self, post: CounterPost) -> None:
        bot = self._touch_bot(post.bot_id, post.time_ms)
        for name, value in post.counters.items():
            self._apply_counter(bot, name, post.time_ms, value)
        if (server_count := update_total_servers(bot, post.shard, post.counters, post.time_ms)) is not None:
            self._apply_counter(bot, "server_count", post.time_ms, server_count)

    def _apply_counter(self, bot: BotRow, name: str, time_ms: int, value: float) -> None:
        bot.apply_counter(name, time_ms, value)
        if name in HISTORY_METRICS:
            self._history_value_by_key[bot.id, name, time_ms] = value

    async def _build_counter_lines(self) -> list[bytes]:
        return [
            msgspec.json.encode((self._workspace_id, *key, self._revision, value)) + b"\n"
            async for key, value in iterate_in_slices(self._history_value_by_key.items(), _LINE_SLICE_SIZE)
        ]

    def _add_vote(
        self, vote: Vote, tally_by_voter: dict[VoterKey, VoterTally], history_by_voter: Mapping[VoterKey, VoteHistory]
    ) -> bool:
        voter = (vote.bot_id, vote.user_id)
        is_new_voter = voter not in tally_by_voter
        tally = tally_by_voter.setdefault(voter, VoterTally())
        if voter not in history_by_voter and tally.needs_history(vote):
            raise Unavailable("A later vote by this user has arrived in the meantime. Send this one again.")
        if not tally.count_vote(vote, history_by_voter.get(voter)):
            return False
        bot = self._touch_bot(vote.bot_id, vote.time_ms)
        bot.voters += is_new_voter
        counters = bot.to_counters()
        counters.add_votes(1, month_of(vote.time_ms))
        bot.votes, bot.month, bot.month_votes = counters.vote_count, counters.month, counters.month_vote_count
        row = (self._workspace_id, bot.id, vote.user_id, vote.time_ms, vote.vote_id, vote.weight)
        self._vote_lines.append(msgspec.json.encode(row) + b"\n")
        return True


def _list_voters(votes: Sequence[Vote]) -> list[VoterKey]:
    return sorted({(vote.bot_id, vote.user_id) for vote in votes})

"""Feeding a listing: a batch is written completely in one transaction, or not at all.

See rules/statistics#durable-feeding.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from tallyroom.bots import repository
from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import HISTORY_METRICS, SOURCE, SOURCES, CounterSource, month_of
from tallyroom.bots.outbox import Outbox
from tallyroom.bots.past_rankings import LATE_MS
from tallyroom.bots.queries import ListingQueries
from tallyroom.bots.repository import VoterKey
from tallyroom.bots.shards import total_servers
from tallyroom.bots.time_slices import in_turns
from tallyroom.bots.votes import Tally, Vote, VoteHistory
from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound, Unavailable
from tallyroom.storage.event_store.scope import Listing
from tallyroom.storage.event_store.tables import BOT_COUNTERS, BOT_VOTES
from tallyroom.storage.metadata.connection import Database, Session

_DRAIN_SECONDS = 10.0
_HISTORIES_AT_ONCE = 1_000
_LINES_AT_ONCE = 2_000

Permission = Callable[[Session], Awaitable[None]]
"""Raises if the sender is no longer allowed to feed; called within the transaction."""


class Profile(msgspec.Struct, frozen=True):
    """A new profile of a bot: columns of `BotRow` with their new values, and the counter source from now on."""

    bot_id: str
    columns: Mapping[str, Any]
    counter_source: CounterSource | None = None


class Post(msgspec.Struct, frozen=True):
    """Counters of a bot at a moment.

    Attributes:
        counters: values by name; the names are those in `rows.COUNTERS`.
        shard: the number of a shard and its server count, if a single shard posts.
    """

    bot_id: str
    time_ms: int
    counters: Mapping[str, int | float]  # an integer stays one on its way between processes
    shard: tuple[int, int] | None = None


class FeedBatch(msgspec.Struct, frozen=True):
    """Everything that is fed at once. Profiles and counters apply in order, so the last one wins."""

    profiles: Sequence[Profile] = ()
    posts: Sequence[Post] = ()
    votes: Sequence[Vote] = ()

    @property
    def bot_ids(self) -> set[str]:
        """The bots that the batch is about."""
        return {entry.bot_id for entries in (self.profiles, self.posts, self.votes) for entry in entries}

    @property
    def told_ids(self) -> set[str]:
        """The bots for which the batch has a profile."""
        return {profile.bot_id for profile in self.profiles}


class Feed:
    """The one way into a listing. Batches of one workspace take turns.

    Args:
        database: the metadata.
        outbox: passes lines on to the event store.
        queries: finds earlier votes if a vote arrives after a later one of the same user.
        clock: decides what is late.
    """

    def __init__(self, database: Database, outbox: Outbox, queries: ListingQueries, clock: Clock) -> None:
        self._database = database
        self._outbox = outbox
        self._queries = queries
        self._clock = clock
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(
        self, workspace_id: str, batch: FeedBatch, permission: Permission, *, creates: bool = True
    ) -> list[bool]:
        """Write a batch; it is durable when this returns. A profile of an unknown bot creates the bot.

        Args:
            workspace_id: the workspace of the listing.
            batch: the batch; its ids and values have been checked.
            permission: checks again that the sender may feed.
            creates: True if counters and votes alone also create unknown bots.

        Returns:
            For each vote, True if it counts; a vote that repeats another does not.

        Raises:
            NotFound: the batch is about an unknown bot and does not create it.
            Unavailable: earlier votes could not be read from the event store, or the metadata is busy.
        """
        async with self._turns[workspace_id]:
            if await self._only_repeats(workspace_id, batch):
                return [False] * len(batch.votes)
            histories = await self._histories(workspace_id, batch.votes)
            async with self._database.session(write=True) as db:
                await permission(db)
                entry = _Entry(db, workspace_id, self._clock.now_ms(), creates=creates)
                counts = await entry.make(batch, histories)
        failpoints.hit("feed.commit.after")
        self._outbox.fill()
        return counts

    async def _only_repeats(self, workspace_id: str, batch: FeedBatch) -> bool:
        """Return True if the batch is a single vote that already counted, so that a retry costs next to nothing."""
        if batch.profiles or batch.posts or len(batch.votes) != 1:
            return False
        (vote,) = batch.votes
        tally = await repository.find_tally(self._database, workspace_id, (vote.bot_id, vote.user_id))
        return tally is not None and not tally.needs_history(vote) and not tally.take(vote)

    async def _histories(self, workspace_id: str, votes: Sequence[Vote]) -> dict[VoterKey, VoteHistory]:
        """Find all votes of the voters for whom the last vote alone is not enough (`Tally.needs_history`)."""
        voters = await self._undecided(workspace_id, votes)
        if not voters:
            return {}
        if not await self._outbox.caught_up(_DRAIN_SECONDS):
            raise Unavailable("The event store is behind. Send this again later.")
        histories: dict[VoterKey, VoteHistory] = {}
        for start in range(0, len(voters), _HISTORIES_AT_ONCE):
            chunk = voters[start : start + _HISTORIES_AT_ONCE]
            histories |= await self._queries.vote_histories(Listing(workspace_id), chunk)
        return {voter: histories.get(voter, VoteHistory(())) for voter in voters}

    async def _undecided(self, workspace_id: str, votes: Sequence[Vote]) -> list[VoterKey]:
        voters: dict[VoterKey, None] = {}
        async with self._database.session(write=False) as db:
            tallies = await repository.load_tallies(db, workspace_id, _voters(votes))
        async for vote in in_turns(votes):
            voter = (vote.bot_id, vote.user_id)
            tally = tallies.setdefault(voter, Tally())
            if tally.needs_history(vote):
                voters[voter] = None
            elif voter not in voters:
                tally.take(vote)
        return list(voters)


class _Entry:
    """One batch on its way into the metadata, within one transaction."""

    def __init__(self, db: Session, workspace_id: str, now_ms: int, *, creates: bool) -> None:
        self._db = db
        self._creates = creates
        self._workspace_id = workspace_id
        self._now_ms = now_ms
        self._revision = 0
        self._bots: dict[str, BotRow] = {}
        self._counters: dict[tuple[str, str, int], float] = {}  # by bot, metric and time; the last one of a batch wins
        self._vote_lines: list[bytes] = []

    async def make(self, batch: FeedBatch, histories: Mapping[VoterKey, VoteHistory]) -> list[bool]:
        """Write everything; return for each vote whether it counts."""
        self._revision = await repository.take_revision(self._db, self._workspace_id)
        existing_bots = await repository.load_bots(self._db, self._workspace_id, sorted(batch.bot_ids))
        if not self._creates and batch.bot_ids - existing_bots.keys() - batch.told_ids:
            raise NotFound("No bot exists with the id provided; PUT its profile first.")
        self._bots = {bot_id: existing_bots.get(bot_id) or self._new_bot(bot_id) for bot_id in sorted(batch.bot_ids)}
        async for profile in in_turns(batch.profiles):
            self._change(profile)
        async for post in in_turns(batch.posts):
            self._post(post)
        tallies = await repository.load_tallies(self._db, self._workspace_id, _voters(batch.votes))
        voters = set(tallies)
        counts = [self._vote(vote, tallies, histories) async for vote in in_turns(batch.votes)]
        await repository.store_bots(self._db, list(self._bots.values()), existing_bots.keys())
        await repository.store_tallies(self._db, self._workspace_id, tallies, voters)
        await repository.put_lines(self._db, BOT_COUNTERS, await self._counter_lines())
        await repository.put_lines(self._db, BOT_VOTES, self._vote_lines)
        return counts

    def _new_bot(self, bot_id: str) -> BotRow:
        return BotRow(self._workspace_id, bot_id, self._revision, 0, self._now_ms, self._now_ms)

    def _touch(self, bot_id: str, time_ms: int) -> BotRow:
        bot = self._bots[bot_id]
        bot.revision = self._revision
        bot.updated_at_ms = max(bot.updated_at_ms, min(time_ms, self._now_ms))
        bot.first_seen_ms = min(bot.first_seen_ms, time_ms)
        if time_ms < self._now_ms - LATE_MS:
            bot.late_revision = self._revision
        return bot

    def _change(self, profile: Profile) -> None:
        bot = self._touch(profile.bot_id, self._now_ms)
        for column, value in profile.columns.items():
            setattr(bot, column, value)
        if profile.counter_source is not None:
            self._send(bot, SOURCE, self._now_ms, SOURCES.index(profile.counter_source))

    def _post(self, post: Post) -> None:
        bot = self._touch(post.bot_id, post.time_ms)
        for name, value in post.counters.items():
            self._send(bot, name, post.time_ms, value)
        total = total_servers(bot, post.shard, post.counters, post.time_ms)
        if total is not None:
            self._send(bot, "server_count", post.time_ms, total)

    def _send(self, bot: BotRow, name: str, time_ms: int, value: float) -> None:
        bot.send(name, time_ms, value)
        if name in HISTORY_METRICS:
            self._counters[bot.id, name, time_ms] = value

    async def _counter_lines(self) -> list[bytes]:
        return [
            msgspec.json.encode((self._workspace_id, *key, self._revision, value)) + b"\n"
            async for key, value in in_turns(self._counters.items(), _LINES_AT_ONCE)
        ]

    def _vote(self, vote: Vote, tallies: dict[VoterKey, Tally], histories: Mapping[VoterKey, VoteHistory]) -> bool:
        voter = (vote.bot_id, vote.user_id)
        first = voter not in tallies
        tally = tallies.setdefault(voter, Tally())
        if voter not in histories and tally.needs_history(vote):
            raise Unavailable("A later vote of this user arrived meanwhile. Send this again.")
        if not tally.take(vote, histories.get(voter)):
            return False
        bot = self._touch(vote.bot_id, vote.time_ms)
        bot.voters += first
        counters = bot.counters()
        counters.count_votes(1, month_of(vote.time_ms))
        bot.votes, bot.month, bot.month_votes = counters.votes, counters.month, counters.month_votes
        row = (self._workspace_id, bot.id, vote.user_id, vote.time_ms, vote.vote_id, vote.weight)
        self._vote_lines.append(msgspec.json.encode(row) + b"\n")
        return True


def _voters(votes: Sequence[Vote]) -> list[VoterKey]:
    return sorted({(vote.bot_id, vote.user_id) for vote in votes})

"""The rules of feeding: who may feed which bot, and what the listing does with it."""

from functools import partial
from typing import Any

from tallyroom.auth.principals import StatsPrincipal, StatsScope
from tallyroom.auth.recheck import refuse_revoked
from tallyroom.bots.counters import CounterSource
from tallyroom.bots.feed import Feed, FeedBatch, Permission, Post
from tallyroom.bots.statistics_api.feed.import_worker import ImportReader
from tallyroom.bots.statistics_api.feed.reading import (
    event_vote_of,
    list_vote_of,
    post_of,
    profile_of,
    sdk_post_of,
    vote_of,
)
from tallyroom.bots.statistics_api.feed.schemas import (
    Imported,
    ListEventIn,
    ListVoteIn,
    Posted,
    ProfileIn,
    SdkStatsIn,
    StatsIn,
    Voted,
    VoteIn,
)
from tallyroom.bots.unchanged_rows import KnownRows
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Forbidden, ValidationFailed
from tallyroom.core.times import iso_ms
from tallyroom.rest.bodies import converted

_VOTE_EVENT = "vote.create"
_TESTS = ("test", "webhook.test")  # not a set: the value compared with it may be any JSON, which need not be hashable


class Feeding:
    """Feeds the listing of the sender.

    Args:
        feed: writes to listings.
        known_rows: counts the rows of an import that the listing already knows.
        imports: reads them.
        clock: gives the time of arrival.
        creates: True if counters and votes of an unknown bot create it, no matter who sends them.
    """

    def __init__(
        self, feed: Feed, known_rows: KnownRows, imports: ImportReader, clock: Clock, *, creates: bool
    ) -> None:
        self._feed = feed
        self._known_rows = known_rows
        self._imports = imports
        self._clock = clock
        self._creates = creates

    async def merge_profile(self, sender: StatsPrincipal, bot_id: str, profile: ProfileIn) -> None:
        """Merge fields into a bot's profile; an unknown bot is created.

        Raises:
            ValidationFailed: `approved_at` is not a moment.
            Unauthorized: the token was revoked meanwhile.
        """
        await self._take(sender, FeedBatch(profiles=[profile_of(bot_id, profile, self._clock.now_ms())]))

    async def choose_source(
        self, workspace_id: str, bot_id: str, source: CounterSource, permission: Permission
    ) -> None:
        """Say where the vote counters of a known bot come from, for a member, whom `permission` checks again."""
        profile = profile_of(bot_id, ProfileIn(counter_source=source), self._clock.now_ms())
        await self._feed.take(workspace_id, FeedBatch(profiles=[profile]), permission)

    async def post_stats(self, sender: StatsPrincipal, bot_id: str, stats: StatsIn) -> Posted:
        """Accept counters of a bot.

        Raises:
            ValidationFailed: there are none, or their moment is wrong.
            NotFound: the bot is unknown, and the token is not its own.
            Unauthorized: the token was revoked meanwhile.
        """
        return await self._post(sender, post_of(bot_id, stats, self._clock.now_ms()))

    async def post_sdk_stats(self, sender: StatsPrincipal, bot_id: str | None, stats: SdkStatsIn) -> Posted:
        """Accept counters as an SDK posts them, for the bot in the path or, without one, for the token's bot.

        Raises:
            ValidationFailed: nothing names a bot, or there is no number of servers.
            NotFound: the bot is unknown, and the token is not its own.
            Unauthorized: the token was revoked meanwhile.
        """
        bot_id = bot_id or sender.bot_id
        if bot_id is None:
            raise ValidationFailed("Only a token with the scope bot may leave out the bot's id.")
        return await self._post(sender, sdk_post_of(bot_id, stats, self._clock.now_ms()))

    async def vote(self, sender: StatsPrincipal, bot_id: str, body: dict[str, Any]) -> Voted:
        """Accept a vote in any shape: an event has `data`, an unsigned webhook `user`, and our own shape `userId`.

        Raises:
            ValidationFailed: the vote has none of these shapes, or is for another bot.
            NotFound: the bot is unknown, and the token is not its own.
            Unauthorized: the token was revoked meanwhile.
        """
        if body.get("type") in _TESTS:
            return Voted(counted=False, reason="test")
        now_ms = self._clock.now_ms()
        if "data" in body:
            if body.get("type") != _VOTE_EVENT:
                return Voted(counted=False, reason="ignored")
            vote = event_vote_of(bot_id, converted(body, ListEventIn).data, now_ms)
        elif sender.signs:
            raise ValidationFailed.at(
                ["data"], "is required in a signed webhook, because its id identifies repetitions"
            )
        elif "user" in body:
            vote = list_vote_of(bot_id, converted(body, ListVoteIn), now_ms)
        else:
            vote = vote_of(bot_id, converted(body, VoteIn), now_ms)
        (counts,) = await self._take(sender, FeedBatch(votes=[vote]))
        return Voted(counts, None if counts else "repeated")

    async def import_rows(self, sender: StatsPrincipal, body: bytes) -> Imported:
        """Accept rows together or not at all.

        Raises:
            ValidationFailed: the body is not JSON with rows, or some rows are wrong; it names each of them.
            Unavailable: too many other bodies are being read.
            Forbidden: the token is for one bot only.
            Unauthorized: the token was revoked meanwhile.
        """
        if sender.scope is StatsScope.BOT:
            raise Forbidden("An import requires a token with the scope write.")
        now_ms = self._clock.now_ms()
        read = await self._imports.rows(body, now_ms)
        votes = [row.vote for row in read if row.vote is not None]
        profiles = [row.profile for row in read if row.profile is not None]
        posts = [row.post for row in read if row.post is not None]
        known_row_count = await self._known_rows.count(
            sender.workspace_id, [(row.profile, row.post) for row in read if row.vote is None]
        )
        vote_count = sum(await self._take(sender, FeedBatch(profiles, posts, votes), creates=True))
        repeat_count = len(votes) - vote_count
        return Imported(
            len(read) - len(votes),
            vote_count,
            repeat_count,
            None if known_row_count is None else known_row_count + repeat_count,
        )

    async def _post(self, sender: StatsPrincipal, post: Post) -> Posted:
        await self._take(sender, FeedBatch(posts=[post]))
        return Posted(post.bot_id, iso_ms(post.time_ms))

    async def _take(self, sender: StatsPrincipal, batch: FeedBatch, *, creates: bool = False) -> list[bool]:
        """Feed a batch; a mistyped id creates no bot, unless the token itself names that id."""
        creates = creates or self._creates or sender.scope is StatsScope.BOT
        permission = partial(refuse_revoked, principal=sender)
        return await self._feed.take(sender.workspace_id, batch, permission, creates=creates)

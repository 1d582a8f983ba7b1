"""The rules of feeding: who may feed which bot, and how the listing changes."""

from functools import partial
from typing import Any

from tallyroom.auth.principals import StatsPrincipal, StatsScope
from tallyroom.auth.recheck import refuse_revoked_stats_token
from tallyroom.bots.counters import CounterSource
from tallyroom.bots.feed import CounterPost, FeedBatch, ListingFeed, PermissionCheck
from tallyroom.bots.statistics_api.feed.import_worker import ImportReader
from tallyroom.bots.statistics_api.feed.reading import (
    build_event_vote,
    build_list_vote,
    build_post,
    build_profile,
    build_sdk_post,
    build_vote,
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
from tallyroom.bots.unchanged_rows import KnownRowCounter
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Forbidden, ValidationFailed
from tallyroom.core.times import iso_ms
from tallyroom.rest.bodies import convert_value

_VOTE_EVENT = "vote.create"
_TEST_TYPES = ("test", "webhook.test")  # not a set: the value may be any JSON, even unhashable


class FeedService:
    """Feeds the listing of the sender; with `may_create_bots`, counters and votes of an unknown bot create it."""

    def __init__(
        self,
        feed: ListingFeed,
        known_row_counter: KnownRowCounter,
        import_reader: ImportReader,
        clock: Clock,
        *,
        may_create_bots: bool,
    ) -> None:
        self._feed = feed
        self._known_row_counter = known_row_counter
        self._import_reader = import_reader
        self._clock = clock
        self._may_create_bots = may_create_bots

    async def merge_profile(self, sender: StatsPrincipal, bot_id: str, profile: ProfileIn) -> None:
        """Merge fields into a bot's profile, creating an unknown bot; raises `ValidationFailed` or `Unauthorized`."""
        await self._write_batch(sender, FeedBatch(profiles=[build_profile(bot_id, profile, self._clock.now_ms())]))

    async def choose_counter_source(
        self, workspace_id: str, bot_id: str, source: CounterSource, check_permission: PermissionCheck
    ) -> None:
        """Set where the vote counters of a known bot come from, for a member, whom `check_permission` checks again."""
        profile = build_profile(bot_id, ProfileIn(counter_source=source), self._clock.now_ms())
        await self._feed.write_batch(workspace_id, FeedBatch(profiles=[profile]), check_permission)

    async def post_stats(self, sender: StatsPrincipal, bot_id: str, stats: StatsIn) -> Posted:
        """Accept counters of a bot; raises `ValidationFailed`, `NotFound` if the bot is unknown, or `Unauthorized`."""
        return await self._write_post(sender, build_post(bot_id, stats, self._clock.now_ms()))

    async def post_sdk_stats(self, sender: StatsPrincipal, bot_id: str | None, stats: SdkStatsIn) -> Posted:
        """Accept counters as an SDK posts them, by default for the token's bot; raises the errors of `post_stats`."""
        bot_id = bot_id or sender.bot_id
        if bot_id is None:
            raise ValidationFailed("The bot's ID is required, unless the token has the bot scope.")
        return await self._write_post(sender, build_sdk_post(bot_id, stats, self._clock.now_ms()))

    async def accept_vote(self, sender: StatsPrincipal, bot_id: str, body: dict[str, Any]) -> Voted:
        """Accept a vote: events have `data`, unsigned webhooks `user`, others `userId`; raises as `post_stats`."""
        if body.get("type") in _TEST_TYPES:
            return Voted(counted=False, reason="test")
        now_ms = self._clock.now_ms()
        if "data" in body:
            if body.get("type") != _VOTE_EVENT:
                return Voted(counted=False, reason="ignored")
            vote = build_event_vote(bot_id, convert_value(body, ListEventIn).data, now_ms)
        elif sender.is_webhook_sender:
            raise ValidationFailed.at(["data"], "is required in a signed webhook, because its ID identifies duplicates")
        elif "user" in body:
            vote = build_list_vote(bot_id, convert_value(body, ListVoteIn), now_ms)
        else:
            vote = build_vote(bot_id, convert_value(body, VoteIn), now_ms)
        (is_counted,) = await self._write_batch(sender, FeedBatch(votes=[vote]))
        return Voted(is_counted, None if is_counted else "repeated")

    async def import_rows(self, sender: StatsPrincipal, body: bytes) -> Imported:
        """Accept all rows together or none; raises as `ImportReader.read_rows`, and `Forbidden` or `Unauthorized`."""
        if sender.scope is StatsScope.BOT:
            raise Forbidden("An import requires a token with the write scope.")
        now_ms = self._clock.now_ms()
        rows = await self._import_reader.read_rows(body, now_ms)
        votes = [row.vote for row in rows if row.vote is not None]
        profiles = [row.profile for row in rows if row.profile is not None]
        posts = [row.post for row in rows if row.post is not None]
        bot_rows = [(row.profile, row.post) for row in rows if row.vote is None]
        known_count = await self._known_row_counter.count_known_rows(sender.workspace_id, bot_rows)
        are_counted = await self._write_batch(sender, FeedBatch(profiles, posts, votes), may_create_bots=True)
        repeat_count = are_counted.count(False)
        return Imported(
            len(bot_rows), sum(are_counted), repeat_count, None if known_count is None else known_count + repeat_count
        )

    async def _write_post(self, sender: StatsPrincipal, post: CounterPost) -> Posted:
        await self._write_batch(sender, FeedBatch(posts=[post]))
        return Posted(post.bot_id, iso_ms(post.time_ms))

    async def _write_batch(
        self, sender: StatsPrincipal, batch: FeedBatch, *, may_create_bots: bool = False
    ) -> list[bool]:
        """Feed a batch; a mistyped id creates no bot, unless the token itself names that id."""
        may_create_bots = may_create_bots or self._may_create_bots or sender.scope is StatsScope.BOT
        check = partial(refuse_revoked_stats_token, principal=sender)
        return await self._feed.write_batch(sender.workspace_id, batch, check, may_create_bots=may_create_bots)

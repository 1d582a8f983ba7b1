"""The rules of answers about one bot (rules/statistics#recent-data)."""

import hashlib
from collections.abc import Mapping

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import METRICS, Metric
from tallyroom.bots.directory import compute_percent_change
from tallyroom.bots.history import TimeFrame
from tallyroom.bots.repository import count_voters_before, find_tally, list_voters
from tallyroom.bots.series import TimeGrid
from tallyroom.bots.statistics_api.bot_lookup import build_bot_not_found, find_listed_bot, find_listed_bots
from tallyroom.bots.statistics_api.bots.schemas import (
    History,
    Leaderboard,
    LeaderboardEntry,
    LeaderboardPage,
    LeaderboardPlace,
    Recent,
    RecentEntry,
    User,
)
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.votes import VoterTally
from tallyroom.core.errors import NotFound
from tallyroom.core.times import DAY_MS, HOUR_MS, iso_ms

_RECENT_BUCKETS = 30  # hours, and days
_CONNECTION_BYTES = 12


async def get_history(
    context: StatisticsContext,
    bot_id: str,
    metric: Metric,
    time_frame: TimeFrame,
    *,
    include_unlisted: bool,
    unlisted_reason: str | None,
) -> History:
    """Return the history of a bot's metric, or raise `NotFound`; an unlisted bot must have this reason, if any."""
    (bot,) = await find_listed_bots(context.database, context.listing, [bot_id], include_unlisted=include_unlisted)
    if bot.unlisted and unlisted_reason not in {None, bot.unlisted_reason}:
        raise build_bot_not_found()
    return History((await context.load_historical_points([bot], metric, time_frame))[bot.id])


async def get_recent(context: StatisticsContext, bot_id: str) -> Recent:
    """Return the last 30 hours and 30 days of a bot, or raise `NotFound`."""
    bot = await find_listed_bot(context.database, context.listing, bot_id)
    now_ms = context.history_reader.now_ms()
    hourly, daily = [
        await _list_recent_entries(context, bot, TimeGrid(step_ms, _RECENT_BUCKETS + 1, now_ms))
        for step_ms in (HOUR_MS, DAY_MS)
    ]
    return Recent(hourly, daily)


async def get_leaderboard(context: StatisticsContext, bot_id: str, limit: int, offset: int) -> Leaderboard:
    """Return a page of a bot's voters, by weight, number of votes, and earliest last vote; or raise `NotFound`."""
    bot = await find_listed_bot(context.database, context.listing, bot_id)
    voters = await list_voters(context.database, context.listing.workspace_id, bot_id, offset, limit)
    entries = [
        _build_leaderboard_entry(bot_id, user_id, tally, position)
        for position, (user_id, tally) in enumerate(voters, offset + 1)
    ]
    return Leaderboard(200, LeaderboardPage(bot.voters, entries))


async def get_leaderboard_place(context: StatisticsContext, bot_id: str, user_id: str) -> LeaderboardPlace:
    """Return a user's place among the voters of a bot; raise `NotFound` if the bot or the vote does not exist."""
    bot = await find_listed_bot(context.database, context.listing, bot_id)
    voter = (bot_id, user_id)
    tally = await find_tally(context.database, context.listing.workspace_id, voter)
    if tally is None:
        raise NotFound("This user has not voted for this bot.")
    position = await count_voters_before(context.database, context.listing.workspace_id, voter, tally) + 1
    return LeaderboardPlace(200, str(bot.voters), _build_leaderboard_entry(bot_id, user_id, tally, position))


async def _list_recent_entries(context: StatisticsContext, bot: BotRow, grid: TimeGrid) -> list[RecentEntry]:
    """Return the entries of a grid, newest first; its oldest bucket is only there for comparison."""
    points_by_bot_and_metric = await context.history_reader.load_series(context.listing, [bot], METRICS, grid)
    values_by_metric = {metric: dict(points_by_bot_and_metric[bot.id, metric]) for metric in METRICS}
    return [
        _build_recent_entry(values_by_metric, bucket_ms, grid.step_ms)
        for bucket_ms in range(grid.last_bucket_ms, grid.first_bucket_ms, -grid.step_ms)
        if any(bucket_ms in values_by_metric[metric] for metric in METRICS)
    ]


def _build_recent_entry(
    values_by_metric: Mapping[Metric, Mapping[int, int]], bucket_ms: int, step_ms: int
) -> RecentEntry:
    current_values = {metric: values_by_metric[metric].get(bucket_ms, 0) for metric in METRICS}
    previous_values = {metric: values_by_metric[metric].get(bucket_ms - step_ms) for metric in METRICS}
    changes = {
        metric: 0 if (previous_value := previous_values[metric]) is None else current_values[metric] - previous_value
        for metric in METRICS
    }
    monthly_votes = previous_values["monthly_votes"], current_values["monthly_votes"]
    return RecentEntry(
        time=iso_ms(bucket_ms),
        **current_values,
        **{f"{metric}_change": change for metric, change in changes.items()},
        monthly_votes_change_perc=compute_percent_change(*monthly_votes),
    )


def _build_leaderboard_entry(bot_id: str, user_id: str, tally: VoterTally, position: int) -> LeaderboardEntry:
    return LeaderboardEntry(
        position=str(position),
        # the same for this pair each time, and unique to it
        connectionId=hashlib.blake2b(f"{bot_id}/{user_id}".encode(), digest_size=_CONNECTION_BYTES).hexdigest(),
        userId=user_id,
        voteCount=tally.votes,
        totalVotesByWeight=tally.weight,
        streakCount=tally.streak,
        lastVote=iso_ms(tally.last_vote_ms),
        user=User(tally.listing_id or user_id, user_id, tally.username or user_id, tally.avatar or ""),
    )

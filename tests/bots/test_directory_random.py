"""What was fed in any order, and asked in between, is what a plain list of it comes to (rules/statistics#changes)."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES
from harness.oracles.listing_history import DAY, HOUR, METRICS, MINUTE, ToldListing
from harness.stores.event_store import EventStore
from harness.stores.listed_bots import ListedBots, listed_bots
from tallyroom.bots.counters import METRICS as LISTED_METRICS
from tallyroom.bots.directory import BotDirectory
from tallyroom.bots.feed import CounterPost, ProfileChange
from tallyroom.bots.repository import count_voters_before, find_bots, list_voters
from tallyroom.bots.series import TimeGrid
from tallyroom.bots.votes import Vote

# The first two are one number; the last two differ in the sign that a float would lose.
BOTS = ["00000000000000017", "000000000000000017", "583807014896140293", "9007199254740992001", "9007199254740992002"]
USERS = ["205680187394752512", "00000000000000001"]
KINDS = [*METRICS, "shard_count"]

elapsed = st.one_of(
    st.sampled_from([0, 0, 1, MINUTE, HOUR, 12 * HOUR - MINUTE, 12 * HOUR - MINUTE - 1, 12 * HOUR]),
    st.sampled_from([22 * HOUR, 23 * HOUR, 23 * HOUR + 1, DAY - MINUTE, DAY - 1, DAY, DAY + 1, DAY + HOUR]),
    st.sampled_from([36 * HOUR, 48 * HOUR - 1, 48 * HOUR, 48 * HOUR + 1, 3 * DAY, 20 * DAY + 12 * HOUR]),
    st.sampled_from([30 * DAY - 1, 30 * DAY, 30 * DAY + 1, 32 * DAY, 50 * DAY, 200 * DAY, 900 * DAY]),
    st.integers(0, 4 * DAY),
    st.integers(0, 70 * DAY),
)
counters = st.dictionaries(st.sampled_from(KINDS), st.integers(0, 4), min_size=1, max_size=5)
sent_posts = st.tuples(st.just("post"), st.sampled_from(BOTS), elapsed, counters)
votes = st.tuples(
    st.just("vote"),
    st.sampled_from(BOTS),
    elapsed,
    st.sampled_from(USERS),
    st.sampled_from([1, 2]),
    st.sampled_from(["", "", "", "v1", "v2", "v3"]),
)
profiles = st.tuples(
    st.just("profile"),
    st.sampled_from(BOTS),
    st.fixed_dictionaries(
        {},
        optional={
            "deleted": st.booleans(),
            "unlisted": st.booleans(),
            "counter_source": st.sampled_from(["posted", "votes"]),
        },
    ),
)
batches = st.lists(st.one_of(sent_posts, sent_posts, votes, votes, profiles), min_size=1, max_size=6)
moves = st.sampled_from(
    [
        1,
        1000,
        MINUTE - 1,
        MINUTE,
        MINUTE + 1,
        10 * MINUTE,
        HOUR,
        12 * HOUR,
        23 * HOUR,
        DAY,
        DAY + 1,
        2 * DAY + 1,
        11 * DAY,
    ]
)
steps = st.lists(st.one_of(batches, batches, moves, st.just("ask")), min_size=1, max_size=14)
most_caught_up = st.sampled_from([30 * MINUTE, 1000 * DAY])  # beyond it all is read anew

FRAMES = [(HOUR, 6), (HOUR, 72), (24 * HOUR, 90), (24 * HOUR, None)]


async def feed(bots: ListedBots, told: ToldListing, facts: Sequence[Any]) -> None:
    """Feed a batch, and tell the same to the list; all of its votes are after all of its counters."""
    now = bots.clock.now_ms()
    changes, sent, cast, counted = [], [], [], []
    for kind, bot, *what in facts:
        if kind == "profile":
            columns = {name: value for name, value in what[0].items() if name != "counter_source"}
            changes.append(ProfileChange(bot, columns, what[0].get("counter_source")))
            told.profile(bot, now, **what[0])
        elif kind == "post":
            sent.append(CounterPost(bot, now - what[0], what[1]))
            told.post(bot, now - what[0], what[1])
    for kind, bot, *what in facts:
        if kind == "vote":
            ago, user, weight, vote_id = what
            cast.append(Vote(bot, user, now - ago, weight, vote_id))
            counted.append(told.vote(bot, user, now - ago, weight, vote_id))
    assert await bots.take(changes, sent, cast) == counted


def check_directory(directory: BotDirectory, told: ToldListing, now: int) -> None:
    """Ranks now and a day ago, values, and changes of all bots."""
    listed = told.bots()
    for metric in KINDS:
        ranks = told.ranks(metric, now)
        assert {bot: directory.rank(bot, metric) for bot in listed} == ranks, metric
        assert directory.current_rankings.ranking(metric).list_page(0, 10) == sorted(ranks, key=ranks.__getitem__)
        values = {bot: told.value(bot, metric, now) or 0 for bot in listed}
        assert {bot: directory.current_rankings.value(bot, metric) for bot in listed} == values, metric
    sources = {bot: known.source for bot in listed if (known := directory.current_rankings.find_counters(bot))}
    assert sources == {bot: told.source(bot) for bot in listed}
    for metric in METRICS:
        changes = {bot: told.rank_change(bot, metric, now) for bot in listed}
        assert {bot: directory.rank_change(bot, metric) for bot in listed} == changes, metric
    for past, ago in ((directory.day_ago, DAY), (directory.month_ago, 30 * DAY)):
        percentages = {bot: told.percentage(bot, now, ago) for bot in listed}
        assert {bot: directory.percentage_change(bot, "monthly_votes", past) for bot in listed} == percentages, ago
    assert set(directory.search_entries) == {
        bot for bot, profile in told.profiles.items() if not profile.get("unlisted")
    }


async def check_series(bots: ListedBots, told: ToldListing, now: int) -> None:
    ids = list(told.bots(listed=False))
    rows = [row for row in await find_bots(bots.database, bots.workspace_id, ids) if row] if ids else []
    assert len(rows) == len(ids)
    choices = [(rows, LISTED_METRICS), *((rows[:1], (metric,)) for metric in LISTED_METRICS)]  # one is read differently
    for step, buckets in FRAMES:
        for some, metrics in choices:
            series = await bots.histories.load_series(bots.listing, some, metrics, TimeGrid(step, buckets, now))
            for (bot, metric), points in series.items():
                told_points = told.series(bot, metric, step, buckets, now)
                assert points[::-1] == told_points, (bot, metric, step, buckets, metrics)


async def check_leaderboards(bots: ListedBots, told: ToldListing) -> None:
    for bot in told.bots(listed=False):
        page = await list_voters(bots.database, bots.workspace_id, bot, 0, 10)
        found = [(user, tally.votes, tally.weight, tally.streak, tally.last_vote_ms) for user, tally in page]
        assert found == told.leaderboard(bot)
        voters = [((bot, user), tally) for user, tally in page]
        places = [await count_voters_before(bots.database, bots.workspace_id, *voter) for voter in voters]
        assert places == list(range(len(page)))


async def live(path: Path, store: EventStore, clock: Any, script: Sequence[Any]) -> None:
    """Feed, wait and ask as the script says; at its end ask everything."""
    told = ToldListing()
    async with listed_bots(path, store, clock) as bots:
        for step in [*script, "ask", MINUTE, "ask", DAY - MINUTE, "ask", 29 * DAY, "ask"]:
            if isinstance(step, int):
                clock.advance(step / 1000)
            elif step == "ask":
                check_directory(await bots.directory(), told, clock.now_ms())
            else:
                await feed(bots, told, step)
                await check_leaderboards(bots, told)
        check_directory(await bots.fresh_directory(), told, clock.now_ms())
        await check_series(bots, told, clock.now_ms())


@pytest.fixture
def live_with(listings_metadata: Path, event_store: EventStore, fake_clock: Any) -> Callable[[list[Any], int], None]:
    def lived(script: list[Any], most_caught_up: int) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("tallyroom.bots.past_rankings._MAX_LAG_MS", most_caught_up)
            asyncio.run(live(listings_metadata, event_store, type(fake_clock)(), script))

    return lived


@settings(CASES, max_examples=5)
@given(steps, most_caught_up)
def test_a_directory_tells_what_was_told(live_with: Any, script: list[Any], most: int) -> None:
    live_with(script, most)


@pytest.mark.long
@settings(LONG_CASES)
@given(steps, most_caught_up)
def test_a_directory_tells_what_was_told_at_length(live_with: Any, script: list[Any], most: int) -> None:
    live_with(script, most)

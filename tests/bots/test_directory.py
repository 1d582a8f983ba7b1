"""What a directory must not miss: what comes late, comes back, or changes by time alone (rules/statistics#ranks)."""

import asyncio
from typing import Any

import pytest

from harness.oracles.listing_history import DAY, HOUR, MINUTE
from harness.stores.event_store import NOW_MS, EventStore
from harness.stores.listed_bots import ListedBots
from tallyroom.bots.directory import DirectoryCache
from tallyroom.bots.feed import CounterPost, ProfileChange
from tallyroom.bots.past_rankings import PastRankings
from tallyroom.bots.repository import find_bots
from tallyroom.bots.series import TimeGrid
from tallyroom.bots.votes import Vote
from tallyroom.core.errors import Unavailable
from tallyroom.storage.event_store.errors import StoreError

A, B, C = "583807014896140293", "646937666251915264", "432610292342587392"
USER = "205680187394752512"


async def changes(bots: ListedBots) -> dict[str, int]:
    directory = await bots.directory()
    return {bot: directory.rank_change(bot, "monthly_votes") for bot in directory.search_entries}


async def test_where_nothing_happens_no_rank_changes(bots: ListedBots, fake_clock: Any) -> None:
    """A counter that nobody has sent is 0 then as it is now; else C, whose id is the lowest, would climb every day."""
    await bots.post(A, NOW_MS, monthly_votes=0)
    await bots.post(C, NOW_MS, server_count=7)
    await bots.profile(B, name="only a name")
    fake_clock.advance(DAY / 1000)
    assert await changes(bots) == {A: 0, B: 0, C: 0}
    fake_clock.advance(40 * DAY / 1000)
    assert await changes(bots) == {A: 0, B: 0, C: 0}


async def test_a_bot_that_was_not_there_a_day_ago_has_no_rank_to_compare_with(
    bots: ListedBots, fake_clock: Any
) -> None:
    await bots.post(A, NOW_MS, monthly_votes=5)
    fake_clock.advance(1)
    await bots.post(B, NOW_MS + 1000, monthly_votes=9)
    fake_clock.advance((DAY - 1000) / 1000)
    assert await changes(bots) == {A: -1, B: 0}
    fake_clock.advance(1)
    assert await changes(bots) == {A: 0, B: 0}


async def test_of_two_counters_of_one_moment_the_later_holds_in_history_too(bots: ListedBots) -> None:
    """Even in one batch, and within one millisecond; the higher does not win."""
    await bots.take(
        posts=[CounterPost(A, NOW_MS - DAY, {"server_count": 9}), CounterPost(A, NOW_MS - DAY, {"server_count": 4})]
    )
    await bots.post(A, NOW_MS, server_count=8)
    await bots.post(A, NOW_MS, server_count=3)
    await bots.outbox.wait_until_stored(10)
    found = await bots.queries.read_counters_between(bots.listing, 0, NOW_MS, ["server_count"], None)
    assert [(each.time_ms, each.value) for each in found] == [(NOW_MS - DAY, 4), (NOW_MS, 3)]
    assert (await bots.fresh_directory()).current_rankings.value(A, "server_count") == 3
    (then,) = await bots.queries.read_counters_at(bots.listing, NOW_MS - MINUTE, ["server_count"], [A])
    assert then.value == 4


@pytest.mark.long
async def test_a_posted_count_stands_however_long_ago_it_was(bots: ListedBots, fake_clock: Any) -> None:
    """Else a ranking would change by itself two days after the last post."""
    await bots.post(A, NOW_MS, monthly_votes=100)
    await bots.vote(A, USER, NOW_MS)
    directory = await bots.directory()
    for days in (1, 1, 1, 27, 60):
        fake_clock.advance(days * DAY / 1000)
        assert (await bots.directory()).current_rankings.value(A, "monthly_votes") == 100
        assert directory.day_ago.rankings.value(A, "monthly_votes") == 100


async def test_what_is_chosen_changes_nothing_of_the_past(bots: ListedBots, fake_clock: Any) -> None:
    await bots.post(A, NOW_MS, monthly_votes=100)
    await bots.vote(A, USER, NOW_MS)
    fake_clock.advance(DAY / 1000)
    await bots.take(profiles=[ProfileChange(A, {}, "votes")])
    for directory in (await bots.directory(), await bots.fresh_directory()):
        assert directory.current_rankings.value(A, "monthly_votes") == 1
        assert directory.percentage_change(A, "monthly_votes", directory.day_ago) == -99
    fake_clock.advance(DAY / 1000)
    for directory in (await bots.directory(), await bots.fresh_directory()):
        assert directory.day_ago.rankings.value(A, "monthly_votes") == 1
    (bot,) = await find_bots(bots.database, bots.workspace_id, [A])
    assert bot is not None
    series = await bots.histories.load_series(
        bots.listing, [bot], ["monthly_votes"], TimeGrid(DAY, None, fake_clock.now_ms())
    )
    assert [value for _, value in series[A, "monthly_votes"]] == [100, 1, 1]


async def test_votes_of_a_new_month_count_when_nobody_asked_at_its_start(bots: ListedBots, fake_clock: Any) -> None:
    directory = await bots.directory()
    fake_clock.advance(12 * DAY / 1000)  # 2 December
    assert await bots.vote(A, USER, fake_clock.now_ms())
    fake_clock.advance(25 * HOUR / 1000)
    await bots.directory()
    assert directory.current_rankings.value(A, "monthly_votes") == 1
    assert directory.day_ago.rankings.value(A, "monthly_votes") == 1


@pytest.mark.long
async def test_what_waits_for_the_store_is_known_once_it_is_there(
    bots: ListedBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory that was asked meanwhile does not stay behind, be it old or new."""
    await bots.post(A, NOW_MS - 2 * DAY, monthly_votes=1)
    await bots.directory()
    monkeypatch.setattr("tallyroom.bots.outbox._READ_WAIT_SECONDS", 0.05)
    with bots.outbox.held(5):
        await bots.post(B, NOW_MS - 2 * DAY, monthly_votes=2)
        await bots.post(B, NOW_MS, monthly_votes=0)
        new = DirectoryCache(bots.database, bots.queries, bots.outbox, bots.clock)
        for directories in (bots.directories, new):
            directory = await directories.get_directory(bots.workspace_id)
            assert directory.rank(A, "monthly_votes") == 1
    assert await bots.outbox.wait_until_stored(10)
    for directories in (bots.directories, new):
        directory = await directories.get_directory(bots.workspace_id)
        assert (directory.rank_change(A, "monthly_votes"), directory.rank_change(B, "monthly_votes")) == (1, -1)
        assert directory.percentage_change(B, "monthly_votes", directory.day_ago) == -100


async def test_a_bot_that_came_back_while_the_store_failed_has_its_past(
    bots: ListedBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bots.post(A, NOW_MS - 2 * DAY, monthly_votes=5)
    await bots.post(A, NOW_MS, monthly_votes=10)
    await bots.profile(A, unlisted=True)
    directory = await bots.directory()
    await bots.profile(A, unlisted=False)

    async def fails(*_: object) -> None:
        raise Unavailable("The store does not answer.")

    with monkeypatch.context() as broken:
        broken.setattr(PastRankings, "read_bots_again", fails)
        for _ in range(2):
            with pytest.raises(Unavailable):
                await bots.directory()
    await bots.directory()
    assert directory.percentage_change(A, "monthly_votes", directory.day_ago) == 100


async def test_a_bot_that_was_deleted_leaves_all_ranks_and_takes_them_again(bots: ListedBots) -> None:
    for bot, votes in ((A, 3), (B, 2), (C, 1)):
        await bots.post(bot, NOW_MS - 2 * DAY, monthly_votes=votes)
    await bots.profile(A, deleted=True)
    directory = await bots.directory()
    assert [directory.rank(bot, "monthly_votes") for bot in (A, B, C)] == [0, 1, 2]
    assert await changes(bots) == {A: 0, B: 0, C: 0}
    await bots.profile(A, deleted=False)
    await bots.directory()
    assert [directory.rank(bot, "monthly_votes") for bot in (A, B, C)] == [1, 2, 3]
    assert await changes(bots) == {A: 0, B: 0, C: 0}


async def test_many_who_ask_at_once_get_the_same(bots: ListedBots, fake_clock: Any) -> None:
    for number, bot in enumerate((A, B, C)):
        await bots.post(bot, NOW_MS - 2 * DAY, monthly_votes=number)
        await bots.post(bot, NOW_MS, monthly_votes=9 - number)
    asked = await asyncio.gather(*(bots.directory() for _ in range(50)))
    assert {tuple(each.rank(bot, "monthly_votes") for bot in (A, B, C)) for each in asked} == {(1, 2, 3)}
    assert await changes(bots) == {A: 2, B: 0, C: -2}


@pytest.mark.long
async def test_history_of_votes_is_asked_for_the_voters_alone(bots: ListedBots) -> None:
    """Not for each of their users and each of their bots, which are more than an answer may have."""
    pairs = [(str(10**17 + bot), str(2 * 10**17 + user)) for bot in range(101) for user in range(101)]
    await bots.take(votes=[Vote(bot, user, NOW_MS, 1) for bot, user in pairs])
    earlier = [Vote(bot, user, NOW_MS - DAY, 1) for bot, user in pairs[::102]]
    assert await bots.take(votes=earlier) == [True] * 101
    assert await bots.take(votes=earlier) == [False] * 101


async def test_an_id_counts_once_however_many_votes_came_between(bots: ListedBots) -> None:
    assert [await bots.vote(A, USER, NOW_MS + at, 1, vote_id) for at, vote_id in enumerate("abcab")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.long
async def test_what_the_store_refused_for_a_day_is_known_once_it_is_there(
    bots: ListedBots, event_store: EventStore, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its moment has become that of a day ago meanwhile, and was read without it."""

    def full(*_: object) -> None:
        raise StoreError("No space is left.")

    monkeypatch.setattr("tallyroom.bots.outbox._BACKOFF_SECONDS", 0.02)
    await bots.post(A, NOW_MS, monthly_votes=1)
    directory = await bots.directory()
    with monkeypatch.context() as broken:
        broken.setattr(event_store.writer, "insert_listing_rows", full)
        await bots.post(B, NOW_MS, monthly_votes=2)
        while not bots.outbox.failure_reason:
            await bots.outbox.wait_until_stored(0.05)
        fake_clock.advance((DAY - 10 * MINUTE) / 1000)
        await bots.directory()
        fake_clock.advance(10 * MINUTE / 1000)
        assert await changes(bots) == {A: -1, B: 1}
    assert await bots.outbox.wait_until_stored(10)
    assert await changes(bots) == {A: 0, B: 0}
    assert directory is await bots.directory()


async def test_after_a_long_silence_what_happened_meanwhile_is_not_gone_through(
    bots: ListedBots, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list that is collected each hour has millions of counters in a few days of which the last ones are enough."""
    await bots.post(A, NOW_MS, monthly_votes=1)
    await bots.post(B, NOW_MS, monthly_votes=2)
    await bots.directory()
    for value in (5, 6, 7):
        fake_clock.advance(DAY / 1000)
        await bots.post(A, fake_clock.now_ms(), monthly_votes=value)
    fake_clock.advance(DAY / 1000)

    async def goes_through(*_: object) -> None:
        raise AssertionError("counters of days were asked for one by one")

    monkeypatch.setattr(bots.queries, "read_counters_between", goes_through)
    directory = await bots.directory()
    assert directory.day_ago.rankings.value(A, "monthly_votes") == 7
    assert await changes(bots) == {A: 0, B: 0}


@pytest.mark.long
async def test_many_that_change_at_once_have_their_ranks(bots: ListedBots) -> None:
    ids = [f"{at:018d}" for at in range(1, 2502)]
    await bots.take(posts=[CounterPost(bot, NOW_MS, {"server_count": at}) for at, bot in enumerate(ids)])
    directory = await bots.directory()
    assert [directory.rank(bot, "server_count") for bot in (ids[0], ids[-1])] == [2501, 1]
    await bots.take(posts=[CounterPost(bot, NOW_MS, {"server_count": -at + 5000}) for at, bot in enumerate(ids)])
    assert directory is await bots.directory()
    assert [directory.rank(bot, "server_count") for bot in (ids[0], ids[1200], ids[-1])] == [1, 1201, 2501]


@pytest.mark.long
async def test_a_bot_that_was_taken_off_the_list_after_it_was_found_is_left_out(bots: ListedBots) -> None:
    await bots.profile(A, name="One")
    await bots.profile(B, name="Oneness", unlisted=False)
    matches = await (await bots.directory()).search_names("one", include_deleted=False)
    await bots.profile(B, unlisted=True)
    assert [
        record.id for record in await bots.records.get_listed_records(bots.listing, matches, with_unreported=False)
    ] == [A]

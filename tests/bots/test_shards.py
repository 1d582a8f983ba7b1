"""A single shard's count and a whole count, by brute force (rules/statistics#shards)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES
from harness.oracles.listing_history import HOUR, MINUTE
from harness.stores.event_store import EventStore
from harness.stores.listed_bots import ListedBots, anybody, listed_bots
from tallyroom.bots.feed import CounterPost, FeedBatch, ListingFeed
from tallyroom.bots.repository import find_bots
from tallyroom.bots.series import TimeGrid, build_points
from tallyroom.core.errors import ValidationFailed

BOT = "583807014896140293"


@dataclass
class Posted:
    """Everything that was posted for one bot, in the order of its arrival, and what it comes to."""

    posts: list[CounterPost] = field(default_factory=list)
    shard_count: int | None = None
    counts: list[tuple[int, int]] = field(default_factory=list)  # moment and servers, as the history has them
    last_whole: tuple[int, int] = (-1, -1)  # moment and number of the last whole post
    layout_number: int = -1  # of the post that brought today's shard_count
    had_whole: bool = False

    def post(self, post: CounterPost) -> None:
        self.posts.append(post)
        number = len(self.posts) - 1
        if post.counters.get("shard_count", self.shard_count) != self.shard_count:
            self.shard_count, self.layout_number = int(post.counters["shard_count"]), number
        if post.shard is not None:
            self._post_shard(post)
        elif "server_count" in post.counters:
            if not self.counts or post.time_ms >= max(self.counts)[0]:
                self.last_whole, self.had_whole = (post.time_ms, number), True
            self.counts.append((post.time_ms, int(post.counters["server_count"])))

    def _post_shard(self, post: CounterPost) -> None:
        since = {
            each.shard[0]: each.shard[1]
            for number, each in enumerate(self.posts)
            if each.shard and number >= self.layout_number and (each.time_ms, number) > self.last_whole
        }
        are_all = self.shard_count is not None and since.keys() == set(range(self.shard_count))
        self.had_whole |= are_all
        if are_all or not self.had_whole:
            self.counts.append((post.time_ms, sum(since.values())))

    def at(self, moment: int) -> int | None:
        """The last count up to a moment; of those of the same moment, the last that arrived."""
        known = [(at, number, servers) for number, (at, servers) in enumerate(self.counts) if at <= moment]
        return max(known)[2] if known else None


servers = st.integers(0, 9)
of_shards = st.tuples(st.just("shard"), st.integers(0, 2), servers, st.sampled_from([None, 2, 2, 2, 3, 3]))
wholes = st.tuples(
    st.just("whole"),
    st.sampled_from([0, 0, 0, 1, MINUTE, HOUR, 9 * HOUR]),
    servers,
    st.sampled_from([None, None, None, 1, 2, 3]),
)
layouts = st.tuples(st.just("layout"), st.just(0), st.just(0), st.integers(2, 3))
elapsed = st.sampled_from([1, 1, MINUTE, HOUR, 2 * HOUR])
steps = st.lists(st.one_of(of_shards, of_shards, of_shards, of_shards, wholes, layouts, elapsed, elapsed), max_size=30)


def read_post(step: tuple[str, int, int, int | None], now: int) -> CounterPost:
    kind, which, count, shard_count = step
    is_late = kind == "whole" and which
    counters: dict[str, float] = {} if shard_count is None or is_late else {"shard_count": shard_count}
    if kind == "shard":
        return CounterPost(BOT, now, counters, (which, count))
    return CounterPost(BOT, now - which, counters | ({"server_count": count} if kind == "whole" else {}))


async def live(path: Path, store: EventStore, clock: Any, script: Sequence[Any]) -> None:
    """Post as the script says, by two workers in turns, and compare after each step, and the history at the end."""
    posted = Posted()
    async with listed_bots(path, store, clock) as bots:
        workers = [ListingFeed(bots.database, bots.outbox, bots.queries, clock) for _ in range(2)]
        for number, step in enumerate(script):
            if isinstance(step, int):
                clock.advance(step / 1000)
                continue
            post = read_post(step, clock.now_ms())
            most = post.counters.get("shard_count", posted.shard_count)
            if post.shard is not None and most is not None and post.shard[0] >= most:
                continue  # would be refused
            await workers[number % 2].write_batch(bots.workspace_id, FeedBatch(posts=[post]), anybody)
            posted.post(post)
            (bot,) = await find_bots(bots.database, bots.workspace_id, [BOT])
            assert bot is not None
            assert (bot.server_count, bot.shard_count) == (posted.at(clock.now_ms()), posted.shard_count), step
        await check_history(bots, posted, clock.now_ms())


async def check_history(bots: ListedBots, posted: Posted, now: int) -> None:
    assert await bots.outbox.wait_until_stored(20)
    grid = TimeGrid(HOUR, 72, now)
    histories = await bots.history_queries.read_metric_histories(
        bots.listing, [BOT], ["server_count"], grid, has_votes=False, has_sources=False
    )
    for at in range(now // HOUR * HOUR - 70 * HOUR, now + 1, HOUR):
        expected = posted.at(min(at + HOUR - 1, now))
        found = dict(build_points(histories[BOT, "server_count"], "server_count", grid)) if histories else {}
        assert found.get(at) == expected, at


@pytest.fixture
def live_with(listings_metadata: Path, event_store: EventStore, fake_clock: Any) -> Callable[[list[Any]], None]:
    def lived(script: list[Any]) -> None:
        asyncio.run(live(listings_metadata, event_store, type(fake_clock)(), script))

    return lived


@pytest.mark.long
@settings(CASES, max_examples=15)
@given(steps)
def test_what_was_posted_is_what_counts(live_with: Any, script: list[Any]) -> None:
    live_with(script)


@pytest.mark.long
@settings(LONG_CASES)
@given(steps)
def test_what_was_posted_is_what_counts_at_length(live_with: Any, script: list[Any]) -> None:
    live_with(script)


async def servers_after(bots: ListedBots, *posts: CounterPost) -> int | None:
    await bots.take(posts=posts)
    (bot,) = await find_bots(bots.database, bots.workspace_id, [BOT])
    assert bot is not None
    return bot.server_count


def of_shard(now: int, shard: int, count: int, **counters: float) -> CounterPost:
    return CounterPost(BOT, now, counters, (shard, count))


async def test_a_starting_bot_keeps_its_whole_count(bots: ListedBots, fake_clock: Any) -> None:
    now = fake_clock.now_ms()
    assert await servers_after(bots, CounterPost(BOT, now, {"server_count": 900, "shard_count": 3})) == 900
    for shard, count in ((0, 300), (2, 290), (0, 305)):
        assert await servers_after(bots, of_shard(now, shard, count, shard_count=3)) == 900
    assert await servers_after(bots, of_shard(now, 1, 310, shard_count=3)) == 905
    assert await servers_after(bots, of_shard(now, 2, 300)) == 915


async def test_another_number_of_shards_keeps_the_sum_of_all_those_before(bots: ListedBots, fake_clock: Any) -> None:
    now = fake_clock.now_ms()
    both = [of_shard(now, shard, 50, shard_count=2) for shard in (0, 1)]
    assert await servers_after(bots, *both) == 100
    assert await servers_after(bots, of_shard(now, 0, 30, shard_count=3)) == 100
    assert await servers_after(bots, of_shard(now, 1, 30, shard_count=3), of_shard(now, 2, 45, shard_count=3)) == 105


async def test_a_number_of_shards_posted_alone_starts_over(bots: ListedBots, fake_clock: Any) -> None:
    now = fake_clock.now_ms()
    assert await servers_after(bots, *[of_shard(now, shard, 50, shard_count=2) for shard in (0, 1)]) == 100
    assert await servers_after(bots, CounterPost(BOT, now, {"shard_count": 3}), of_shard(now, 2, 7)) == 100
    assert await servers_after(bots, of_shard(now, 0, 1), of_shard(now, 1, 1)) == 9


async def test_a_shard_that_the_bot_does_not_have_changes_nothing(bots: ListedBots, fake_clock: Any) -> None:
    now = fake_clock.now_ms()
    assert await servers_after(bots, CounterPost(BOT, now, {"server_count": 9, "shard_count": 2})) == 9
    with pytest.raises(ValidationFailed) as refused:
        await bots.take(posts=[of_shard(now, 0, 1), of_shard(now, 2, 1)])
    assert refused.value.details[0].path == ["shard_id"]
    assert await servers_after(bots, of_shard(now, 1, 1)) == 9  # 0 has not posted: that batch was refused


async def test_a_shard_of_an_older_number_of_shards_changes_nothing(bots: ListedBots, fake_clock: Any) -> None:
    """As from a host whose clock is behind."""
    now = fake_clock.now_ms()
    assert await servers_after(bots, of_shard(now, 0, 5, shard_count=2)) == 5
    assert await servers_after(bots, of_shard(now - 1, 0, 7, shard_count=1)) == 5

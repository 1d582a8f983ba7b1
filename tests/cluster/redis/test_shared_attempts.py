"""Guesses count over all workers, and never freely when nobody can count them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from harness.servers.redis import RedisServer
from harness.stores.peers import FewPeers
from harness.stores.shared_limits import ClockedServer, fresh_name
from harness.suite.patience import until
from tallyroom.cluster.redis import server as server_module
from tallyroom.cluster.redis.server import LimitsServer
from tallyroom.cluster.redis.shared_attempts import SharedAttempts
from tallyroom.storage.limits.limits import Allotment, Attempt
from tallyroom.storage.limits.local import LocalAttemptLimits

KEY, OTHER = b"k", b"o"


@pytest.fixture
async def server(
    own_redis: RedisServer, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[LimitsServer]:
    monkeypatch.setattr(server_module, "ANSWER_SECONDS", 5.0)  # on a busy machine, 0.25 seconds may be too few
    server = ClockedServer(own_redis.dsn, fake_clock)
    yield server
    await server.close()


def nothing() -> None:
    """Nobody counts fallbacks."""


def workers(server: LimitsServer, clock: Any, number: int) -> list[SharedAttempts]:
    return [SharedAttempts(server, clock, FewPeers(number), nothing) for _ in range(number)]


def three() -> Allotment:
    """Three at once, then one in ten seconds."""
    return Allotment(fresh_name(), 3, 10)


async def admitted(workers: list[SharedAttempts], *attempts: Attempt, tries: int = 40) -> int:
    taken = [await workers[number % len(workers)].count_attempts(*attempts) for number in range(tries)]
    return taken.count(None)


async def test_some_at_once_over_all_workers_and_then_one_at_a_time(server: LimitsServer, fake_clock: Any) -> None:
    attempt, four = Attempt(three(), KEY), workers(server, fake_clock, 4)
    assert sum(await asyncio.gather(*(admitted([each], attempt) for each in four))) == 3
    assert await four[0].count_attempts(attempt) == (attempt, 10)
    fake_clock.advance(9.5)
    assert await four[1].count_attempts(attempt) == (attempt, 0.5)
    fake_clock.advance(0.5)
    assert await admitted(four, attempt) == 1
    fake_clock.advance(3600)
    assert await admitted(four, attempt) == 3


async def test_all_are_counted_or_none(server: LimitsServer, fake_clock: Any) -> None:
    [one] = workers(server, fake_clock, 1)
    roomy, tight = Attempt(Allotment(fresh_name(), 10, 10), KEY), Attempt(Allotment(fresh_name(), 1, 10), KEY)
    assert await one.count_attempts(roomy, tight) is None
    for _ in range(20):
        assert await one.count_attempts(roomy, tight) == (tight, 10)
    assert await admitted([one], roomy) == 9


async def test_giving_back_and_clearing_hold_everywhere(server: LimitsServer, fake_clock: Any) -> None:
    one, two = workers(server, fake_clock, 2)
    attempt = Attempt(three(), KEY)
    assert await admitted([one], attempt) == 3
    await two.undo_attempt(attempt)
    await two.undo_attempt(Attempt(three(), OTHER))
    assert await admitted([one, two], attempt) == 1
    await two.clear_attempts(attempt, Attempt(three(), OTHER))
    assert await admitted([one, two], attempt) == 3


async def test_empty_buckets_leave_nothing(server: LimitsServer, own_redis: RedisServer, fake_clock: Any) -> None:
    [one] = workers(server, fake_clock, 1)
    await one.count_attempts(Attempt(Allotment(fresh_name(), 3, 0.001), KEY))
    with own_redis.client() as client:
        await until(lambda: not client.keys("tallyroom:attempts:*"))


async def test_a_clock_that_was_set_back_costs_no_more_than_a_full_bucket(
    server: LimitsServer, fake_clock: Any
) -> None:
    [one] = workers(server, fake_clock, 1)
    attempt = Attempt(three(), KEY)
    assert await admitted([one], attempt) == 3
    fake_clock.advance(-900)
    assert await one.count_attempts(attempt) == (attempt, 10)


async def test_a_server_that_is_away_leaves_no_more_guesses(
    server: LimitsServer, own_redis: RedisServer, fake_clock: Any
) -> None:
    three_workers = workers(server, fake_clock, 3)
    attempt = Attempt(three(), KEY)
    own_redis.stop()
    assert await admitted(three_workers, attempt) == 3
    fake_clock.advance(10)
    assert await admitted(three_workers, attempt) == 0
    fake_clock.advance(20)
    assert await admitted(three_workers, attempt) == 3


async def test_both_count_alike(server: LimitsServer, fake_clock: Any) -> None:
    [shared], local = workers(server, fake_clock, 1), LocalAttemptLimits(fake_clock)
    first, second = Attempt(Allotment(fresh_name(), 3, 10), KEY), Attempt(Allotment(fresh_name(), 5, 7.5), KEY)
    for number, pause in enumerate((0, 0, 1, 0.25, 3, 0, 0, 8, 0.5, 40, 0, 0, 0, 0, 2)):
        fake_clock.advance(pause)
        assert await shared.count_attempts(first, second) == await local.count_attempts(first, second)
        if number % 4 == 3:
            await shared.undo_attempt(second)
            await local.undo_attempt(second)

"""Over all workers, in no 60 seconds does a client get more through than the limit."""

import asyncio
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.servers.redis import RedisServer
from harness.stores.peers import FewPeers
from harness.stores.shared_limits import ClockedServer, admitted, fresh_name
from harness.suite.patience import PATIENCE, until
from tallyroom.cluster.redis import server as server_module
from tallyroom.cluster.redis.leased_window import LeasedWindow
from tallyroom.cluster.redis.server import LimitsServer
from tallyroom.core.errors import RateLimited, StatisticsRateLimited

Make = Callable[..., list[LeasedWindow]]


@pytest.fixture
async def server(own_redis: RedisServer) -> AsyncIterator[LimitsServer]:
    server = LimitsServer(own_redis.dsn)
    yield server
    await server.close()


@pytest.fixture
async def clocked(shared_redis: RedisServer, fake_clock: Any) -> AsyncIterator[LimitsServer]:
    server = ClockedServer(shared_redis.dsn, fake_clock)
    yield server
    await server.close()


def nothing() -> None:
    """Nobody counts fallbacks."""


def workers(
    server: LimitsServer, clock: Any, limit: int, number: int, refusal: type[RateLimited] = RateLimited
) -> list[LeasedWindow]:
    name, peers = fresh_name(), FewPeers(number)
    return [LeasedWindow(name, limit, server, clock, peers, refusal, nothing) for _ in range(number)]


async def test_one_limit_holds_over_all_workers(clocked: LimitsServer, fake_clock: Any) -> None:
    windows = workers(clocked, fake_clock, 50, 4)
    answers = await asyncio.gather(*(admitted(windows[number % 4]) for number in range(200)))
    assert sum(answers) == 50
    fake_clock.advance(61)
    assert [await admitted(window) for window in windows] == [False] * 4
    fake_clock.advance(1)
    assert sum([await admitted(windows[number % 4]) for number in range(200)]) == 50


async def test_clients_do_not_share(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 1, 1)
    assert await admitted(window, "a")
    assert await admitted(window, "b")
    assert not await admitted(window, "a")


async def test_zero_turns_it_off(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 0, 1)
    assert all(window.admit_at_once("a") for _ in range(100))


async def test_permits_at_hand_are_used_without_waiting(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 6000, 1)
    assert not window.admit_at_once("a")
    at_once = 0
    for _ in range(200):
        if window.admit_at_once("a"):
            at_once += 1
        else:
            await window.admit("a")
    assert at_once == 200 - 9, "leases of 1, 2, 4, 8, 16, 32 and three times 64 permits"


async def test_a_refusal_says_when_to_come_back_and_asks_nobody(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 2, 1, StatisticsRateLimited)
    await window.admit("a")
    fake_clock.advance(20)
    await window.admit("a")
    with pytest.raises(StatisticsRateLimited) as caught:
        await window.admit("a")
    assert caught.value.headers["retry-after"] == "42"
    assert caught.value.headers["ratelimit-policy"].endswith(";q=2;w=60")
    with pytest.raises(StatisticsRateLimited):
        window.admit_at_once("a")
    fake_clock.advance(42)
    await window.admit("a")


async def test_what_one_worker_did_not_use_another_may(clocked: LimitsServer, fake_clock: Any) -> None:
    first, second = workers(clocked, fake_clock, 64, 2)
    for _ in range(3):
        await first.admit("a")
    assert first._permits_by_client["a"].left_count == 0
    await first.admit("a")
    assert first._permits_by_client["a"].left_count == 3, "a lease of four"
    assert sum([await admitted(second) for _ in range(100)]) == 64 - 7
    fake_clock.advance(1)
    await first.close()
    assert sum([await admitted(second) for _ in range(100)]) == 3


async def test_permits_die_within_a_second(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 6000, 1)
    for _ in range(2):
        await window.admit("a")
    assert window._permits_by_client["a"].left_count == 1
    fake_clock.advance(1)
    assert not window.admit_at_once("a")


async def test_permits_given_back_after_a_flush_are_not_given_twice(own_redis: RedisServer, fake_clock: Any) -> None:
    server = ClockedServer(own_redis.dsn, fake_clock)
    [window] = workers(server, fake_clock, 10, 1)
    for _ in range(2):
        await window.admit("a")
    assert window._permits_by_client["a"].left_count == 1
    own_redis.flush()
    await window.close()
    fake_clock.advance(1)
    assert sum([await admitted(window) for _ in range(20)]) == 10
    await server.close()


@pytest.mark.long
async def test_silent_clients_are_forgotten(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 6000, 1)
    await asyncio.gather(*(window.admit(f"client-{number}") for number in range(100)))
    assert len(window._permits_by_client) == 100
    fake_clock.advance(1)
    assert window._expiry_task is not None
    await window._expiry_task
    assert window._permits_by_client == {}


async def test_a_clock_that_was_set_back_locks_nobody_out(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 1, 1)
    await window.admit("a")
    fake_clock.advance(-600)
    window._permits_by_client.clear()
    assert await admitted(window)


async def test_a_server_that_is_away_leaves_each_worker_its_share(
    server: LimitsServer, own_redis: RedisServer, fake_clock: Any
) -> None:
    fallbacks: list[None] = []
    name, peers = fresh_name(), FewPeers(4)
    windows = [
        LeasedWindow(name, 40, server, fake_clock, peers, RateLimited, lambda: fallbacks.append(None)) for _ in range(4)
    ]
    own_redis.stop()
    answers = [await admitted(windows[number % 4]) for number in range(400)]
    assert sum(answers) == 40
    assert len(fallbacks) == 400
    own_redis.start()
    await until(lambda: not server.is_away)
    assert sum([await admitted(windows[number % 4]) for number in range(400)]) == 40
    assert len(fallbacks) == 400


async def test_a_share_is_never_nothing(server: LimitsServer, own_redis: RedisServer, fake_clock: Any) -> None:
    own_redis.stop()
    windows = workers(server, fake_clock, 2, 4)
    assert [await admitted(window) for window in windows for _ in range(2)] == [True, False] * 4


async def test_requests_do_not_wait_for_a_server_that_hangs(
    server: LimitsServer, own_redis: RedisServer, fake_clock: Any
) -> None:
    [window] = workers(server, fake_clock, 100, 1)
    await window.admit("a")
    own_redis.halt(halted=True)
    assert sum(await asyncio.gather(*(admitted(window) for _ in range(300)))) == 100
    assert server.is_away
    own_redis.halt(halted=False)


async def test_a_request_that_is_cancelled_takes_nobody_with_it(clocked: LimitsServer, fake_clock: Any) -> None:
    [window] = workers(clocked, fake_clock, 10, 1)
    waiting = [asyncio.create_task(window.admit("a")) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(answers[0], asyncio.CancelledError)
    assert answers[1:] == [None, None]


PAUSES = [0, 0.001, 0.4, 0.999, 1, 1.5, 7.3, 29.9, 58.9, 59.9, 60, 60.9, 61, 62, 200]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    limit=st.integers(1, 6),
    steps=st.lists(st.tuples(st.sampled_from(PAUSES), st.integers(0, 2), st.integers(1, 5)), max_size=40),
)
def test_never_more_than_the_limit_in_any_window(
    shared_redis: RedisServer, limit: int, steps: list[tuple[float, int, int]]
) -> None:
    asyncio.run(hold(shared_redis.dsn, limit, steps))


class MovedClock:
    at = 1_000_000.25

    def monotonic(self) -> float:
        return self.at

    def now_ms(self) -> int:
        return 0


async def hold(dsn: str, limit: int, steps: list[tuple[float, int, int]]) -> None:
    clock, moments = MovedClock(), []
    async with AsyncExitStack() as closing:
        server = ClockedServer(dsn, clock)
        closing.push_async_callback(server.close)
        windows = workers(server, clock, limit, 3)
        for window in windows:
            closing.push_async_callback(window.close)
        for pause, worker, requests in steps:
            clock.at += pause
            moments += [clock.at for _ in range(requests) if await admitted(windows[worker])]
        assert not server.is_away
    for start in moments:
        assert sum(start <= at < start + 60 for at in moments) <= limit


@pytest.mark.long
async def test_in_no_minute_comes_more_through_than_the_limit_nor_twice_as_much_when_the_server_forgets(
    own_redis: RedisServer, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client with half as many requests again as it may have, over four workers."""
    monkeypatch.setattr(server_module, "ANSWER_SECONDS", PATIENCE)  # only a server that has ended is away
    server = ClockedServer(own_redis.dsn, fake_clock)
    windows = workers(server, fake_clock, 6000, 4)
    times: list[float] = []

    async def ask(seconds: float) -> None:
        for number in range(round(seconds * 150)):
            if await admitted(windows[number % 4]):
                times.append(fake_clock.monotonic())
            fake_clock.advance(1 / 150)

    def most(since: float) -> int:
        """Of how many requests in 60 seconds most came through."""
        late = [moment for moment in times if moment >= since]
        return max(bisect_left(late, moment + 60) - at for at, moment in enumerate(late))

    await ask(90)
    assert 5700 < most(0) <= 6000
    for forget in (own_redis.flush, own_redis.stop):
        before = fake_clock.monotonic() - 60
        forget()
        await ask(30)
        if forget == own_redis.stop:
            assert server.is_away
            own_redis.start()
            await until(lambda: not server.is_away)
            await ask(30)
        assert 6000 < most(before) <= 12_000
        after = fake_clock.monotonic()
        await ask(90)
        assert most(after) <= 6000
    await server.close()

"""In no 60 seconds does a client get more through than the limit."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.errors import RateLimited, StatisticsRateLimited
from tallyroom.storage.limits.sliding_window import SlidingWindow


class Clock:
    def __init__(self, at: float = 0.0) -> None:
        self.at = at

    def now_ms(self) -> int:
        return 0

    def monotonic(self) -> float:
        return self.at


def admitted(window: SlidingWindow, client: str = "a") -> bool:
    try:
        window.admit_at_once(client)
    except RateLimited:
        return False
    return True


def test_the_limit_is_reached_and_comes_back(fake_clock: Any) -> None:
    window = SlidingWindow("ingest", 3, fake_clock)
    assert [admitted(window) for _ in range(5)] == [True, True, True, False, False]
    fake_clock.advance(60)
    assert not admitted(window)
    fake_clock.advance(1)
    assert [admitted(window) for _ in range(4)] == [True, True, True, False]


def test_clients_do_not_share(fake_clock: Any) -> None:
    window = SlidingWindow("ingest", 1, fake_clock)
    assert admitted(window, "a")
    assert admitted(window, "b")
    assert not admitted(window, "a")


def test_zero_turns_it_off(fake_clock: Any) -> None:
    window = SlidingWindow("ingest", 0, fake_clock)
    assert all(admitted(window) for _ in range(100))


def test_a_refusal_says_when_to_come_back(fake_clock: Any) -> None:
    window = SlidingWindow("ingest", 2, fake_clock)
    window.admit_at_once("a")
    fake_clock.advance(20.5)
    window.admit_at_once("a")
    with pytest.raises(RateLimited) as caught:
        window.admit_at_once("a")
    assert caught.value.headers == {
        "retry-after": "41",
        "ratelimit-policy": '"ingest";q=2;w=60',
        "ratelimit": '"ingest";r=0;t=41',
    }
    fake_clock.advance(41)
    window.admit_at_once("a")


def test_a_limit_has_its_name_and_its_refusal(fake_clock: Any) -> None:
    window = SlidingWindow("statistics", 1, fake_clock, StatisticsRateLimited)
    window.admit_at_once("a")
    with pytest.raises(StatisticsRateLimited) as caught:
        window.admit_at_once("a")
    assert caught.value.headers["ratelimit-policy"] == '"statistics";q=1;w=60'
    assert caught.value.headers["ratelimit"] == '"statistics";r=0;t=61'
    assert caught.value.expires_in == 61_000


def test_refused_requests_do_not_count(fake_clock: Any) -> None:
    window = SlidingWindow("ingest", 1, fake_clock)
    window.admit_at_once("a")
    for _ in range(60):
        fake_clock.advance(1)
        assert not admitted(window)
    fake_clock.advance(1)
    assert admitted(window)


def test_silent_clients_are_forgotten(fake_clock: Any) -> None:
    window = SlidingWindow("ingest", 10, fake_clock)
    for number in range(1000):
        window.admit_at_once(f"client-{number}")
    fake_clock.advance(3600)
    window.admit_at_once("a")
    assert window._total_by_client == {"a": 1}
    assert len(window._counts_by_second) == 1


@given(
    limit=st.integers(1, 4),
    steps=st.lists(
        st.tuples(
            st.sampled_from([0, 0.001, 0.4, 0.999, 1, 7.3, 29.9, 59.9, 60, 60.9, 61, 200]), st.sampled_from("ab")
        ),
        max_size=60,
    ),
)
def test_never_more_than_the_limit_in_any_window(limit: int, steps: list[tuple[float, str]]) -> None:
    clock = Clock(at=0.25)
    window = SlidingWindow("ingest", limit, clock)
    times: dict[str, list[float]] = {"a": [], "b": []}
    for pause, client in steps:
        clock.at += pause
        if admitted(window, client):
            times[client].append(clock.at)
        else:
            assert sum(at > clock.at - 61.0 for at in times[client]) >= limit, "refused too early"
    for moments in times.values():
        for start in moments:
            assert sum(start <= at < start + 60 for at in moments) <= limit

"""Some attempts at once, then one at a time, and a bounded memory."""

from itertools import pairwise
from typing import Any

import pytest

from tallyroom.storage.limits import leaky_buckets
from tallyroom.storage.limits.leaky_buckets import LeakyBuckets

KEY = b"key"


@pytest.fixture
def limit(fake_clock: Any) -> LeakyBuckets:
    """Three at once, then one in ten seconds."""
    return LeakyBuckets(3, 10, fake_clock)


def take_while_free(limit: LeakyBuckets, key: bytes = KEY) -> int:
    """How many attempts are admitted now."""
    taken = 0
    while not limit.seconds_until(key):
        limit.add_attempt(key)
        taken += 1
    return taken


def test_some_are_admitted_at_once_and_then_one_at_a_time(limit: LeakyBuckets, fake_clock: Any) -> None:
    assert take_while_free(limit) == 3
    assert limit.seconds_until(KEY) == 10
    fake_clock.advance(9)
    assert limit.seconds_until(KEY) == 1
    fake_clock.advance(1)
    assert take_while_free(limit) == 1
    fake_clock.advance(20)
    assert take_while_free(limit) == 2
    fake_clock.advance(3600)
    assert take_while_free(limit) == 3


def test_each_key_has_its_own(limit: LeakyBuckets) -> None:
    assert take_while_free(limit) == 3
    assert take_while_free(limit, b"other") == 3


def test_an_attempt_is_given_back(limit: LeakyBuckets) -> None:
    take_while_free(limit)
    limit.undo_attempt(KEY)
    limit.undo_attempt(b"unknown")
    assert take_while_free(limit) == 1
    assert limit.seconds_until(b"unknown") == 0


def test_all_attempts_are_taken_back(limit: LeakyBuckets) -> None:
    take_while_free(limit)
    limit.clear(KEY)
    limit.clear(b"unknown")
    assert take_while_free(limit) == 3


def test_giving_back_never_earns_more_than_there_was(limit: LeakyBuckets) -> None:
    limit.add_attempt(KEY)
    for _ in range(5):
        limit.undo_attempt(KEY)
    assert take_while_free(limit) == 3


def test_no_hour_admits_as_much_as_twice_the_size(fake_clock: Any) -> None:
    limit = LeakyBuckets(50, 72, fake_clock)
    admitted: list[float] = []
    for _ in range(4 * 3600):
        admitted += [fake_clock.monotonic()] * take_while_free(limit)
        fake_clock.advance(1)
    most = max(sum(start <= at < start + 3600 for at in admitted) for start in admitted)
    assert most == 50 + 49
    assert all(later - earlier == 72 for earlier, later in pairwise(admitted[50:]))


def test_empty_buckets_are_forgotten(limit: LeakyBuckets, fake_clock: Any) -> None:
    for number in range(1000):
        limit.add_attempt(b"%d" % number)
        fake_clock.advance(1)
    assert len(limit._empty_at_by_key) == 10


def test_the_memory_is_bounded(limit: LeakyBuckets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaky_buckets, "_MAX_KEYS", 100)
    take_while_free(limit)
    for number in range(99):
        limit.add_attempt(b"%d" % number)
    assert limit.seconds_until(KEY) == 10
    limit.add_attempt(b"one more")
    assert limit.seconds_until(KEY) == 0
    assert len(limit._empty_at_by_key) == 100


def test_an_attempt_may_count_as_several(limit: LeakyBuckets, fake_clock: Any) -> None:
    limit.add_attempt(KEY, 2)
    assert limit.seconds_until(KEY, 2) == 10
    assert limit.seconds_until(KEY) == 0
    limit.undo_attempt(KEY, 2)
    assert take_while_free(limit) == 3


def test_an_empty_bucket_has_room_for_one_whatever_it_counts_as(limit: LeakyBuckets, fake_clock: Any) -> None:
    assert limit.seconds_until(KEY, 8) == 0
    limit.add_attempt(KEY, 8)
    assert limit.seconds_until(KEY, 8) == 30
    fake_clock.advance(30)
    assert limit.seconds_until(KEY, 8) == 0

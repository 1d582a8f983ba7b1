"""Attempts and lists in memory, within bounds."""

from typing import Any

import pytest

from tallyroom.storage.limits import local
from tallyroom.storage.limits.limits import Allotment, Attempt
from tallyroom.storage.limits.local import LocalAttemptLimits, LocalLimits, LocalNewestEntries

THREE = Allotment("three", 3, 10)
KEY = b"k"


async def admitted(attempts: LocalAttemptLimits, *wanted: Attempt) -> int:
    return [await attempts.count_attempts(*wanted) for _ in range(40)].count(None)


async def test_all_are_counted_or_none(fake_clock: Any) -> None:
    attempts, tight = LocalAttemptLimits(fake_clock), Attempt(Allotment("one", 1, 10), KEY)
    assert await admitted(attempts, Attempt(THREE, KEY), tight) == 1
    assert await attempts.count_attempts(Attempt(THREE, KEY), tight) == (tight, 10)
    assert await admitted(attempts, Attempt(THREE, KEY)) == 2


@pytest.mark.parametrize(("sharers", "at_once"), [(1, 3), (2, 1), (3, 1), (8, 1)])
async def test_an_attempt_counts_once_for_each_who_shares(fake_clock: Any, sharers: int, at_once: int) -> None:
    attempts, attempt = LocalAttemptLimits(fake_clock), Attempt(THREE, KEY)
    attempts.process_count = sharers
    assert await admitted(attempts, attempt) == at_once
    await attempts.undo_attempt(attempt)
    assert await admitted(attempts, attempt) == 1
    await attempts.clear_attempts(attempt)
    assert await admitted(attempts, attempt) == at_once


async def test_lists_are_bounded_and_can_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_MAX_TOPICS", 2)
    entries = LocalNewestEntries(2)
    for topic, entry in (("a", b"1"), ("b", b"2"), ("c", b"3"), ("c", b"4"), ("c", b"5")):
        entries.add(topic, entry)
    assert [await entries.list_newest(topic) for topic in "abc"] == [[], [b"2"], [b"5", b"4"]]
    assert entries.pop_all() == {"b": [b"2"], "c": [b"4", b"5"]}
    assert await entries.list_newest("c") == []


async def test_limits_of_one_process_share_nothing(fake_clock: Any) -> None:
    limits = LocalLimits(fake_clock)
    for window in (limits.create_rate_limit("ingest", 1), limits.create_rate_limit("ingest", 1)):
        assert window.admit_at_once("a")
    limits.create_newest_entries("refusals", 1).add("w", b"1")
    assert await limits.create_newest_entries("refusals", 1).list_newest("w") == []
    assert (limits.is_away, limits.fallback_count) == (False, 0)
    await limits.close()

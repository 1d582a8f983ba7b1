"""Acknowledged = stored + queued, and stored = in the store + put aside + erased."""

import msgspec
import pytest

from tallyroom.operations.backup.balance import EventBalance
from tallyroom.storage.spool.event_counts import SpoolCounts

SOUND = SpoolCounts(
    spool=7, acknowledged=100, left_spool=90, queued=10, claimed=4, dead_letters=2, erased=8, erasing=0, next_seq=101
)


def balance(events: int, **fields: int) -> EventBalance:
    return EventBalance(msgspec.structs.replace(SOUND, **fields), events, 0)


def test_everything_accounted_for() -> None:
    found = balance(80)
    assert (found.unaccounted_count, found.missing_count, found.adds_up) == (0, 0, True)


@pytest.mark.parametrize(
    ("events", "fields", "missing", "adds_up"),
    [
        (79, {}, 1, False),
        (0, {}, 80, False),
        (79, {"erasing": 1}, 1, True),
        (78, {"erasing": 1}, 2, False),
        (84, {}, -4, True),  # the range under way is in the store already
        (85, {}, -5, False),
        (81, {"claimed": 0}, -1, False),
    ],
)
def test_what_the_store_has_too_few_or_too_many(
    events: int, fields: dict[str, int], missing: int, *, adds_up: bool
) -> None:
    found = balance(events, **fields)
    assert (found.missing_count, found.adds_up) == (missing, adds_up)


def test_a_spool_that_forgot_events_does_not_add_up() -> None:
    found = balance(80, queued=9)
    assert (found.unaccounted_count, found.adds_up) == (1, False)

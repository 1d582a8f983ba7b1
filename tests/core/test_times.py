"""The one form in which times leave the service (rules/safety#response-format)."""

from datetime import UTC, datetime, timedelta

import pytest

from tallyroom.core.times import (
    DAY_MS,
    HOUR_MS,
    MAX_DATETIME_MS,
    MINUTE_MS,
    datetime_from_ms,
    iso_ms,
    iso_ms_or_none,
    month_bounds_ms,
    retention_start_ms,
)

MIDNIGHT = 1_795_132_800_000


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_176_000_000, "2026-11-20T12:00:00.000Z"),
        (1_795_176_000_120, "2026-11-20T12:00:00.120Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_milliseconds_become_iso_text(ms: int, text: str) -> None:
    assert iso_ms(ms) == text


def test_a_time_that_is_not_set_is_none() -> None:
    assert (iso_ms_or_none(None), iso_ms_or_none(0)) == (None, "1970-01-01T00:00:00.000Z")


def test_lengths_and_the_last_moment() -> None:
    lengths = [timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)]
    assert [timedelta(milliseconds=ms) for ms in (MINUTE_MS, HOUR_MS, DAY_MS)] == lengths
    assert iso_ms(MAX_DATETIME_MS) == "9999-12-31T23:59:59.999Z"
    with pytest.raises(OverflowError):
        datetime_from_ms(MAX_DATETIME_MS + 1)


def test_milliseconds_become_a_moment_in_utc() -> None:
    assert datetime_from_ms(1_795_176_000_120) == datetime(2026, 11, 20, 12, 0, 0, 120_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("month", "first", "last"),
    [
        (202610, "2026-10-01T00:00:00.000Z", "2026-10-31T23:59:59.999Z"),
        (202612, "2026-12-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z"),
        (202402, "2024-02-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z"),
        (197001, "1970-01-01T00:00:00.000Z", "1970-01-31T23:59:59.999Z"),
    ],
)
def test_a_month_ends_where_the_next_begins(month: int, first: str, last: str) -> None:
    assert [iso_ms(ms) for ms in month_bounds_ms(month)] == [first, last]


@pytest.mark.parametrize("now", [MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + 12 * HOUR_MS, MIDNIGHT + DAY_MS - 1])
@pytest.mark.parametrize("days", [1, 30, 3650])
def test_the_cut_is_a_midnight_and_never_early(days: int, now: int) -> None:
    cut = retention_start_ms(days, now)
    assert cut == MIDNIGHT - days * DAY_MS
    assert now - (days + 1) * DAY_MS < cut <= now - days * DAY_MS

"""Spans of time in the zone of the digest, and when it comes (rules/digests#email)."""

from typing import Any

import pytest

from tallyroom.dashboards.mail.dates import format_short_time
from tallyroom.digests.calendar import DigestCalendar
from tallyroom.digests.mail.period import format_long_period, format_rhythm, format_short_period
from tallyroom.queries.time_ranges import resolve_window

NOON = 1_795_176_000_000  # 2026-11-20T12:00Z


@pytest.mark.parametrize(
    ("time_range", "zone", "written"),
    [
        ("1h", "UTC", "20 Nov 2026, 11:00 – 12:00"),
        ("24h", "UTC", "19 – 20 Nov 2026"),
        ("7d", "UTC", "13 – 20 Nov 2026"),
        ("30d", "UTC", "21 Oct – 20 Nov 2026"),
        ("7d", "Pacific/Kiritimati", "14 – 21 Nov 2026"),
    ],
)
def test_short_ones(time_range: Any, zone: str, written: str) -> None:
    assert format_short_period(resolve_window(time_range, NOON, "UTC"), zone) == written


def test_over_the_end_of_a_year() -> None:
    assert format_short_period(resolve_window("30d", NOON + 25 * 86_400_000, "UTC"), "UTC") == "15 Nov – 15 Dec 2026"
    assert format_short_period(resolve_window("30d", NOON + 45 * 86_400_000, "UTC"), "UTC") == "5 Dec 2026 – 4 Jan 2027"


def test_long_ones() -> None:
    assert (
        format_long_period(resolve_window("24h", NOON, "UTC"), "Asia/Kolkata")
        == "19 Nov 2026, 17:30 – 20 Nov 2026, 17:30 (Asia/Kolkata)"
    )


def test_moments() -> None:
    assert format_short_time("2026-11-20T23:30:00.000Z", "Europe/Berlin") == "21 Nov 00:30"


@pytest.mark.parametrize(
    ("calendar", "written"),
    [
        (DigestCalendar("daily", 9, None, None, "UTC"), "every day at 09:00 (UTC)"),
        (DigestCalendar("weekly", 17, 0, None, "UTC"), "every Sunday at 17:00 (UTC)"),
        (DigestCalendar("weekly", 17, 1, None, "Europe/Berlin"), "every Monday at 17:00 (Europe/Berlin)"),
        (DigestCalendar("monthly", 0, None, 1, "UTC"), "on the 1st of every month at 00:00 (UTC)"),
        (DigestCalendar("monthly", 0, None, 12, "UTC"), "on the 12th of every month at 00:00 (UTC)"),
        (DigestCalendar("monthly", 0, None, 22, "UTC"), "on the 22nd of every month at 00:00 (UTC)"),
        (DigestCalendar("monthly", 0, None, 30, "UTC"), "on the 30th of every month at 00:00 (UTC)"),
        (DigestCalendar("monthly", 0, None, 31, "UTC"), "on the last day of every month at 00:00 (UTC)"),
    ],
)
def test_rhythms(calendar: DigestCalendar, written: str) -> None:
    assert format_rhythm(calendar) == written

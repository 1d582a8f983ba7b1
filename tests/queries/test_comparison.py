"""The window that an answer is compared with (rules/questions#comparison)."""

from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from harness.builders.moments import ms
from harness.oracles.calendar_walk import TWELVE_ZONES, moment_of, shown, start_of_next
from harness.stores.event_store import NOW_MS
from harness.stores.questions import question
from tallyroom.core.ranges import FixedRange
from tallyroom.queries.comparison import resolve_earlier_window, union_of_windows
from tallyroom.queries.question import Shift
from tallyroom.queries.window import Window

DAY_MS = 86_400_000
WEEK = Window(NOW_MS - 7 * DAY_MS, NOW_MS)
WEEK_BEFORE = Window(NOW_MS - 14 * DAY_MS, NOW_MS - 7 * DAY_MS - 1)


@pytest.mark.parametrize(
    ("chosen", "asked", "default", "expected"),
    [
        (None, None, True, WEEK_BEFORE),
        (None, None, False, None),
        (True, None, False, WEEK_BEFORE),
        ("previous", None, False, WEEK_BEFORE),
        (False, None, True, None),
        (True, False, True, None),
        (False, "previous", False, WEEK_BEFORE),
        (Shift("7d"), None, False, Window(NOW_MS - 14 * DAY_MS, NOW_MS - 7 * DAY_MS)),
        (Shift("7d"), {"shift": "1d"}, False, Window(NOW_MS - 8 * DAY_MS, NOW_MS - DAY_MS)),
    ],
)
def test_who_asks_decides_before_the_config(chosen: Any, asked: Any, default: bool, expected: Window | None) -> None:
    assert resolve_earlier_window(chosen, question("7d", compare=asked), compares_by_default=default) == expected


def test_nothing_comes_before_all_events() -> None:
    asked = question("all", first_ms=NOW_MS - 5)
    assert resolve_earlier_window("previous", asked, compares_by_default=True) is None
    assert resolve_earlier_window(Shift("1d"), asked, compares_by_default=True) == Window(
        NOW_MS - 5 - DAY_MS, NOW_MS - DAY_MS
    )


SHIFTED = {"1d": (0, 1), "7d": (0, 7), "28d": (0, 28), "1mo": (1, 0), "1y": (12, 0)}


@pytest.mark.parametrize("zone_name", TWELVE_ZONES)
@pytest.mark.parametrize("shift", SHIFTED)
def test_a_shift_shows_the_same_clocks_on_another_day(zone_name: str, shift: Any) -> None:
    zone = ZoneInfo(zone_name)
    for first, last in [
        ("2026-03-31T10:15:30.123", "2026-04-30T00:00"),
        ("2026-03-29T00:30", "2026-03-30T02:30"),
        ("2024-02-29T12:00", "2024-03-01T12:00"),
        ("2026-11-01T05:30", "2026-11-08T04:30"),
        ("2026-09-07T04:00", "2026-09-07T05:00"),
    ]:
        from_ms, to_ms = ms(first), ms(last)
        asked = question(FixedRange(from_ms, to_ms), timezone=zone_name)
        found = resolve_earlier_window(Shift(shift), asked, compares_by_default=False)
        day, last_day = (shown(each, zone).date() for each in (from_ms, to_ms - 1))
        until = moment_of(earlier(last_day, shift), to_ms - 1, zone)
        if SHIFTED[shift][0] and earlier(last_day, shift).day != last_day.day:  # that month has no such day
            until = start_of_next("day", until, zone) - 1
        assert found == Window(moment_of(earlier(day, shift), from_ms, zone), until), (first, last)


def earlier(day: date, shift: str) -> date:
    months, days = SHIFTED[shift]
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    for number in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, number) - timedelta(days=days)
        except ValueError:
            continue
    raise AssertionError


def test_a_month_may_be_longer_than_the_one_it_is_compared_with() -> None:
    asked = question(FixedRange(ms("2026-03-01T00:00"), ms("2026-04-01T00:00")))
    february = Window(ms("2026-02-01T00:00"), ms("2026-03-01T00:00") - 1)
    assert resolve_earlier_window(Shift("1mo"), asked, compares_by_default=False) == february


def test_the_time_of_both_windows() -> None:
    assert union_of_windows(WEEK, None) == WEEK
    assert union_of_windows(WEEK, WEEK_BEFORE) == Window(WEEK_BEFORE.from_ms, WEEK.until_ms)
    assert union_of_windows(WEEK_BEFORE, WEEK) == Window(WEEK_BEFORE.from_ms, WEEK.until_ms)

"""The window that a time range means, and the one before it, as a walk over the calendar finds them."""

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.moments import ms
from harness.oracles.calendar_walk import TWELVE_ZONES, moment_of, shown, start_of, start_of_next
from harness.stores.event_store import NOW_MS
from harness.suite.examples import tries
from harness.suite.few import few
from tallyroom.core.ranges import RANGE_DURATION_MS, CalendarRange, FixedRange
from tallyroom.core.times import iso_ms
from tallyroom.queries.time_ranges import find_window_before, resolve_window
from tallyroom.queries.window import Window

RUNNING: dict[CalendarRange, str] = {"today": "day", "wtd": "week", "mtd": "month", "ytd": "year"}
OVER: dict[CalendarRange, str] = {"yesterday": "day", "last_week": "week", "last_month": "month"}


EDGES = [
    ms("2026-03-31T10:15:30.123"),  # February has no 31st
    ms("2024-02-29T23:59:59.999"),  # 2023 has no such day
    ms("2026-03-30T00:30"),
    ms("2026-03-29T01:00"),  # Berlin: the moment of the jump
    ms("2026-10-25T00:30"),
    ms("2026-10-26T01:30"),
    ms("2026-11-01T05:30"),  # New York shows 01:30 for the first time
    ms("2026-09-06T04:00"),  # Santiago: a day begins at 01:00
    ms("2026-09-07T03:30"),  # the day after, at a time that the day before did not have
    ms("2026-01-01T00:00"),
    ms("2025-12-31T23:59:59.999"),
    NOW_MS,
]


def moments() -> Iterator[int]:
    yield from EDGES
    chance = random.Random(7)
    yield from (ms("2026-01-01T00:00") + chance.randrange(365 * 86_400_000) for _ in range(6))


@pytest.mark.parametrize("zone_name", TWELVE_ZONES)
def test_periods_that_run_begin_where_a_walk_ends(zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    for now in moments():
        for time_range, period in RUNNING.items():
            found = resolve_window(time_range, now, zone_name)
            assert found == Window(start_of(period, now, zone), now), (time_range, iso_ms(now))


@few(2, "zone_name", TWELVE_ZONES)
def test_periods_that_are_over_lie_between_two_starts(zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    for now in moments():
        for time_range, period in OVER.items():
            begins = start_of(period, now, zone)
            before = start_of(period, begins - 1, zone)
            window = Window(before, begins - 1)
            assert resolve_window(time_range, now, zone_name) == window, (time_range, iso_ms(now))
            earlier = Window(start_of(period, before - 1, zone), before - 1)
            assert find_window_before(time_range, window, zone_name) == earlier, (time_range, iso_ms(now))


@few(2, "zone_name", TWELVE_ZONES)
def test_the_window_before_is_the_same_part_of_the_period_before(zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    for now in moments():
        for time_range, period in RUNNING.items():
            window = resolve_window(time_range, now, zone_name)
            before = start_of(period, window.from_ms - 1, zone)
            until = same_moment(period, now, zone)
            expected = Window(before, min(until, window.from_ms - 1))
            assert find_window_before(time_range, window, zone_name) == expected, (time_range, iso_ms(now))


def same_moment(period: str, now: int, zone: ZoneInfo) -> int:
    today = shown(now, zone).date()
    if period in {"day", "week"}:
        return moment_of(today - timedelta(days=1 if period == "day" else 7), now, zone)
    last_of_month = start_of("month", now, zone) - 1
    try:
        year, month = (
            (today.year - 1, today.month) if period == "year" else divmod(today.year * 12 + today.month - 2, 12)
        )
        return moment_of(today.replace(year=year, month=month if period == "year" else month + 1), now, zone)
    except ValueError:  # that month has no such day
        if period == "month":
            return last_of_month
        return start_of_next("month", moment_of(today.replace(year=today.year - 1, day=1), now, zone), zone) - 1


@pytest.mark.long
@pytest.mark.parametrize("zone_name", TWELVE_ZONES)
def test_twelve_months_are_this_one_and_eleven_before(zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    for now in moments():
        begins = start_of("month", now, zone)
        starts = [begins]
        for _ in range(23):
            starts.append(start_of("month", starts[-1] - 1, zone))
        window = resolve_window("12mo", now, zone_name)
        assert window == Window(starts[11], now)
        before = Window(starts[23], min(same_moment("year", now, zone), starts[11] - 1))
        assert find_window_before("12mo", window, zone_name) == before, iso_ms(now)


@pytest.mark.parametrize("time_range", RANGE_DURATION_MS)
def test_rolling_windows(time_range: Any) -> None:
    window = resolve_window(time_range, NOW_MS, "UTC")
    assert window == Window(NOW_MS - RANGE_DURATION_MS[time_range], NOW_MS)
    assert find_window_before(time_range, window, "UTC") == Window(
        NOW_MS - 2 * RANGE_DURATION_MS[time_range], NOW_MS - RANGE_DURATION_MS[time_range] - 1
    )


def test_fixed_spans_have_no_end_and_are_compared_with_as_long_a_time() -> None:
    time_range = FixedRange(5_000, 8_000)
    assert resolve_window(time_range, NOW_MS, "UTC") == Window(5_000, 7_999)
    assert find_window_before(time_range, Window(5_000, 7_999), "UTC") == Window(2_000, 4_999)


@pytest.mark.parametrize(
    ("zone", "days", "before"),
    [
        ("UTC", ("2026-11-01T00:00", "2026-12-01T00:00"), "2026-10-02T00:00"),
        ("Europe/Berlin", ("2026-10-25T22:00", "2026-10-26T23:00"), "2026-10-24T21:00"),  # 25 hours that are no day
        ("Europe/Berlin", ("2026-10-25T23:00", "2026-10-26T23:00"), "2026-10-24T22:00"),  # after a day of 25 hours
        ("Europe/Berlin", ("2026-10-24T22:00", "2026-10-25T23:00"), "2026-10-23T22:00"),  # a day of 25 hours
        ("Europe/Berlin", ("2026-03-28T23:00", "2026-03-29T22:00"), "2026-03-27T23:00"),  # a day of 23 hours
        ("Asia/Kolkata", ("2026-10-31T18:30", "2026-11-30T18:30"), "2026-10-01T18:30"),
        ("America/Santiago", ("2026-09-06T04:00", "2026-09-07T03:00"), "2026-09-05T04:00"),  # it begins at 01:00
        ("Pacific/Apia", ("2011-12-29T10:00", "2011-12-31T10:00"), "2011-12-27T10:00"),  # two days, without the 30th
        ("Pacific/Apia", ("2011-12-30T10:00", "2012-01-01T10:00"), "2011-12-28T10:00"),  # after the 30th
    ],
)
def test_whole_local_days_are_compared_with_as_many_before(zone: str, days: tuple[str, str], before: str) -> None:
    from_ms, to_ms = map(ms, days)
    window = Window(from_ms, to_ms - 1)
    expected = Window(ms(before), from_ms - 1)
    assert find_window_before(FixedRange(from_ms, to_ms), window, zone) == expected


@st.composite
def zones_and_days(draw: st.DrawFn) -> tuple[str, int, int]:
    """A zone, a moment, and a number of days."""
    first_ms, last_ms = ms("1975-01-01T00:00"), ms("2037-01-01T00:00")
    moment = st.one_of(st.integers(first_ms, last_ms), st.sampled_from(EDGES), st.just(ms("2011-12-31T12:00")))
    return draw(st.sampled_from([*TWELVE_ZONES, "Asia/Kolkata"])), draw(moment), draw(st.integers(1, 20))


@tries(200)
@given(zones_and_days(), st.sampled_from([0, 0, 0, 1, 3_600_000]), st.sampled_from([0, 0, 0, 1, 3_600_000]))
def test_fixed_spans_of_any_days(case: tuple[str, int, int], late_ms: int, longer_ms: int) -> None:
    """A walk finds as many days before; if an end is not the start of a day, the length decides."""
    zone_name, moment, day_count = case
    zone = ZoneInfo(zone_name)
    starts = [start_of("day", moment, zone)]
    for _ in range(day_count):
        starts.insert(0, start_of("day", starts[0] - 1, zone))
        starts.append(start_of_next("day", starts[-1], zone))
    from_ms, to_ms = starts[day_count] + late_ms, starts[-1] + longer_ms + late_ms
    before_ms = 2 * from_ms - to_ms if late_ms or longer_ms else starts[0]
    found = find_window_before(FixedRange(from_ms, to_ms), Window(from_ms, to_ms - 1), zone_name)
    assert found == Window(before_ms, from_ms - 1)


def test_all_begins_with_the_first_event_and_has_nothing_before() -> None:
    assert resolve_window("all", NOW_MS, "UTC", 1_000) == Window(1_000, NOW_MS)
    assert resolve_window("all", NOW_MS, "UTC", NOW_MS + 5) == Window(NOW_MS, NOW_MS)
    assert resolve_window("all", NOW_MS, "UTC") == Window(NOW_MS, NOW_MS)
    assert find_window_before("all", Window(1_000, NOW_MS), "UTC") is None


def test_every_calendar_range_is_tested_here() -> None:
    assert set(get_args(CalendarRange)) == {*RUNNING, *OVER, "12mo", "all"}

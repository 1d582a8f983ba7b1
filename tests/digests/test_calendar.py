"""Due once for each local day, whatever the clocks do (rules/digests#due-times)."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

import pytest

from harness.suite.few import few
from tallyroom.digests.calendar import DigestCalendar

HOURS = (0, 1, 2, 3, 9, 23)
DAY = timedelta(days=1)

# Zone, first year of two, and the minutes of one step of the walk below.
ZONES = [
    ("UTC", 2026, 15),
    ("Africa/Cairo", 2026, 15),
    ("Africa/Casablanca", 2026, 15),
    ("America/New_York", 2026, 15),
    ("America/Santiago", 2026, 15),
    ("America/St_Johns", 2010, 1),  # where clocks were changed at one minute past midnight
    ("Asia/Kathmandu", 2026, 15),
    ("Atlantic/Azores", 2026, 15),
    ("Australia/Lord_Howe", 2026, 15),  # by half an hour
    ("Europe/Berlin", 2026, 15),
    ("Pacific/Apia", 2011, 15),  # where 30 December 2011 never was
    ("Pacific/Chatham", 2026, 15),
]


def walked(name: str, year: int, minutes: int, hour: int) -> dict[date, int]:
    """The due time of each day: walk through two years, and note when a clock first shows the hour or a later time."""
    zone = ZoneInfo(name)
    rest = timedelta(hours=0 if name == "Pacific/Apia" else 20)  # nothing comes sooner, if no day is left out
    moment, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 2, 1, 1, tzinfo=UTC)
    wanted = datetime(year, 1, 2, hour)  # noqa: DTZ001 # what a clock on a wall shows
    found = {}
    while moment < end:
        if moment.astimezone(zone).replace(tzinfo=None) >= wanted:
            found[wanted.date()] = round(moment.timestamp() * 1000)
            wanted += DAY
            moment += rest
        else:
            moment += timedelta(minutes=minutes)
    return found


def chain(calendar: DigestCalendar, ms: int) -> Iterator[int]:
    """All due times after a moment."""
    while True:
        ms = calendar.next_due_ms(ms)
        yield ms


def check(calendar: DigestCalendar, expected: list[int]) -> None:
    found = list(takewhile(lambda due: due <= expected[-1], chain(calendar, expected[0] - 1)))
    assert found == expected
    for before, after in pairwise(expected):
        assert calendar.latest_due_ms(after - 1) == before
        assert calendar.latest_due_ms(after) == after


@few(3, ("name", "year", "minutes"), ZONES)
@few(2, "hour", HOURS)
def test_two_years_have_one_due_time_for_each_local_day(name: str, year: int, minutes: int, hour: int) -> None:
    by_day = walked(name, year, minutes, hour)
    check(DigestCalendar("daily", hour, None, None, name), sorted(set(by_day.values())))
    for weekday in (0, 6):
        days = [due for day, due in by_day.items() if (day.weekday() + 1) % 7 == weekday]
        check(DigestCalendar("weekly", hour, weekday, None, name), days)
    for number in (1, 30, 31):
        lasts = {day for day in by_day if (day + DAY).day == 1}
        days = [due for day, due in by_day.items() if day.day == number or (day in lasts and day.day < number)]
        check(DigestCalendar("monthly", hour, None, number, name), days)


@pytest.mark.parametrize(
    ("calendar", "after", "due"),
    [
        # clocks go from 2:00 to 3:00
        (DigestCalendar("daily", 2, None, None, "Europe/Berlin"), "2026-03-28T12:00Z", "2026-03-29T01:00Z"),
        # and from 3:00 to 2:00
        (DigestCalendar("daily", 2, None, None, "Europe/Berlin"), "2026-10-24T12:00Z", "2026-10-25T00:00Z"),
        # from 2:00 to 2:30
        (DigestCalendar("daily", 2, None, None, "Australia/Lord_Howe"), "2026-10-03T01:00Z", "2026-10-03T15:30Z"),
        # from 0:01 to 1:01
        (DigestCalendar("daily", 1, None, None, "America/St_Johns"), "2011-03-12T12:00Z", "2011-03-13T03:31Z"),
        # from the 29th to the 31st
        (DigestCalendar("daily", 9, None, None, "Pacific/Apia"), "2011-12-30T08:00Z", "2011-12-30T10:00Z"),
        (DigestCalendar("weekly", 9, 5, None, "Pacific/Apia"), "2011-12-28T08:00Z", "2011-12-30T10:00Z"),
        (DigestCalendar("monthly", 9, None, 31, "UTC"), "2027-01-31T09:00Z", "2027-02-28T09:00Z"),
        (DigestCalendar("monthly", 9, None, 31, "UTC"), "2028-02-01T09:00Z", "2028-02-29T09:00Z"),
        (DigestCalendar("weekly", 9, 0, None, "UTC"), "2026-11-20T12:00Z", "2026-11-22T09:00Z"),
    ],
)
def test_examples(calendar: DigestCalendar, after: str, due: str) -> None:
    assert calendar.next_due_ms(ms(after)) == ms(due)
    assert calendar.latest_due_ms(ms(due)) == ms(due)


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)

"""Days, weeks and months begin when the clocks of a zone say so, and moments move by the calendar."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from harness.builders.moments import ms
from tallyroom.core.times import iso_ms
from tallyroom.queries.calendar import local_to_ms, period_starts_ms

DAYS = [
    ("UTC", "2026-11-19T23:59:59.999", "2026-11-20T00:00", ["2026-11-19T00:00", "2026-11-20T00:00"]),
    (
        "Europe/Berlin",
        "2026-10-24T22:00",
        "2026-10-26T23:00",
        ["2026-10-24T22:00", "2026-10-25T23:00", "2026-10-26T23:00"],
    ),
    ("America/New_York", "2026-03-08T05:00", "2026-03-09T04:00", ["2026-03-08T05:00", "2026-03-09T04:00"]),
    ("America/Santiago", "2026-09-06T03:59:59.999", "2026-09-06T04:00", ["2026-09-05T04:00", "2026-09-06T04:00"]),
    ("America/Havana", "2026-11-01T04:00", "2026-11-02T05:00", ["2026-11-01T04:00", "2026-11-02T05:00"]),
    ("Asia/Kathmandu", "2026-11-20T12:00", "2026-11-20T12:00", ["2026-11-19T18:15"]),
]


@pytest.mark.parametrize(("zone", "first", "last", "starts"), DAYS)
def test_days_begin_when_the_clocks_of_the_zone_say_so(zone: str, first: str, last: str, starts: list[str]) -> None:
    found = period_starts_ms(ms(first), ms(last), "day", zone)
    assert [iso_ms(each) for each in found[:-1]] == [iso_ms(ms(each)) for each in starts]
    assert found[-1] > ms(last)


def test_a_local_time_that_is_passed_over_is_the_moment_of_the_jump() -> None:
    """Berlin goes from 02:00 to 03:00 on 2026-03-29, which is 01:00 UTC."""
    assert iso_ms(local_to_ms(datetime(2026, 3, 29, 2), ZoneInfo("Europe/Berlin"))) == "2026-03-29T01:00:00.000Z"  # noqa: DTZ001 # the zone is the other argument


def test_a_local_time_that_is_shown_twice_is_the_first() -> None:
    assert iso_ms(local_to_ms(datetime(2026, 10, 25, 2), ZoneInfo("Europe/Berlin"))) == "2026-10-25T00:00:00.000Z"  # noqa: DTZ001 # the zone is the other argument

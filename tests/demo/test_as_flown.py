"""Flights are moved by whole weeks of New York, whatever its clocks show."""

from pathlib import Path

from harness.servers.child import run_child

ROOT = Path(__file__).parents[2]
MOVED = """
    import sys
    from datetime import UTC, date, datetime
    from demo.as_flown import compute_shift, count_weeks_to_last
    from demo.flights import NEW_YORK, Flight
    moment = datetime(2013, 12, 31, 23, 30, tzinfo=NEW_YORK).astimezone(UTC)  # on a Tuesday
    for day in sys.argv[1:]:
        moved = moment + compute_shift(Flight(moment, "N1", {}), count_weeks_to_last(moment, date.fromisoformat(day)))
        print(moved.astimezone(NEW_YORK).isoformat(timespec="minutes"))
"""


LAST = {
    "2026-11-23": "2026-11-17T23:30-05:00",  # a Monday: the week before has just ended
    "2026-11-29": "2026-11-17T23:30-05:00",
    "2026-11-30": "2026-11-24T23:30-05:00",
    "2026-07-01": "2026-06-23T23:30-04:00",
}


def test_the_last_flight_departs_in_the_week_before_this_one() -> None:
    assert run_child(MOVED, *LAST, PYTHONPATH=str(ROOT)).stdout.split() == list(LAST.values())

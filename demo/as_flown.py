"""The flights at their own times of 2013, to ask questions whose answers stay the same: docs/howto/ask-a-question.md.

Retention always ends now. So that there is something to see, the flights of one airline are in `development` as well,
moved forward by whole weeks of New York: the last one departed last week, on its own day of the week and at its hour.
"""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import httpx

from demo.flights import NEW_YORK, Flight, read_airlines, read_flights, write_events
from demo.server import Owner, import_events, make_key, sign_up

MOVED_CARRIER = "FL"
"""The carrier whose flights are moved as well, AirTran: the file has few of them."""

WEEK = timedelta(weeks=1)


def fill_server(url: str, scratch: Path, months: int) -> Owner:
    """Fill the server; returns who owns what is there.

    Raises:
        httpx.HTTPStatusError: the server refuses a part of it.
        SystemExit: not every flight was taken.
    """
    listed_flights = list(read_flights(months))
    print(f"{len(listed_flights):,} flights from New York, at their own times in 2013.", flush=True)
    owner = sign_up(url)
    session = {"authorization": f"Bearer {owner.session}"}
    httpx.patch(f"{url}/v1/workspace", json={"timezone": str(NEW_YORK)}, headers=session).raise_for_status()
    import_events(
        url, owner, write_events(((flight, timedelta()) for flight in listed_flights), scratch / "flights.ndjson")
    )
    moved_flights = [flight for flight in listed_flights if flight.row["carrier"] == MOVED_CARRIER]
    print(
        f"{len(moved_flights):,} flights of {read_airlines()[MOVED_CARRIER]} are in development too, "
        "moved to the weeks up to the last."
    )
    week_count = count_weeks_to_last(max(flight.moment for flight in moved_flights), datetime.now(NEW_YORK).date())
    file = write_events(
        ((flight, compute_shift(flight, week_count)) for flight in moved_flights), scratch / "moved.ndjson"
    )
    import_events(url, owner._replace(key=make_key(url, owner.session, "development")), file)
    return owner


def look_around(url: str, owner: Owner) -> None:
    """Say what to paste into another terminal."""
    print(
        f"\nPaste these two lines into another terminal:\n\nexport TALLYROOM_URL={url}\n"
        f"export TALLYROOM_TOKEN={owner.session}",
        flush=True,
    )


def count_weeks_to_last(moment: datetime, today: date) -> int:
    """How many weeks later a moment is in the week before that of `today`; weeks begin on Monday."""
    return (_monday(today) - _monday(moment.astimezone(NEW_YORK).date())) // WEEK - 1


def compute_shift(flight: Flight, week_count: int) -> timedelta:
    """How much time has passed when New York's clocks show a flight's time of the week so many weeks later."""
    local_moment = flight.moment.astimezone(NEW_YORK) + week_count * WEEK
    return local_moment.astimezone(UTC) - flight.moment


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())

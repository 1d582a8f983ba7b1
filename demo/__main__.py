"""Starts a server, imports a year of flights, proves the busiest actors by hand, and lets you look around."""

import argparse
import signal
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from demo import as_flown
from demo.dashboard import Made, answers, make_dashboard
from demo.flights import Flight, busiest, flights, write_events
from demo.server import Owner, import_events, scratch_server, sign_in_path, sign_up

SHOWN = 10
COMPARED = 200
RANGE = timedelta(days=90)
TRIES = 20


def main() -> None:
    """Run the demo."""
    arguments = argparse.ArgumentParser(prog="make demo", description=__doc__)
    arguments.add_argument("--once", action="store_true", help="end after the check")
    arguments.add_argument("--months", type=int, default=12, choices=range(1, 13), help="only the last months of 2013")
    arguments.add_argument("--as-flown", action="store_true", help="leave the flights in 2013; has no dashboard")
    chosen = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # clean up then, too
    with tempfile.TemporaryDirectory(prefix="tallyroom-demo-") as scratch:
        try:
            with scratch_server(Path(scratch) / "data") as url:
                if chosen.as_flown:
                    as_flown.look_around(url, as_flown.fill(url, Path(scratch), chosen.months))
                else:
                    owner, made = show(url, Path(scratch), chosen.months)
                    if not chosen.once:
                        look_around(url, owner, made)
                if not chosen.once:
                    print("\nThe server runs until you press Ctrl-C, and then removes its data.", flush=True)
                    signal.pause()
        except KeyboardInterrupt:
            print("\nThe server is stopped and its data removed. `make run` starts one that stays.")


def show(url: str, scratch: Path, months: int) -> tuple[Owner, Made]:
    """Fill the server and prove the numbers; returns who owns what is there, and the dashboard."""
    listed = list(flights(months))
    departed = sum(flight.departed for flight in listed)
    shift = datetime.now(UTC) - max(flight.moment for flight in listed)
    print(
        f"{len(listed):,} flights from New York in 2013: {departed:,} departed; {len(listed) - departed:,} were"
        " cancelled and stand\nat their scheduled time. Each time is converted from New York's to UTC and moved forward"
        f" by {shift.days:,} days\nand {shift.seconds // 60:,} minutes, so that the last departure is now.",
        flush=True,
    )
    owner = sign_up(url)
    import_events(url, owner, write_events(((flight, shift) for flight in listed), scratch / "flights.ndjson"))
    prove(url, owner, listed, shift)
    made = make_dashboard(url, owner)
    tell(answers(url, made))
    return owner, made


def look_around(url: str, owner: Owner, made: Made) -> None:
    """Say where to look, as long as the server runs."""
    here = url.replace("127.0.0.1", "localhost")  # so that its cookie leaves a server at 127.0.0.1 signed in
    print(
        f"\n  open        {here}{sign_in_path(url, owner, made.page)}\n"
        "              signs you in and shows the dashboard: once, within ten minutes"
        f"\n  as JSON     {here}{made.path}\n  in public   {here}{made.public_page}"
        f"\n  sign in     {owner.email}  {owner.password}\n  API key     {owner.key}",
        flush=True,
    )


def tell(shown: dict[str, Any]) -> None:
    """Print a few answers of the dashboard."""
    departures = shown["At a glance"]["items"][0]["value"]
    steps = [step["count"] for step in shown["Back in the air after a cancellation"]["steps"]]
    print(
        f"\nA dashboard has {len(shown)} widgets. In 90 days {departures:,} flights departed.\nOf {steps[0]:,} aircraft"
        f" with a cancelled flight, {steps[1]:,} flew within 72 hours, and {steps[2]:,} were then on time within 72."
    )


def prove(url: str, owner: Owner, listed: list[Flight], shift: timedelta) -> None:
    """Print the busiest aircraft of the last 90 days, and compare 200 of them with a count over the rows of the file.

    Raises:
        SystemExit: they differ.
    """
    for _ in range(TRIES):
        before = datetime.now(UTC) - shift
        query: dict[str, str | int] = {"timeRange": "90d", "limit": COMPARED}
        answer = httpx.get(f"{url}/v1/actors", params=query, headers={"authorization": f"Bearer {owner.key}"})
        after = datetime.now(UTC) - shift
        expected = busiest(listed, before - RANGE, before)[:COMPARED]
        if expected == busiest(listed, after - RANGE, after)[:COMPARED]:
            break  # no flight left the window while the server counted
        time.sleep(0.5)
    actors = answer.raise_for_status().json()["actors"]
    print("\nThe busiest aircraft of the last 90 days, cancelled flights included:\n")
    for actor in actors[:SHOWN]:
        print(f"  {actor['eventCount']:>4}  {actor['label']}")
    if [(actor["actorKey"], actor["eventCount"]) for actor in actors] != expected:
        raise SystemExit("\nThese are not equal to a plain count over the rows of the file.")
    print(f"\nThe first {len(actors)} are equal to a plain count over the rows of the file.")


if __name__ == "__main__":
    main()

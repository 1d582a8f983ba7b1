"""Several servers at one address: each may be killed or replaced, and nothing is lost, and nothing counts twice."""

import itertools
import json
import os
import re
import signal
import time
from random import Random

import httpx
import pytest

from harness.clients.load import BROKEN, Load
from harness.clients.stream_client import Follower
from harness.servers.events_server import FrontServer
from harness.servers.host import account, acked, children, serving
from harness.servers.site import MakeHost, Site
from harness.suite.patience import PATIENCE, wait_until


def kill_again_and_again(site: Site, workers: int, kills: int) -> Load:
    chance = Random(site.seed)
    load = site.load(pause=0.02, largest=20)
    load.wait_for(202, 10)
    for _ in range(kills):
        wait_until(lambda: children(site))
        os.kill(chance.choice(children(site)), signal.SIGKILL)
        time.sleep(chance.uniform(0.0, 1.0))
        load.wait_for(202)
    wait_until(lambda: len(serving(site)) == workers)
    load.wait_for(202, 20)
    return load


def replace_each(site: Site, load: Load) -> None:
    """A client that tries again, as SDKs do, notices nothing."""
    before, said = set(children(site)), "each worker was replaced"
    rounds = site.server.text().count(said)
    site.server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: site.server.text().count(said) > rounds)
    assert not before & set(children(site))
    load.wait_for(202, 20)


def ask_after_each_event(site: Site) -> None:
    """Whichever worker takes an event, and whichever is asked, the event is counted."""
    spools = list((site.data / "workers").glob("*/spool.sqlite"))
    for number in itertools.count(1):
        actor = f"own-{number}"
        site.ledger.send([actor])
        assert site.workspace.send({"name": "opened", "_actor": actor}).status_code == 202
        site.ledger.ack([actor])
        assert site.count_of("opened") == number
        if number >= 20 and all(acked(spool) > 2 for spool in spools):
            return


def numbers_of_all(site: Site) -> dict[str, dict[str, float]]:
    """What the parent tells: of each name, the number of each spool or worker."""
    text = httpx.get(f"http://127.0.0.1:{site.settings['metrics_port']}/metrics", timeout=PATIENCE).text
    found: dict[str, dict[str, float]] = {}
    for name, labels, number in re.findall(r"^tallyroom_(\w+)\{(.*)\} (\S+)$", text, re.MULTILINE):
        (which,) = re.findall(r'(?:spool|worker)="(\w+)"', labels)
        by = found.setdefault(name, {})
        assert which not in by or name == "http_responses_total", f"{name} of {which} is there twice"
        by[which] = float(number)
    return found


def each_is_told_of(site: Site) -> None:
    """The parent tells what each worker tells, and how each is."""
    wait_until(lambda: numbers_of_all(site)["worker_up"] == {"0": 1, "1": 1})
    numbers = numbers_of_all(site)
    assert sum(numbers.pop("worker_restarts_total").values()) == 2
    del numbers["worker_up"], numbers["http_responses_total"]
    spools = set(numbers["worker_info"])
    assert len(spools) == 2
    assert {name for name, by in numbers.items() if set(by) != spools} == set()
    own = httpx.get(f"{site.server.url}/metrics").text
    told = set(re.findall(r"^tallyroom_(\w+)", own, re.MULTILINE))
    assert told - {"http_responses_total"} == set(numbers)  # a worker that has just started has no answer to count


@pytest.mark.long
def test_workers_are_killed_and_replaced_under_load(make_host: MakeHost) -> None:
    site = make_host(2)
    ask_after_each_event(site)
    load = kill_again_and_again(site, 2, 2)
    replace_each(site, load)
    each_is_told_of(site)
    account(site, 2, load)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_two_hundred_kills_of_random_workers(make_host: MakeHost) -> None:
    site = make_host(4)
    load = kill_again_and_again(site, 4, 200)
    account(site, 4, load)
    assert load.statuses[BROKEN], "the kills hit nobody"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_four_workers_are_replaced_five_times(make_host: MakeHost) -> None:
    site = make_host(4)
    load = site.load(pause=0.02, largest=20)
    for _ in range(5):
        replace_each(site, load)
    account(site, 4, load)


@pytest.mark.long
def test_a_host_goes_on_with_fewer_workers(make_host: MakeHost, events_server: FrontServer) -> None:
    """What the others have in their spools is delivered all the same."""
    site = make_host(2)
    load = site.load(pause=0.02, largest=20)
    events_server.halt(halted=True)
    load.wait_for(202, 20)
    load.begin_no_more()
    site.server.process.send_signal(signal.SIGSTOP)
    for child in children(site):
        os.kill(child, signal.SIGKILL)
    site.server.kill()
    events_server.halt(halted=False)
    site.server.output.clear()
    site.start(workers="1")
    account(site, 2, load)


@pytest.mark.long
def test_a_worker_that_serves_no_more_erases_what_came_through_it(make_host: MakeHost) -> None:
    site = make_host(2)
    for _ in range(20):
        assert site.workspace.send({"name": "opened", "_actor": "ann"}).status_code == 202
    assert site.server.stop() == 0
    site.server.output.clear()
    site.start(workers="1")
    wait_until(lambda: len(serving(site)) == 2)
    with site.workspace.client() as client:
        erased = client.delete("/v1/actors/ann")
    assert (erased.status_code, erased.json()["erased"]) == (200, 20)


@pytest.mark.long
def test_what_one_worker_takes_away_no_other_shows(make_host: MakeHost) -> None:
    """Each request comes on a connection of its own, and so to any of the workers."""
    site = make_host(3)
    workspace, actors = site.workspace, [f"actor-{number}" for number in range(30)]
    for actor in actors:
        assert workspace.send({"name": "opened", "_actor": actor}).status_code == 202
    spools = list((site.data / "workers").glob("*/spool.sqlite"))
    assert all(acked(spool) for spool in spools), "not every worker has taken an event"

    def shown() -> list[str]:
        return sorted(event["actorKey"] for event in workspace.get("/v1/events", limit=200).json()["events"])

    def exported() -> list[str]:
        answer = workspace.get("/v1/export", environment="production", format="ndjson")
        assert answer.status_code == 200, answer.text
        return sorted(json.loads(line)["_actor"] for line in answer.text.splitlines())

    assert exported() == sorted(actors)
    for _ in range(10):
        [hidden, *_] = workspace.get("/v1/events", limit=1).json()["events"]
        with workspace.client() as client:
            assert client.post(f"/v1/events/{hidden['id']}/hide").status_code in {200, 204}
        actors.remove(hidden["actorKey"])
        assert shown() == sorted(actors)
        with workspace.client() as client:
            erased = client.delete(f"/v1/actors/{actors[0]}")
        assert (erased.status_code, erased.json()) == (200, {"erased": 1})
        del actors[0]
        assert [shown() for _ in range(4)] == [sorted(actors)] * 4
        assert site.count_of("opened") == len(actors)
    assert len(exported()) == len(actors), "hidden events are not exported"
    os.kill(children(site)[0], signal.SIGKILL)
    with workspace.client() as client:
        while (answer := client.delete(f"/v1/actors/{actors[0]}")).status_code == 503:
            assert "Some workers are still erasing" in answer.text
    assert answer.status_code == 200
    assert shown() == sorted(actors[1:])


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_streams_miss_nothing_and_repeat_nothing_while_workers_are_killed(make_host: MakeHost) -> None:
    site = make_host(4)
    followers = [Follower(site.workspace).start() for _ in range(4)]
    load = kill_again_and_again(site, 4, 40)
    load.finish()
    for follower in followers:
        wait_until(lambda follower=follower: site.ledger.acknowledged() <= follower.heard.keys())  # type: ignore[misc] # bound now
        follower.finish()
        site.ledger.check_actors(follower.heard)
    assert max(follower.times for follower in followers) > 1, "the kills hit nobody"
    account(site, 4, load)

"""402: the free plan's monthly cap is exact, also under forty clients (rules/people#monthly-cap)."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.clients.burst import burst, post_request
from harness.clients.workspace import Workspace, fresh_ip, sign_up
from harness.oracles.refusal import refused
from harness.servers.server import Server

OK = {"name": "ok", "_actor": "a"}


@pytest.mark.long
def test_402_at_the_cap(free: Workspace) -> None:
    assert free.send({"events": [OK] * 99}).json() == {"accepted": 99}
    refused(free, {"events": [OK] * 2}, 402)  # would pass the cap: refused whole
    assert free.send(OK).json() == {"accepted": 1}
    refused(free, OK, 402)
    refused(free, {"events": [OK]}, 402)
    refused(free, OK, 402, key=free.make_key("development")[0])  # the cap is the workspace's
    assert sign_up(free.url).send(OK).status_code == 202  # and nobody else's


def test_402_a_batch_over_the_whole_cap(free: Workspace) -> None:
    refused(free, {"events": [OK] * 101}, 402)
    assert free.send({"events": [OK] * 100}).json() == {"accepted": 100}


def test_402_refused_requests_do_not_count(free: Workspace) -> None:
    for _ in range(20):
        refused(free, {"events": [OK] * 99 + [{"name": ""}]}, 400)
    assert free.send({"events": [OK] * 100}).json() == {"accepted": 100}


def test_402_forty_clients_race_for_a_hundred_events(tight_server: Server, free: Workspace) -> None:
    ips = [fresh_ip() for _ in range(40)]
    answers = burst(tight_server.port, [post_request(free, OK, ip=ips[turn % 40]) for turn in range(200)], 40)
    assert sorted(answer.status for answer in answers) == [202] * 100 + [402] * 100
    assert free.get("/v1/actors").json()["actors"][0]["eventCount"] == 100


def test_402_racing_batches_are_taken_whole_or_not_at_all(free: Workspace) -> None:
    with ThreadPoolExecutor(40) as threads:
        answers = list(threads.map(lambda _: free.send({"events": [OK] * 7}), range(40)))
    assert sorted(answer.status_code for answer in answers) == [202] * 14 + [402] * 26
    assert free.get("/v1/actors").json()["actors"][0]["eventCount"] == 98

"""429 (rules/events#rate), and which refusal comes first when several would do (rules/events#order-of-refusal)."""

import itertools
import json
from collections import Counter
from typing import Any

import pytest

from harness.clients.burst import burst, post_request
from harness.clients.server_counts import acked
from harness.clients.workspace import Workspace, fresh_ip, sign_up
from harness.oracles.refusal import check_refusal, refused
from harness.servers.server import Server
from harness.suite.few import few

BODY = 2_097_152
RATE = 200  # of the tight server
CAP = 100

OK = {"name": "x", "_actor": "a"}

# Everything that can be wrong with a request at once, in the order in which it is refused.
ORDER = [
    ("rate", 429),
    ("key", 401),
    ("type", 415),
    ("encoding", 415),
    ("body", 413),
    ("json", 400),
    ("count", 413),
    ("field", 400),
    ("cap", 402),
]
SENTENCES = {"json": "JSON", "count": "501 events", "field": "_oops", "body": "larger than"}


@pytest.fixture(scope="module")
def unused(tight_server: Server) -> Workspace:
    """A workspace far from its cap; nothing that these tests send to it is kept."""
    return sign_up(tight_server.url)


@pytest.fixture(scope="module")
def used_up(tight_server: Server) -> tuple[Workspace, str]:
    """A workspace that has reached its cap, and an IP that has reached the rate."""
    workspace = sign_up(tight_server.url)
    assert workspace.send({"events": [OK] * CAP}).status_code == 202
    ip = fresh_ip()
    burst(tight_server.port, [post_request(workspace, OK, key="x", ip=ip)] * RATE, 4)
    return workspace, ip


def sent_with(faults: tuple[str, ...]) -> bytes:
    events: list[Any] = [OK] * (501 if "count" in faults else 1)
    if "field" in faults:
        events = [OK | {"_oops": 1}, *events[1:]]
    body = json.dumps({"events": events}).encode()
    if "json" in faults:
        body = body[:-1] + b"!"
    return body.ljust(BODY + 1) if "body" in faults else body


def faults_at_once() -> list[tuple[str, ...]]:
    names = [name for name, _ in ORDER]
    tails = [tuple(names[start:]) for start in range(len(names))]  # everything from here on is wrong
    return [*itertools.combinations(names, 2), *tails]


@few(4, "faults", faults_at_once(), ids="+".join)
def test_the_first_fault_is_told(used_up: tuple[Workspace, str], unused: Workspace, faults: tuple[str, ...]) -> None:
    capped, slow_ip = used_up
    workspace = capped if "cap" in faults else unused
    headers = {"x-forwarded-for": slow_ip if "rate" in faults else fresh_ip()}
    if "type" in faults:
        headers["content-type"] = "text/plain"
    if "encoding" in faults:
        headers["content-encoding"] = "br"
    key = "tr_live_wrong" if "key" in faults else workspace.key
    body = refused(workspace, sent_with(faults), dict(ORDER)[faults[0]], key=key, headers=headers)
    assert SENTENCES.get(faults[0], "") in body["message"]


@pytest.mark.long
def test_429_after_exactly_6000_requests(server: Server, workspace: Workspace) -> None:
    request = post_request(workspace, OK)
    answers = burst(server.port, [request] * 6050, 10)
    assert Counter(answer.status for answer in answers) == {202: 6000, 429: 50}
    assert workspace.get("/v1/actors").json()["actors"][0]["eventCount"] == 6000

    refused(workspace, OK, 429)
    assert workspace.send(OK, headers={"x-forwarded-for": fresh_ip()}).status_code == 202
    assert workspace.get("/v1/actors").status_code == 200  # only ingest is limited
    other = sign_up(server.url)
    assert other.send(OK).status_code == 202
    refused(other, OK, 429, headers={"x-forwarded-for": workspace.ip})  # the limit is the IP's, not the key's


def test_429_says_when_to_come_back(tight_server: Server, free: Workspace) -> None:
    burst(tight_server.port, [post_request(free, OK, key="x")] * RATE, 4)
    answer = free.send(OK)
    check_refusal(answer, 429)
    wait = int(answer.headers["retry-after"])
    assert 1 <= wait <= 61
    assert answer.headers["ratelimit-policy"] == f'"ingest";q={RATE};w=60'
    assert answer.headers["ratelimit"] == f'"ingest";r=0;t={wait}'


@pytest.mark.parametrize("body", [b"{", {"events": []}, b" " * (BODY + 1), {"name": "x" * 70_000}])
def test_429_counts_refused_requests_too(tight_server: Server, free: Workspace, body: Any) -> None:
    burst(tight_server.port, [post_request(free, OK, key="x")] * (RATE - 1), 4)
    assert free.send(body).status_code in {400, 413}
    refused(free, OK, 429)


def test_429_many_clients_at_once_never_pass_the_limit(tight_server: Server, free: Workspace) -> None:
    before = acked(tight_server.url)
    some = {"events": [{"name": "x"}] * 2}
    answers = burst(tight_server.port, [post_request(free, some)] * (2 * RATE), 40)
    assert Counter(answer.status for answer in answers) == {202: 50, 402: 150, 429: 200}
    assert acked(tight_server.url) - before == CAP


@pytest.mark.parametrize(
    ("forwarded", "limited"),
    [
        ("{ip}", True),
        ("{ip}:4711", True),
        ("::ffff:{ip}", True),
        ("203.0.113.9, {ip}", True),  # what stands left of the client is the client's own claim
        ("{ip}, 127.0.0.2", True),  # a second trusted proxy
        ("{ip}, 203.0.113.9", False),
    ],
)
def test_429_the_client_is_the_first_untrusted_hop(
    used_up: tuple[Workspace, str],
    forwarded: str,
    limited: bool,
) -> None:
    workspace, ip = used_up
    answer = workspace.send(OK, key="x", headers={"x-forwarded-for": forwarded.format(ip=ip)})
    assert answer.status_code == (429 if limited else 401)

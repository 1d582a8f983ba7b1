"""A host stops while ClickHouse is away: the proxy in front of both hosts sends everybody to the other one."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from harness.servers.cluster import Cluster
from harness.servers.cluster_outages import events_away
from harness.servers.network import Loopback
from harness.servers.proxy import Proxy

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

SLOW_SECONDS = 5.0
"""Longer than any answer may take, and shorter than a host takes to stop with events in its spool."""


@pytest.fixture
def cluster(tmp_path: Path, seed: int) -> Iterator[Cluster]:
    with ExitStack() as stack:
        made = Cluster(stack, tmp_path, seed, Loopback(), workers=(1, 1))
        made.begin()
        yield made


@pytest.fixture
def proxy(cluster: Cluster, tmp_path: Path) -> Iterator[Proxy]:
    folder = tmp_path / "proxy"
    folder.mkdir()
    made = Proxy("nginx", folder)  # what others do: docs/howto/proxies.md
    with made.running(*(f"{host.node.address}:{host.server.port}" for host in cluster.hosts)):
        yield made


class Answer(NamedTuple):
    """An answer through the proxy: when its request was sent, in seconds since the stop began, and how long it took."""

    sent: float
    status: int
    seconds: float


def send(cluster: Cluster, proxy: Proxy, goes_on: Callable[[int], bool]) -> list[Answer]:
    """Send events through the proxy, each once, for as long as the number of answers says."""
    answers: list[Answer] = []
    stop_began = time.monotonic()
    with proxy.client(authorization=f"Bearer {cluster.workspace.key}") as client:
        while goes_on(len(answers)):
            actor, sent = f"through-{stop_began}-{len(answers)}", time.monotonic()
            cluster.ledger.send([actor])
            status = client.post("/v1/events", json={"name": "opened", "_actor": actor}).status_code
            if status == 202:
                cluster.ledger.ack([actor])
            answers.append(Answer(sent - stop_began, status, time.monotonic() - sent))
            time.sleep(0.02)
    return answers


def test_requests_go_to_the_other_host_and_nobody_waits(cluster: Cluster, proxy: Proxy) -> None:
    """What is sent on an open connection in the moment in which the host closes it may get a 502 of the proxy."""
    server = cluster.hosts[0].server
    with events_away(cluster):
        server.process.send_signal(signal.SIGTERM)
        answers = send(cluster, proxy, lambda _: server.process.poll() is None)
    assert len(answers) > 100
    assert {answer.status for answer in answers} <= {202, 502}
    assert {answer.status for answer in answers if answer.sent > 1} == {202}
    assert max(answer.seconds for answer in answers) < SLOW_SECONDS
    assert server.wait() == 0
    server.start()
    cluster.account()

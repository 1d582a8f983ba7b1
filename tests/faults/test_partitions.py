"""Links between hosts and servers are cut: what docs/howto/scale.md says happens, and nothing is lost or counted twice."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from harness.clients.server_counts import measured
from harness.clients.visitors import ASK, WELL
from harness.servers.cluster import Cluster, Host
from harness.servers.network import Network, Node, network
from harness.suite.patience import PATIENCE, wait_until

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

SECONDS = 20.0
"""How long a link is cut at least."""

MakeCluster = Callable[..., Cluster]


@pytest.fixture
def links() -> Iterator[Network]:
    """Where hosts and servers are."""
    with network() as made:
        yield made


@pytest.fixture
def make_cluster(tmp_path: Path, seed: int, links: Network) -> Iterator[MakeCluster]:
    with ExitStack() as stack:
        yield lambda **options: Cluster(stack, tmp_path, seed, links, **options)


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    """Hosts whom everybody uses."""
    made = make_cluster()
    made.begin()
    return made


def ways(one: Node, other: Node) -> list[list[tuple[Node, Node]]]:
    """What may be lost between two nodes: all that one of them sends, or the other, or both."""
    there, back = (one, other), (other, one)
    return [[there], [back], [there, back]]


def rest_of(seconds: float, began: float) -> None:
    time.sleep(max(0.0, began + seconds - time.monotonic()))


def ready(host: Host) -> int:
    return httpx.get(f"{host.server.url}/readyz", timeout=PATIENCE, verify=False).status_code


def said(host: Host, what: str, times: int) -> None:
    """Return when a host has logged something so often."""
    wait_until(lambda: host.server.text().count(what) >= times)


def test_a_host_is_cut_off_from_the_database(cluster: Cluster, links: Network) -> None:
    victim, *others = cluster.hosts
    for lost in ways(victim.node, cluster.database):
        began = time.monotonic()
        with cluster.change_held_at(victim), links.cut(*lost):
            for host in others:
                host.are_well()
            victim.keyless.wait_for(503, 2)
            accepted = victim.keyless.statuses[202]
            victim.visitors.are_refused()
            assert ready(victim) == 503
            victim.keyless.wait_for(503, 2)
            assert victim.keyless.statuses[202] == accepted, "a host that knows nothing has accepted something"
            for host in others:
                host.are_well()
            rest_of(SECONDS, began)
        cluster.are_well()
        wait_until(lambda: [ready(host) for host in cluster.hosts] == [200] * 3)
    for host in others:
        assert set(host.keyless.statuses) == {202}, "hosts that were not cut off have refused events"
    cluster.account()


def test_a_host_is_cut_off_from_the_events(cluster: Cluster, links: Network) -> None:
    victim, *others = cluster.hosts
    for lost in ways(victim.node, cluster.events):
        began = time.monotonic()
        with links.cut(*lost):
            victim.visitors.are_answered(WELL | {ASK: 503})
            victim.keyless.wait_for(202, 20)
            for host in others:
                host.are_well()
            rest_of(SECONDS, began)
            victim.visitors.are_answered(WELL | {ASK: 503})
        cluster.are_well()
    for host in cluster.hosts:
        assert set(host.keyless.statuses) == {202}
    cluster.account()


def test_a_host_is_cut_off_from_the_limits(cluster: Cluster, links: Network) -> None:
    victim, *_ = cluster.hosts
    for number, lost in enumerate(ways(victim.node, cluster.limits), start=1):
        began = time.monotonic()
        with links.cut(*lost):
            said(victim, "limits server is unreachable", number)
            cluster.are_well()
            rest_of(SECONDS, began)
            cluster.are_well()
        said(victim, "limits server is back", number)
    for host in cluster.hosts:
        assert set(host.keyless.statuses) == {202}, "somebody was refused for that reason"
    assert set(cluster.keyed.statuses) <= {202, 409}
    cluster.account()


def test_a_host_is_cut_off_from_everything(cluster: Cluster, links: Network) -> None:
    victim, *others = cluster.hosts
    for _ in range(2):
        began = time.monotonic()
        with links.unplugged(victim.node):
            for host in others:
                host.are_well()
            cluster.keyed.wait_for(202, 20)
            rest_of(SECONDS, began)
            for host in others:
                host.are_well()
        cluster.are_well()
    for host in others:
        assert set(host.keyless.statuses) == {202}, "hosts that were not cut off have refused events"
    cluster.account()


def test_the_clock_of_a_host_is_an_hour_behind(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(words={2: behind("-1h")})
    *others, victim = cluster.hosts
    cluster.begin()
    wait_until(lambda: ready(victim) == 503)
    assert [ready(host) for host in others] == [200, 200]
    assert -3700 < measured(victim.server.url, "clock_ahead_seconds") < -3500
    cluster.are_well()
    for host in cluster.hosts:
        assert set(host.keyless.statuses) == {202}
    cluster.account()


def behind(offset: str) -> list[str]:
    """The words before a command by which its clock is not the machine's."""
    found = [*Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")]
    if not found:
        pytest.skip("there is no libfaketime (apt install faketime)")
    return ["env", f"LD_PRELOAD={found[0]}", f"FAKETIME={offset}", "FAKETIME_DONT_FAKE_MONOTONIC=1"]

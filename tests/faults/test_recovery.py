"""Each fault of docs/howto/scale.md alone: how long after its end until everybody gets things done again is printed."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from harness.servers.cluster import Cluster
from harness.servers.cluster_outages import OUTAGES, Outage
from harness.servers.network import Network, network
from harness.suite.patience import wait_until

Fault = Callable[[Cluster], Callable[[], None] | None]
"""Causes a fault and ends it; may return how to wait for what else has to come right."""

SECONDS = 10.0
"""How long an outage lasts: longer than what a worker trusts without PostgreSQL."""

PAUSE_SECONDS = 3.0
"""Between two faults."""

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


@pytest.fixture
def links() -> Iterator[Network]:
    with network() as links:
        yield links


@pytest.fixture
def cluster(tmp_path: Path, seed: int, links: Network) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path, seed, links, workers=(2, 2))


def send_to_one(cluster: Cluster, number: signal.Signals) -> None:
    os.kill(cluster.hosts[0].worker_pids()[0], number)


def send_to_all(cluster: Cluster, number: signal.Signals) -> None:
    for pid in cluster.hosts[0].worker_pids():
        os.kill(pid, number)


def replace_workers(cluster: Cluster) -> None:
    cluster.hosts[0].server.process.send_signal(signal.SIGHUP)


def kill_host(cluster: Cluster) -> None:
    host = cluster.hosts[0]
    pids = host.worker_pids()
    host.server.kill()
    for pid in pids:
        with suppress(ProcessLookupError):  # it may have seen that its parent is gone
            os.kill(pid, signal.SIGKILL)
    time.sleep(SECONDS)


def restart_host(cluster: Cluster) -> None:
    """Kill a host, and start it when the leases of its workers have ended."""
    kill_host(cluster)
    cluster.hosts[0].server.start()


def erase_while_a_host_is_away(cluster: Cluster) -> Callable[[], None]:
    """Ask for an erasure that has to wait for a host, and start the host; returns how to wait for the erasure."""
    kill_host(cluster)

    def erase() -> int:
        with cluster.workspace.client() as client:
            return client.delete(f"{cluster.hosts[1].server.url}/v1/actors/nobody").status_code

    assert erase() == 503
    cluster.hosts[0].server.start()
    return lambda: wait_until(lambda: erase() != 503)


def kill_during(outage: Outage) -> Callable[[Cluster], None]:
    """Let a server be away, and kill all workers of a host meanwhile."""

    def kill(cluster: Cluster) -> None:
        with outage(cluster):
            time.sleep(SECONDS / 2)
            send_to_all(cluster, signal.SIGKILL)
            time.sleep(SECONDS / 2)

    return kill


def outlast(outage: Outage) -> Callable[[Cluster], None]:
    def wait(cluster: Cluster) -> None:
        with outage(cluster):
            time.sleep(SECONDS)

    return wait


def cut_off_from(server: str, links: Network) -> Callable[[Cluster], None]:
    def cut(cluster: Cluster) -> None:
        host, node = cluster.hosts[0].node, getattr(cluster, server)
        with links.cut((host, node), (node, host)):
            time.sleep(SECONDS)

    return cut


def test_each_fault_alone(cluster: Cluster, links: Network) -> None:
    outages = [outage for kinds in OUTAGES.values() for outage in kinds]
    faults: dict[str, Fault] = {
        "nothing": lambda _: None,
        "a worker is killed": lambda cluster: send_to_one(cluster, signal.SIGKILL),
        "a worker hangs": lambda cluster: send_to_one(cluster, signal.SIGSTOP),
        "both workers of a host are killed": lambda cluster: send_to_all(cluster, signal.SIGKILL),
        "all workers of a host are replaced": replace_workers,
        "a host is lost and started again": restart_host,
        "an actor is erased while a host is away": erase_while_a_host_is_away,
        **{outage.__name__: outlast(outage) for outage in outages},
        **{f"{outage.__name__}, workers killed meanwhile": kill_during(outage) for outage in outages},
        **{
            f"a host is cut off from {server}": cut_off_from(server, links)
            for server in ("events", "database", "limits")
        },
    }
    cluster.begin()
    for fault, cause in faults.items():
        wait_for_more = cause(cluster)
        began = time.monotonic()
        cluster.are_well()
        if wait_for_more:
            wait_for_more()
        sys.stdout.write(f"{fault}: well {time.monotonic() - began:.1f} s after its end\n")
        sys.stdout.flush()
        time.sleep(PAUSE_SECONDS)
    cluster.account()

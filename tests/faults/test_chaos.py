"""Two hosts of two workers while anything fails, alone and together: nothing is lost, doubled or left to an operator.

What is killed are workers; the end of a parent is the business of whoever started it. Each round begins with a new alert
and a request to send a digest; the one message and the one mail of it have to arrive. How long it takes from a repair
until everybody is well again is printed, and for the slowest rounds, what happened how many seconds before the repair.
"""

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from random import Random

import pytest

from harness.servers.cluster import Cluster
from harness.servers.cluster_messages import ClusterMessages, sending_settings
from harness.servers.cluster_outages import OUTAGES
from harness.servers.mailbox import Mailbox
from harness.servers.network import Loopback, Network, Node, network
from harness.servers.receiver import Receiver


class Chaos:
    """What may happen to a cluster.

    Args:
        cluster: the hosts and their servers.
        links: where they are; links can be cut in a network.
        chance: decides what happens.

    Attributes:
        happened: how often each thing has happened.
        faults: what has happened in this round, and when.
    """

    def __init__(self, cluster: Cluster, links: Network | Loopback, chance: Random) -> None:
        self.happened: Counter[str] = Counter()
        self.faults: list[tuple[float, str]] = []
        self._cluster = cluster
        self._links = links
        self._chance = chance

    def outages(self) -> ExitStack:
        """Begin a round: let one server, or several, be away or hang, until the block ends."""
        self.faults = []
        stack = ExitStack()
        for server in self._chance.sample(sorted(OUTAGES), self._chance.choice([0, 1, 1, 1, 2, 3])):
            outage = self._chance.choice(OUTAGES[server])
            self._note(outage.__name__)
            stack.enter_context(outage(self._cluster))
        if isinstance(self._links, Network) and self._chance.random() < 0.5:
            stack.enter_context(self._links.cut(*self._partition()))
        return stack

    def _partition(self) -> list[tuple[Node, Node]]:
        """What is lost between a host and a server or the other host: all that one of them sends, or both."""
        host, other = self._chance.sample([host.node for host in self._cluster.hosts], 2)
        far = self._chance.choice([other, self._cluster.database, self._cluster.events, self._cluster.limits])
        self._note("partition")
        there, back = (host, far), (far, host)
        return self._chance.choice([[there], [back], [there, back]])

    def disturb(self) -> None:
        """Kill a worker or the process in reserve, let one hang, or have all of a host replaced."""
        host = self._chance.choice(self._cluster.hosts)
        do = self._chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP, signal.SIGHUP])
        self._note(do.name)
        if do == signal.SIGHUP:
            host.server.process.send_signal(do)
        elif children := host.child_pids():
            os.kill(self._chance.choice(children), do)

    def faults_before(self, moment: float) -> str:
        """What has happened in this round, and how many seconds before a moment."""
        return ", ".join(f"{what} {moment - at:.1f}" for at, what in self.faults)

    def _note(self, what: str) -> None:
        self.happened[what] += 1
        self.faults.append((time.monotonic(), what))


@pytest.fixture
def links(request: pytest.FixtureRequest) -> Iterator[Network | Loopback]:
    """Where all are: a network, or addresses of this machine."""
    with network() if request.param == "network" else nullcontext(Loopback()) as made:
        yield made


@pytest.fixture
def receiver(links: Network | Loopback) -> Iterator[Receiver]:
    with Receiver(host=links.here).running() as receiver:
        yield receiver


@pytest.fixture
def mailbox(links: Network | Loopback) -> Iterator[Mailbox]:
    with Mailbox(host=links.here).running() as mailbox:
        yield mailbox


@pytest.fixture
def cluster(tmp_path: Path, seed: int, links: Network | Loopback, mailbox: Mailbox) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path, seed, links, workers=(2, 2), **sending_settings(links.here, mailbox))


@pytest.mark.parametrize(
    ("links", "seconds"),
    [("loopback", 1), pytest.param("network", 1800, marks=pytest.mark.long)],  # the first is one round
    indirect=["links"],
)
@pytest.mark.timeout(3600)
def test_whatever_fails(
    cluster: Cluster, links: Network | Loopback, receiver: Receiver, mailbox: Mailbox, seed: int, seconds: float
) -> None:
    chance = Random(seed)
    chaos = Chaos(cluster, links, chance)
    messages = ClusterMessages(cluster, receiver, mailbox)
    cluster.begin()
    times: list[float] = []
    rounds: list[str] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        messages.cause()
        with chaos.outages():
            for _ in range(chance.randint(1, 4)):
                time.sleep(chance.uniform(0.2, 3))
                chaos.disturb()
            time.sleep(chance.uniform(0.2, 3))
        repaired_at, idle_seconds = time.monotonic(), read_idle_seconds()
        cluster.are_well()
        times.append(time.monotonic() - repaired_at)
        busy_share = 1 - (read_idle_seconds() - idle_seconds) / (times[-1] * (os.cpu_count() or 1))
        rounds.append(f"{times[-1]:4.1f} s, cores {busy_share:.0%} busy, after {chaos.faults_before(repaired_at)}")
        assert all(host.server.process.poll() is None for host in cluster.hosts), "a host has ended"
    messages.wait()
    cluster.account()
    messages.arrived_once()
    half, most, all_ = (sorted(times)[min(len(times) * share // 100, len(times) - 1)] for share in (50, 95, 100))
    sys.stdout.write(f"{len(times)} rounds: {dict(chaos.happened)}\n")
    sys.stdout.write("\n".join(sorted(rounds)[-5:]) + "\n")
    sys.stdout.write(f"well again after {half:.1f} s in half of them, {most:.1f} s in 95 %, {all_:.1f} s in all\n")


def read_idle_seconds() -> float:
    """Return for how long the machine's cores have had nothing to run since it started, in seconds of one core."""
    idle, waiting_for_disk = Path("/proc/stat").read_text(encoding="ascii").split()[4:6]
    return (int(idle) + int(waiting_for_disk)) / os.sysconf("SC_CLK_TCK")

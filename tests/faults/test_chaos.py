"""Two hosts of two workers while anything fails, alone and together: nothing is lost, doubled or left to an operator.

What is killed are workers; the end of a parent is the business of whoever started it. Each round begins with a new alert
and a request to send a digest; the one message and the one mail of it have to arrive. The longest time from a repair until everybody is well again is printed.
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
from typing import Any

import pytest

from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import make_dashboard, make_digest, make_widget
from harness.servers.cluster import Cluster
from harness.servers.cluster_outages import OUTAGES
from harness.servers.mailbox import Mailbox
from harness.servers.network import Loopback, Network, Node, network
from harness.servers.receiver import Receiver
from harness.suite.patience import wait_until

RULE = {
    "environment": "production",
    "event": "view",
    "measure": "count",
    "condition": "above",
    "threshold": 0,
    "windowMinutes": 60,
}

READER = "reader@example.com"
"""Who gets the digests; invitations go to others."""


class Chaos:
    """What may happen to a cluster.

    Args:
        cluster: the hosts and their servers.
        links: where they are; links can be cut in a network.
        chance: decides what happens.

    Attributes:
        happened: how often each thing has happened.
    """

    def __init__(self, cluster: Cluster, links: Network | Loopback, chance: Random) -> None:
        self.happened: Counter[str] = Counter()
        self._cluster = cluster
        self._links = links
        self._chance = chance

    def outages(self) -> ExitStack:
        """Begin to let one server, or several, be away or hang, until the block ends."""
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
        """Kill a worker, let one hang, or have all of a host replaced."""
        host = self._chance.choice(self._cluster.hosts)
        do = self._chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP, signal.SIGHUP])
        self._note(do.name)
        if do == signal.SIGHUP:
            host.server.process.send_signal(do)
        elif workers := host.worker_pids():
            os.kill(self._chance.choice(workers), do)

    def _note(self, what: str) -> None:
        self.happened[what] += 1


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
    settings: dict[str, Any] = {
        "outbound_allow": f"{links.here}/32",
        "outbound_http": "true",
        "alert_seconds": "1",
        "smtp_url": f"smtp://{links.here}:{mailbox.port}?starttls=never",
        "mail_from": "noreply@example.com",
    }
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path, seed, links, workers=(2, 2), **settings)


def make_alert(cluster: Cluster, name: str, channel: Any) -> str:
    with cluster.workspace.client() as client:
        made = client.post("/v1/alerts", json=RULE | {"name": name, "channelIds": [channel["id"]]})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def make_digest_of_views(cluster: Cluster) -> str:
    dashboard = make_dashboard(cluster.workspace, environment="production")
    make_widget(cluster.workspace, dashboard["id"], type="metric", config={"event": "view", "measure": "count"})
    return str(make_digest(cluster.workspace, dashboard["id"], recipients=[READER])["id"])


def send_digest(cluster: Cluster, digest_id: str) -> None:
    with cluster.workspace.client() as client:
        sending = client.post(f"/v1/digests/{digest_id}/send")
    assert sending.status_code == 202, sending.text


def message_ids(mailbox: Mailbox) -> set[str]:
    """Of the digests, one for each mail: whose acceptance a worker did not live to note comes again, with its id."""
    return {str(letter["message-id"]) for letter in list(mailbox.letters) if letter["to"] == READER}


def delivered(receiver: Receiver) -> dict[str, set[tuple[str, str]]]:
    """The messages about each alert: type and id. One whose answer was lost may come again, with its id."""
    messages: dict[str, set[tuple[str, str]]] = {}
    for request in list(receiver.requests):
        body = request.json
        messages.setdefault(body["data"]["alertId"], set()).add((body["type"], request.headers["webhook-id"]))
    return messages


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
    channel = make_channel(cluster.workspace, type="webhook", destination=f"{receiver.url}/hook")
    digest_id = make_digest_of_views(cluster)
    cluster.begin()
    alerts, longest, end = [], 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        alerts.append(make_alert(cluster, f"Round {len(alerts)}", channel))
        send_digest(cluster, digest_id)
        with chaos.outages():
            for _ in range(chance.randint(1, 4)):
                time.sleep(chance.uniform(0.2, 3))
                chaos.disturb()
            time.sleep(chance.uniform(0.2, 3))
        repaired_at = time.monotonic()
        cluster.are_well()
        longest = max(longest, time.monotonic() - repaired_at)
        assert all(host.server.process.poll() is None for host in cluster.hosts), "a host has ended"
    wait_until(lambda: set(delivered(receiver)) == set(alerts))
    wait_until(lambda: len(message_ids(mailbox)) >= len(alerts))
    cluster.account()
    assert {alert: len(messages) for alert, messages in delivered(receiver).items()} == dict.fromkeys(alerts, 1)
    assert len(message_ids(mailbox)) == len(alerts)
    sys.stdout.write(f"{len(alerts)} rounds, well within {longest:.1f} s: {dict(chaos.happened)}\n")

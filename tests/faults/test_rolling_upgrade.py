"""Hosts are upgraded one by one while all serve: what either version takes counts once, for both (CONTRIBUTING.md)."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from tarfile import open as open_tar

import pytest

from harness.servers.cluster import Cluster
from harness.servers.cluster_messages import ClusterMessages, sending_settings
from harness.servers.mailbox import Mailbox
from harness.servers.network import Loopback
from harness.servers.receiver import Receiver

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

REPOSITORY = Path(__file__).parents[2]
EARLIER = "746c709e"
"""The commit whose data tests/upgrade opens."""
PREVIOUS = "48d06eef"
"""The last commit whose workers kept messages, mails, digests and jobs in four tables."""
MARK = "the program of an earlier commit runs"


@pytest.fixture(params=[EARLIER, PREVIOUS])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder, for PYTHONPATH, with the program of a commit; skips where the history is not there."""
    archive = ["git", "-C", str(REPOSITORY), "archive", request.param, "src"]
    found = subprocess.run(archive, capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"commit {request.param} is not in this clone")
    with open_tar(fileobj=BytesIO(found.stdout)) as files:
        files.extractall(tmp_path, filter="data")
    with (tmp_path / "src" / "tallyroom" / "__init__.py").open("a") as module:
        module.write(f"\nprint({MARK!r}, flush=True)\n")
    return tmp_path / "src"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver(host=Loopback().here).running() as receiver:
        yield receiver


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox(host=Loopback().here).running() as mailbox:
        yield mailbox


@pytest.fixture
def cluster(tmp_path: Path, seed: int, program: Path, mailbox: Mailbox) -> Iterator[Cluster]:
    """Two hosts of two workers each, which run that program."""
    words = ["env", f"PYTHONPATH={program}:$PYTHONPATH"]
    settings = sending_settings(Loopback().here, mailbox)
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path, seed, Loopback(), words={0: words, 1: words}, workers=(2, 2), **settings)


def test_each_host_serves_while_the_other_is_upgraded(cluster: Cluster, receiver: Receiver, mailbox: Mailbox) -> None:
    messages = ClusterMessages(cluster, receiver, mailbox)
    cluster.begin()
    for host in cluster.hosts:
        assert MARK in host.server.text()
        messages.cause()
        assert host.server.stop() == 0, host.server.text()[-5000:]
        host.server.output.clear()
        host.server.limits = ""
        host.server.start()
        assert MARK not in host.server.text()
        cluster.are_well()
        for _ in range(3):
            messages.cause()
    messages.wait()
    cluster.account()
    messages.arrived_once()
    assert all(len(arrivals) == 1 for arrivals in messages.messages_by_alert().values()), "no worker died"
    assert len(messages.mails()) == len(messages.alerts), "no worker died"

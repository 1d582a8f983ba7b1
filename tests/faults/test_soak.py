"""Two hosts of two workers with everybody on them for an hour: what a worker holds does not grow, and nothing is lost."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from harness.servers.cluster import Cluster
from harness.servers.network import Loopback

SECONDS = 3600
LOOK_SECONDS = 60
WARM_SECONDS = 600
"""What is kept for the first questions and connections is there by then."""

MORE_MEMORY = 20_000_000
MORE_FILES = 10


class Holdings(NamedTuple):
    """What a worker holds: memory in bytes, open files, and threads."""

    memory: int
    files: int
    threads: int


def holdings_of(pid: int) -> Holdings:
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    memory, threads = int(status["VmRSS"].split()[0]) * 1024, int(status["Threads"])
    return Holdings(memory, len([*(process / "fd").iterdir()]), threads)


def all_holdings(cluster: Cluster) -> dict[int, Holdings]:
    """By the process of each worker."""
    pids = [pid for host in cluster.hosts for pid in host.worker_pids()]
    return {pid: holdings_of(pid) for pid in pids}


@pytest.fixture
def cluster(tmp_path: Path, seed: int) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path, seed, Loopback(), workers=(2, 2))


@pytest.mark.long
@pytest.mark.timeout(SECONDS + 1800)
def test_an_hour_of_everybody(cluster: Cluster) -> None:
    cluster.begin()
    began, looks = time.monotonic(), []
    while time.monotonic() < began + SECONDS:
        time.sleep(LOOK_SECONDS)
        cluster.are_well()
        if time.monotonic() > began + WARM_SECONDS:
            looks.append(all_holdings(cluster))
    first, last = looks[0], looks[-1]
    sys.stdout.write(f"after {WARM_SECONDS} s: {first}\nafter {SECONDS} s: {last}\n")
    assert set(first) == set(last), "a worker has ended"
    for pid, warm in first.items():
        least = min(look[pid].memory for look in looks[-10:])  # between two collections of what is no longer needed
        assert least < warm.memory + MORE_MEMORY
        assert last[pid].files < warm.files + MORE_FILES
        assert last[pid].threads <= warm.threads + MORE_FILES
    for host in cluster.hosts:
        assert set(host.keyless.statuses) == {202}
    cluster.account()

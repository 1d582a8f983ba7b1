"""A backup and a move beside workers, while a server is away: refused in a sentence, with nothing left half done."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from harness.servers.cluster import Cluster
from harness.servers.cluster_outages import OUTAGES, limits_away
from harness.servers.command import Done, tallyroom
from harness.servers.network import Loopback
from harness.stores.directory_counts import read_held

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

NEEDED = [*OUTAGES["events"], *OUTAGES["database"]]
"""What no command goes on without."""


@pytest.fixture
def cluster(tmp_path: Path, seed: int) -> Iterator[Cluster]:
    """A host of two workers and another, whom everybody uses."""
    with ExitStack() as stack:
        made = Cluster(stack, tmp_path, seed, Loopback(), workers=(2, 2))
        made.begin()
        yield made


def command(cluster: Cluster, *words: str | Path) -> Done:
    """A command with the settings of the first host."""
    return tallyroom(*words, "--data", cluster.hosts[0].server.data, servers=cluster.servers, patience=900)


def is_refused(done: Done) -> None:
    """In one sentence or two, without a traceback."""
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert done.stderr.startswith("tallyroom: "), done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 1000


def test_a_backup_in_an_outage_is_refused_and_the_next_one_is_whole(cluster: Cluster, tmp_path: Path) -> None:
    for number, outage in enumerate(NEEDED):
        with outage(cluster):
            is_refused(command(cluster, "backup", tmp_path / f"refused-{number}"))
            assert [*tmp_path.glob(f"refused-{number}*")] == []
        cluster.are_well()
    acknowledged = cluster.ledger.acknowledged()
    with limits_away(cluster):
        done = command(cluster, "backup", tmp_path / "backup")
    assert (done.returncode, done.stderr) == (0, "")
    restored = tallyroom("restore", tmp_path / "backup", "--data", tmp_path / "restored", "--verify")
    assert (restored.returncode, restored.stderr) == (0, "")
    held = read_held(tmp_path / "restored")
    assert acknowledged <= held.actors.keys()
    assert set(held.actors.values()) == {1}
    cluster.account()


def test_a_move_beside_workers_or_in_an_outage_is_refused_and_succeeds_later(cluster: Cluster, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    is_refused(command(cluster, "migrate-store", "--to", alone))
    cluster.stop()
    for outage in NEEDED:
        with outage(cluster):
            is_refused(command(cluster, "migrate-store", "--to", alone))
        assert not (alone / "metadata.sqlite").exists()
    done = command(cluster, "migrate-store", "--to", alone)
    assert (done.returncode, done.stderr) == (0, "")
    cluster.ledger.check_actors(read_held(alone).actors)

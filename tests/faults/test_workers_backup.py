"""Backups of several workers under load: everything acknowledged before is in them once, and the doctor agrees.

What is restored is one server's directory, and goes on from there.
"""

from pathlib import Path

import pytest

from harness.clients.load import Load
from harness.servers.command import Done, tallyroom
from harness.servers.server import Server
from harness.servers.site import MakeHost, Site
from harness.stores.directory_counts import read_held
from harness.stores.metadata import on_postgresql, servers_of
from harness.suite.patience import wait_until

ROUNDS = 3


def command(site: Site, *words: str | Path) -> Done:
    """A command with the settings of the workers."""
    servers = {**servers_of(site.data), **site.server.servers}
    return tallyroom(*words, "--data", site.data, servers=servers, patience=600)


def back_up(site: Site, folder: Path, load: Load) -> frozenset[str]:
    """A backup while all goes on; what was acknowledged before it."""
    load.wait_for(202, 20)
    before = site.ledger.acknowledged()
    done = command(site, "backup", folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.count("\n") == 1, f"something is left out, or does not add up: {done.stdout}"
    load.wait_for(202, 20)
    return before


def healthy(done: Done) -> None:
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def restored_from(folder: Path, data: Path) -> Path:
    healthy(tallyroom("restore", folder, "--data", data, "--verify"))
    return data


def check_restored(site: Site, folder: Path, before: frozenset[str], data: Path) -> None:
    """Whatever was acknowledged before is there once, and what was sent later at most once."""
    restored_from(folder, data)
    healthy(tallyroom("doctor", "--data", data))
    held = read_held(data)
    site.ledger.forget_all_but(before)
    site.ledger.check_actors(held.actors)
    assert held.rows == held.ids
    assert sum(held.used.values()) >= len(before)


@pytest.mark.long
def test_a_backup_under_load_and_what_it_restores(make_host: MakeHost, tmp_path: Path) -> None:
    site = make_host(2)
    load = site.load(pause=0.03, largest=20)
    before = back_up(site, tmp_path / "backup", load)
    load.finish()
    assert set(load.statuses) == {202}, "the backup disturbed ingest"
    check_restored(site, tmp_path / "backup", before, tmp_path / "restored")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_four_workers_are_backed_up_and_examined_under_load(make_host: MakeHost, tmp_path: Path) -> None:
    site = make_host(4)
    acknowledged = []
    for number in range(ROUNDS):
        load = site.load(pause=0.05, largest=50)
        acknowledged.append(back_up(site, tmp_path / f"backup-{number}", load))
        for _ in range(3):
            healthy(command(site, "doctor", "--quick"))
        load.finish()
        assert set(load.statuses) == {202}, "the backup or the doctor disturbed ingest"
    wait_until(lambda: "0 queued" in command(site, "doctor", "--quick").stdout)
    healthy(command(site, "doctor"))
    site.account_stopped()
    healthy(command(site, "doctor"))
    for number in reversed(range(ROUNDS)):
        check_restored(site, tmp_path / f"backup-{number}", acknowledged[number], tmp_path / f"restored-{number}")
    with on_postgresql(None):
        server = Server(tmp_path / "restored-0").start()
    assert server.ready_within(30)
    assert server.stop() == 0

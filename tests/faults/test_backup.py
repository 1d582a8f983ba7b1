"""Backup under load, wipe, restore, go on: nothing acknowledged before is lost or doubled (rules/safety#backup).

What was acknowledged after the backup began may be lost by the restore; the ledger forgets it, and the events that were
sent all the same may be there once or not at all.
"""

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from harness.clients.backup_commands import back_up, cleared, healthy, restore
from harness.servers.command import call, refusal, tallyroom
from harness.servers.site import MakeSite, Site
from harness.stores.directory_counts import Held, read_held
from tallyroom.operations.backup.manifest import BackupDamaged
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.verify import verify_backup
from tallyroom.operations.control_socket.reach import RemoteStoreAccess


def drill(site: Site, folder: Path, rounds: int, **load_options: float) -> None:
    chance = Random(site.seed)
    site.begin()
    for number in range(rounds):
        load = site.load(**load_options)
        load.wait_for(202, chance.randint(20, 60))
        before = site.ledger.acknowledged()
        made = back_up(site, folder / str(number))
        assert made.balance.counts.acknowledged >= len(before)
        load.wait_for(202, 10)
        load.finish()
        assert set(load.statuses) == {202}, "the backup disturbed ingest"
        ends: list[Callable[[], object]] = [site.server.kill, site.server.stop]
        chance.choice(ends)()
        shutil.rmtree(site.data)
        restore(site, folder / str(number))
        assert (site.data / "spool.sqlite").stat().st_mode & 0o777 == 0o600
        site.ledger.forget_all_but(before)
        site.start()
    load = site.load(**load_options)
    load.wait_for(202, 20)
    load.finish()
    site.account()


@pytest.mark.long
def test_backup_under_load_then_wipe_restore_and_go_on(make_site: MakeSite, tmp_path: Path) -> None:
    drill(make_site(), tmp_path / "backups", 1, pause=0.03, largest=20)


@pytest.mark.long
def test_backup_and_restore_again_and_again(make_site: MakeSite, tmp_path: Path) -> None:
    drill(make_site(), tmp_path / "backups", 12, pause=0.002)


@pytest.mark.long
@pytest.mark.parametrize("original_too", [False, True])
def test_what_was_queued_drains_once(make_site: MakeSite, tmp_path: Path, *, original_too: bool) -> None:
    """The range that the drain has recorded and not begun, and what is behind it; in the copy, and in the original."""
    site = make_site().begin("drain.claim.after=block@2")
    load = site.load(pause=0.05, largest=20)
    with closing(RemoteStoreAccess(site.data)) as access:
        cleared(lambda: not access.read_condition().balance.counts.claimed)
    load.wait_for(202, 20)
    before = site.ledger.acknowledged()
    made = back_up(site, tmp_path / "backup")
    assert made.balance.counts.queued
    assert made.balance.counts.claimed
    load.finish()
    site.server.kill()
    if original_too:
        site.start()
        site.account()
    shutil.rmtree(site.data)
    restore(site, tmp_path / "backup")
    site.ledger.forget_all_but(before)
    site.start()
    site.account()


@dataclass(frozen=True)
class Stopped:
    """A site whose server is stopped, what it holds, and a backup of it."""

    site: Site
    held: Held
    folder: Path


@pytest.fixture(scope="module")
def stopped(make_shared_site: MakeSite) -> Stopped:
    site = make_shared_site().begin()
    load = site.load(largest=20)
    load.wait_for(202, 20)
    load.finish()
    held = site.account()
    folder = site.data.parent / "backup"
    back_up(site, folder)
    return Stopped(site, held, folder)


@pytest.mark.long  # of a folder that was made by hand: backup/test_verify.py
def test_every_kind_of_file_is_missed_when_one_bit_flips(stopped: Stopped, tmp_path: Path) -> None:
    folder = stopped.folder
    kinds = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size}
    assert {
        "manifest.json",
        "metadata.sqlite",
        "spool.sqlite",
        "secret.key",
        "data.bin",
        "checksums.txt",
    } <= kinds.keys()
    chance = Random(stopped.site.seed)
    for path in kinds.values():
        sound = path.read_bytes()
        place = chance.randrange(len(sound))
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1 << chance.randrange(8)]) + sound[place + 1 :])
        with pytest.raises(BackupDamaged) as refused:
            verify_backup(folder, NoProgress())
        assert str(path.relative_to(folder)) in refused.value.message
        if path.name == "data.bin":
            assert str(path.relative_to(folder)) in refusal(call("verify", folder))
            assert str(path.relative_to(folder)) in refusal(call("restore", folder, "--data", tmp_path / "new"))
            assert not (tmp_path / "new").exists()
        path.write_bytes(sound)
    verify_backup(folder, NoProgress())


@pytest.mark.long
def test_a_server_that_was_never_used(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site()
    site.start()
    assert back_up(site, tmp_path / "running").balance.counts.acknowledged == 0
    site.server.stop()
    made = back_up(site, tmp_path / "stopped")
    assert made.tables["events"].rows == made.tables["actor_labels"].rows == 0
    shutil.rmtree(site.data)
    restore(site, tmp_path / "stopped")
    site.begin()
    load = site.load()
    load.wait_for(202, 10)
    load.finish()
    site.account()


@pytest.mark.long
def test_a_stopped_server_is_restored_elsewhere(stopped: Stopped, make_site: MakeSite) -> None:
    copy = make_site("copy")
    restore(copy, stopped.folder)
    assert read_held(copy.data) == stopped.held
    key = copy.data / "secret.key"
    assert key.read_bytes() == (stopped.site.data / "secret.key").read_bytes()
    assert key.stat().st_mode & 0o777 == 0o600
    healthy(copy, "is not running")


@pytest.mark.long
def test_both_go_on(stopped: Stopped, make_site: MakeSite) -> None:
    site, copy = make_site("original"), make_site("copy")
    shutil.copytree(stopped.site.data, site.data, symlinks=True)
    assert "is not empty" in refusal(tallyroom("restore", stopped.folder, "--data", site.data))
    restore(copy, stopped.folder)
    for here in (site, copy):  # one port after the other, so that one set of credentials serves both
        check_that_it_goes_on(here, stopped)


def check_that_it_goes_on(here: Site, stopped: Stopped) -> None:
    """Five more events are acknowledged, and counted beside those of before."""
    here.workspace, here.ledger, held = stopped.site.workspace, stopped.site.ledger, stopped.held
    here.start()
    here.workspace.url = here.server.url
    actors = [f"{here.seed}-{here.data.name}-{number}" for number in range(5)]
    here.ledger.send(actors)
    body = {"events": [{"name": "n", "_actor": actor} for actor in actors]}
    assert here.workspace.send(body).status_code == 202
    here.drained()
    here.server.stop()
    after = read_held(here.data)
    assert (after.rows, after.ids, after.acked) == (held.rows + 5, held.ids + 5, held.acked + 5)
    assert all(after.actors[actor] == 1 for actor in actors)

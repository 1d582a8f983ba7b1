"""A backup that is killed, stopped or starved: the server loses nothing, and half a backup is never taken for a whole."""

import re
import shutil
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest

from harness.command import launch_tallyroom, refusal, tallyroom
from harness.held import read_held
from harness.keeping import Meanwhile, back_up, cleared, copy_meanwhile, left_behind, restore
from harness.site import MakeSite
from harness.small_disk import NoNamespaces, SmallDisk, small_disk
from tallyroom.backup.progress import Unseen
from tallyroom.backup.verify import verify
from tallyroom.control.reach import RemoteCustody


def test_the_server_is_killed_while_it_is_frozen(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin("backup.freeze.after=kill")
    load = site.load(pause=0.01)
    load.wait_for(202, 20)
    assert "server ended" in refusal(tallyroom("backup", tmp_path / "backup", "--data", site.data))
    assert site.server.wait() == -9
    assert (site.data / "events" / "shadow").exists()
    site.start()
    assert left_behind(site, tmp_path / "backup") == []
    back_up(site, tmp_path / "backup")
    load.wait_for(202, 5)
    load.finish()
    site.account()


def test_the_server_is_killed_while_its_files_are_copied(make_site: MakeSite, tmp_path: Path) -> None:
    """What was frozen is still there: the backup is as good as any."""
    site = make_site().begin()
    load = site.load()
    load.wait_for(202, 30)
    load.finish()
    before = site.ledger.acknowledged()
    made = copy_meanwhile(site, tmp_path / "backup", Meanwhile(site.server.kill))
    assert made.balance.adds_up
    shutil.rmtree(site.data)
    restore(site, tmp_path / "backup")
    site.ledger.forget_all_but(before)
    site.start()
    site.account()


def test_the_server_is_killed_and_started_while_its_files_are_copied(make_site: MakeSite, tmp_path: Path) -> None:
    """The start clears what was frozen, so the backup fails and leaves nothing."""
    site = make_site().begin()
    load = site.load()
    load.wait_for(202, 30)
    load.finish()

    def restart() -> None:
        site.server.kill()
        site.start()

    with pytest.raises(FileNotFoundError):
        copy_meanwhile(site, tmp_path / "backup", Meanwhile(restart))
    assert left_behind(site, tmp_path / "backup") == []
    site.account()


def test_the_command_is_killed_while_it_copies(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin()
    load = site.load()
    load.wait_for(202, 30)
    folder, half = tmp_path / "backup", tmp_path / "backup.partial"
    command = launch_tallyroom("backup", folder, "--data", site.data)
    cleared(lambda: not half.exists())
    command.kill()
    command.communicate()
    cleared((site.data / "events" / "shadow").exists)
    load.wait_for(202, 5)
    load.finish()
    if not folder.exists():  # unless it was done already
        back_up(site, folder)
    assert not half.exists()
    site.drained()  # nobody holds the drain any more
    site.account()


def test_a_command_that_is_told_to_stop_leaves_nothing(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin("backup.freeze.after=block:5")
    command = launch_tallyroom("backup", tmp_path / "backup", "--data", site.data)
    cleared(lambda: not (site.data / "events" / "shadow").exists() and site.metric("spool_waiting_bytes") == 0)
    site.ledger.send(["held"])
    assert site.workspace.send({"name": "n", "_actor": "held"}).status_code == 202
    site.ledger.ack(["held"])
    command.terminate()
    said, _ = command.communicate(timeout=20)
    assert command.returncode == 1
    assert said == "tallyroom: Interrupted. Nothing is left of what was begun.\n"
    cleared(partial(left_behind, site, tmp_path / "backup"))
    site.account()


def mount(stack: ExitStack, folder: Path, mebibytes: int) -> SmallDisk:
    try:
        return stack.enter_context(small_disk({folder: mebibytes}))
    except NoNamespaces as error:
        pytest.skip(f"{error}; test_a_file_that_may_not_grow stands in")


def test_the_disk_fills_up_while_files_are_copied(make_site: MakeSite, mounted: ExitStack, tmp_path: Path) -> None:
    site = make_site().begin()
    load = site.load(padding=2000)
    load.wait_for(202, 60)
    backups = tmp_path / "backups"
    disk = mount(mounted, backups, 48)
    command = launch_tallyroom(
        *("backup", backups / "one", "--data", site.data),
        inside=disk.inside,
        testing="true",
        failpoints="backup.copy=block:3",
    )
    cleared(lambda: not (disk.outside(backups) / "one.partial").exists())
    stored = site.metric("events_stored_total")
    cleared(lambda: site.metric("events_stored_total") == stored)  # the drain goes on: the room was looked at just now
    disk.add_ballast(backups, disk.free(backups) // (1024 * 1024))
    said, _ = command.communicate(timeout=60)
    assert command.returncode == 1, said
    assert re.search("No space left|disk is full|the disk has", said), said
    assert [path.name for path in disk.outside(backups).iterdir()] == ["ballast"]
    cleared(partial(left_behind, site, tmp_path / "one"))
    load.wait_for(202, 5)
    load.finish()
    assert set(load.statuses) == {202}
    site.account()


def test_a_file_that_may_not_grow(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin()
    load = site.load()
    load.wait_for(202, 20)
    load.finish()
    sentence = refusal(tallyroom("backup", tmp_path / "backup", "--data", site.data, limits="-S -f 20"))
    assert "Nothing is left of what was begun." in sentence or "cannot be copied" in sentence
    cleared(partial(left_behind, site, tmp_path / "backup"))
    site.account()


def test_too_little_room_is_seen_before_anything_is_copied(
    make_site: MakeSite, mounted: ExitStack, tmp_path: Path
) -> None:
    site = make_site().begin()
    disk = mount(mounted, tmp_path / "backups", 1)
    disk.add_ballast(tmp_path / "backups", 1)
    folder = disk.outside(tmp_path / "backups") / "backup"
    assert "the disk has" in refusal(tallyroom("backup", folder, "--data", site.data))
    cleared(partial(left_behind, site, folder))


def test_a_store_that_takes_nothing_is_not_backed_up(make_site: MakeSite, tmp_path: Path) -> None:
    """And ingest goes on, and the backup succeeds when the cause is gone."""
    site = make_site().begin("store.insert=error")
    assert site.workspace.send({"name": "n", "_actor": "a"}).status_code == 202
    site.ledger.send(["a"])
    site.ledger.ack(["a"])
    sentence = refusal(tallyroom("backup", tmp_path / "backup", "--data", site.data))
    assert "did not take what waits" in sentence
    assert "injected fault" in sentence
    done = tallyroom("doctor", "--data", site.data)
    assert done.returncode == 1
    assert "The store takes no events, and 1 wait: injected fault" in done.stdout
    assert site.workspace.send({"name": "n"}).status_code == 202
    site.server.kill()  # the range is left open, and the next backup finds no server
    made = back_up(site, tmp_path / "backup")
    assert (made.balance.events, made.balance.counts.queued) == (1, 1)
    site.start()
    site.drained()
    site.server.stop()
    assert read_held(site.data).rows == 2


def test_two_backups_at_once(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site().begin()
    with closing(RemoteCustody(site.data)) as first:
        first.freeze()
        assert "Another backup of this data" in refusal(tallyroom("backup", tmp_path / "second", "--data", site.data))
        assert left_behind(site, tmp_path / "second")[1:] == []  # what the first has frozen is still there
    cleared(partial(left_behind, site, tmp_path / "second"))
    back_up(site, tmp_path / "second")


def test_a_stop_during_a_backup(make_site: MakeSite, tmp_path: Path) -> None:
    """SIGTERM while the drain is held: the server ends in order, and the backup is whole or not there."""
    site = make_site().begin("backup.freeze.after=block")
    command = launch_tallyroom("backup", tmp_path / "backup", "--data", site.data)
    cleared(lambda: not (site.data / "events" / "shadow").exists())
    assert site.server.stop() == 0
    said, _ = command.communicate(timeout=20)
    if command.returncode:
        assert "server ended" in said
        assert left_behind(site, tmp_path / "backup") == []
    else:
        assert verify(tmp_path / "backup", Unseen()).balance.adds_up
        assert left_behind(site, tmp_path / "another") == []

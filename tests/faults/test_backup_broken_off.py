"""A backup that is killed, stopped or starved beside a running server: nothing is left of it, and the server goes on."""

import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest

from harness.clients.backup_commands import back_up, cleared, left_behind
from harness.servers.command import call, launch_tallyroom, refusal, tallyroom
from harness.servers.site import MakeSite, Site
from harness.servers.small_disk import NoNamespaces, SmallDisk, small_disk
from tallyroom.operations.control_socket.reach import ControlFailed, RemoteStoreAccess


@pytest.fixture(scope="module")
def site(make_shared_site: MakeSite) -> Iterator[Site]:
    """One server for all of this; in the end it accounts for every event."""
    site = make_shared_site().begin()
    load = site.load(largest=20)
    load.wait_for(202, 5)
    load.finish()
    yield site
    site.account()


def launch(site: Site, folder: Path, block: str, inside: Sequence[str] = ()) -> "subprocess.Popen[str]":
    """A backup that blocks when it is about to copy."""
    faults = {"testing": "true", "failpoints": f"backup.copy={block}"}
    return launch_tallyroom("backup", folder, "--data", site.data, inside=inside, **faults)


@pytest.mark.long
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_the_command_is_ended_while_it_copies(site: Site, tmp_path: Path, end: signal.Signals) -> None:
    folder, half = tmp_path / "backup", tmp_path / "backup.partial"
    load = site.load(pause=0.05, largest=20)
    command = launch(site, folder, "block")
    cleared(lambda: not half.exists())
    command.send_signal(end)
    said, _ = command.communicate(timeout=20)
    cleared((site.data / "events" / "shadow").exists)
    load.wait_for(202, 5)
    load.finish()
    assert set(load.statuses) == {202}
    site.drained()  # nobody holds the drain any more
    if end == signal.SIGTERM:
        assert (command.returncode, said) == (1, "tallyroom: Interrupted. The incomplete copy was removed.\n")
        assert left_behind(site, folder) == []
    else:
        back_up(site, folder)
        assert not half.exists()


def mount(stack: ExitStack, folder: Path, mebibytes: int) -> SmallDisk:
    try:
        return stack.enter_context(small_disk({folder: mebibytes}))
    except NoNamespaces as error:
        pytest.skip(f"{error}; test_a_file_that_may_not_grow stands in")


@pytest.mark.long
def test_the_disk_fills_up_while_files_are_copied(site: Site, mounted: ExitStack, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    disk = mount(mounted, backups, 48)
    load = site.load(pause=0.05, padding=2000)
    load.wait_for(202, 30)
    command = launch(site, backups / "one", "block:3", disk.inside)
    cleared(lambda: not (disk.outside(backups) / "one.partial").exists())
    stored = site.metric("events_stored_total")
    cleared(lambda: site.metric("events_stored_total") == stored)  # the drain goes on: the room was looked at just now
    disk.add_ballast(backups, disk.free(backups) // (1024 * 1024))
    said, _ = command.communicate(timeout=60)
    assert command.returncode == 1, said
    assert re.search("No space left|disk is full|the disk has", said), said
    assert [path.name for path in disk.outside(backups).iterdir()] == ["ballast"]
    cleared(partial(left_behind, site, disk.outside(backups) / "one"))
    load.wait_for(202, 5)
    load.finish()
    assert set(load.statuses) == {202}


@pytest.mark.long
def test_a_file_that_may_not_grow(site: Site, tmp_path: Path) -> None:
    sentence = refusal(tallyroom("backup", tmp_path / "backup", "--data", site.data, limits="-S -f 20"))
    assert "The incomplete copy was removed." in sentence or "cannot be copied" in sentence
    cleared(partial(left_behind, site, tmp_path / "backup"))


@pytest.mark.long
def test_too_little_room_is_seen_before_anything_is_copied(site: Site, mounted: ExitStack, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    disk = mount(mounted, backups, 1)
    disk.add_ballast(backups, 1)
    done = tallyroom("backup", backups / "one", "--data", site.data, inside=disk.inside)
    assert "the disk has" in refusal(done)
    cleared(partial(left_behind, site, disk.outside(backups) / "one"))


def still_busy(access: RemoteStoreAccess) -> bool:
    """Freeze the store, unless another backup holds it."""
    try:
        access.freeze()
    except ControlFailed as error:
        return "Another backup of this data" in str(error)
    return False


@pytest.mark.long
def test_two_backups_at_once(site: Site, tmp_path: Path) -> None:
    with closing(RemoteStoreAccess(site.data)) as first:
        first.freeze()
        assert "Another backup of this data" in refusal(call("backup", tmp_path / "second", "--data", site.data))
        assert left_behind(site, tmp_path / "second")[1:] == []  # what the first has frozen is still there
    cleared(partial(left_behind, site, tmp_path / "second"))
    with closing(RemoteStoreAccess(site.data)) as third:
        cleared(partial(still_busy, third))  # the server sees a moment later that the first has gone
        third.release_drain()
    cleared(partial(left_behind, site, tmp_path / "second"))


def test_a_server_that_does_not_answer_is_named(site: Site, tmp_path: Path) -> None:
    socket = site.data / "control.sock"
    aside = socket.rename(site.data / "aside.sock")
    sentence = refusal(call("backup", tmp_path / "backup", "--data", site.data))
    aside.rename(socket)
    assert str(site.server.process.pid) in sentence

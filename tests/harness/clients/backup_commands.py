"""Backups and restores of a site by the commands that an operator has, and how to disturb them."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rich.filesize import decimal

from harness.servers.command import call, tallyroom
from harness.servers.site import Site
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.operations.backup.make import make_backup
from tallyroom.operations.backup.manifest import Manifest, read_manifest
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.control_socket.reach import RemoteStoreAccess


def back_up(site: Site, folder: Path) -> Manifest:
    """A backup that is whole and whose events add up."""
    run = call if site.runs else tallyroom  # which opens the store itself
    done = run("backup", folder, "--data", site.data)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    made = read_manifest(folder)
    assert made.balance.adds_up, made.balance
    assert f"{made.balance.counts.acknowledged:,} acknowledged events" in done.stdout
    assert decimal(made.total_bytes) in done.stdout
    return made


def restore(site: Site, folder: Path) -> None:
    """Make the directory of `site` from a backup and verify it."""
    done = tallyroom("restore", folder, "--data", site.data, "--verify")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "every count matches the backup" in done.stdout


def healthy(site: Site, words: str = "") -> None:
    """The doctor finds nothing broken and says `words`."""
    done = tallyroom("doctor", "--data", site.data)
    assert done.returncode == 0, done.stdout
    assert words in done.stdout


def left_behind(site: Site, folder: Path) -> list[str]:
    """What a backup that came to nothing may not leave."""
    shadow = site.visible_data / "events" / "shadow"
    return [str(path) for path in (folder, folder.with_name(f"{folder.name}.partial"), shadow) if path.exists()]


def cleared(found: Callable[[], object]) -> None:
    """Return when nothing is found any more."""
    deadline = time.monotonic() + PATIENCE
    while found():
        assert time.monotonic() < deadline, found()
        time.sleep(0.02)


class Meanwhile(NoProgress):
    """Does something once, when so many bytes are copied."""

    def __init__(self, deed: Callable[[], object], after: int = 1) -> None:
        self._deed = deed
        self._after = after

    def advance(self, amount: int) -> None:
        if self._after > 0 >= self._after - amount:
            self._deed()
        self._after -= amount


def copy_meanwhile(site: Site, folder: Path, progress: Meanwhile) -> Manifest:
    """A backup of a running server by this process, in which `progress` interferes."""
    with closing(RemoteStoreAccess(site.visible_data)) as access:
        return make_backup(access, site.visible_data, folder, clock=SystemClock(), reserve_bytes=0, progress=progress)

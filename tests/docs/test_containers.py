"""docs/howto/containers.md and its siblings: a restore removes nothing, and what is in use stays until it is verified."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.child import WITH_HARNESS
from harness.servers.command import tallyroom
from harness.servers.server import Server
from harness.stores.metadata import on_postgresql
from harness.suite.pasted_blocks import BLOCK
from harness.suite.patience import PATIENCE

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "howto" / "containers.md").read_text(encoding="utf-8")
BACKUP = (DOCS / "howto" / "backup.md").read_text(encoding="utf-8")
DAY = "2026-11-20"


class Machine:
    """A server whose data are in a volume, a backup of it, and an event that came later.

    Attributes:
        volumes: the folder with the volumes.
        home: where commands are typed.
    """

    def __init__(self, folder: Path) -> None:
        self.volumes, self.home = folder / "volumes", folder / "home"
        self.old = self.volumes / "tallyroom_data"
        self.backup = self.volumes / "tallyroom_backups" / DAY
        for path in (self.old, self.backup.parent, self.home):
            path.mkdir(parents=True)
        self.server = Server(self.old).start()
        self.workspace = sign_up(self.server.url)
        self.workspace.send({"name": "before", "_actor": "ann"})
        assert tallyroom("backup", self.backup, "--data", self.old).returncode == 0
        self.workspace.send({"name": "after", "_actor": "ann"})
        (self.volumes / "running").write_text(str(self.server.process.pid), encoding="utf-8")
        self._programs = folder / "programs"
        self._programs.mkdir()
        self.program("docker", f'exec {sys.executable} -m harness.servers.docker_stand_in "$@"')

    def program(self, name: str, script: str) -> None:
        """Make a command that stands in for another."""
        path = self._programs / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def type(self, script: str) -> "subprocess.CompletedProcess[str]":
        """Run commands as a person types them who stops at the first that fails."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
        environment |= WITH_HARNESS | {"DOCKER_VOLUMES": str(self.volumes), "TALLYROOM_DISK_RESERVE_BYTES": "1000000"}
        environment["PATH"] = f"{self._programs}:{Path(sys.executable).parent}:{environment['PATH']}"
        words = ["bash", "-e", "-o", "pipefail", "-c", script]
        return subprocess.run(
            words, cwd=self.home, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    def calls(self) -> list[str]:
        """What docker was asked to do."""
        return (self.volumes / "calls").read_text(encoding="utf-8").splitlines()

    def damage(self) -> None:
        """Change a byte of the backup."""
        spool = self.backup / "spool.sqlite"
        content = bytearray(spool.read_bytes())
        content[-1] ^= 1
        spool.write_bytes(content)

    def events_in(self, data: Path) -> set[str]:
        """The names of the events in a data directory on which no server runs."""
        server = Server(data).start()
        try:
            return names(server.url, self.workspace)
        finally:
            server.stop()


def names(url: str, workspace: Workspace) -> set[str]:
    headers = {"authorization": f"Bearer {workspace.session_token}"}
    return {event["name"] for event in httpx.get(f"{url}/v1/events", headers=headers, timeout=60).json()["events"]}


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with on_postgresql(None):
        made = Machine(tmp_path)
        yield made
        if made.server.process.poll() is None:
            made.server.kill()


def section(page: str, heading: str) -> str:
    """What is below a heading, up to the next one of any level."""
    return re.split(r"\n##+ ", page.split(f"# {heading}\n", maxsplit=1)[1])[0]


def blocks(text: str, language: str) -> list[str]:
    return [found["code"] for found in BLOCK.finditer(text) if found["language"] == language]


def restore_by_docker(machine: Machine) -> list[Any]:
    """Follow the page from top to bottom, up to the first command that fails."""
    text = section(PAGE, "Restore")
    before, after = blocks(text, "text")
    [override] = blocks(text, "yaml")
    done = [machine.type(before)]
    if done[0].returncode == 0:
        (machine.home / "compose.override.yaml").write_text(override, encoding="utf-8")
        done.append(machine.type(after))
    return done


@pytest.mark.long
def test_a_restore_verifies_first_and_switches_to_a_volume_beside_the_one_in_use(machine: Machine) -> None:
    done = restore_by_docker(machine)
    assert [each.returncode for each in done] == [0, 0], [each.stderr for each in done]
    assert [call.split()[0] for call in machine.calls()] == ["run", "run", "compose", "compose"]
    assert " verify " in machine.calls()[0]
    assert machine.server.wait() == 0
    new = machine.volumes / (machine.volumes / "mounted").read_text(encoding="utf-8")
    assert new != machine.old
    assert machine.events_in(new) == {"before"}
    assert machine.events_in(machine.old) == {"before", "after"}
    (machine.home / "compose.override.yaml").unlink()  # as the page says, to go back
    assert machine.type("docker compose up --detach --wait").returncode == 0
    assert (machine.volumes / "mounted").read_text(encoding="utf-8") == "tallyroom_data"


@pytest.mark.long  # in the default suite, the data of systemd stay as they are
def test_a_damaged_backup_changes_nothing(machine: Machine) -> None:
    machine.damage()
    [done] = restore_by_docker(machine)
    assert done.returncode == 1
    assert len(machine.calls()) == 1
    assert sorted(path.name for path in machine.volumes.glob("tallyroom_*")) == ["tallyroom_backups", "tallyroom_data"]
    assert names(machine.server.url, machine.workspace) == {"before", "after"}


@pytest.mark.long
@pytest.mark.parametrize("damaged", [True, False])
def test_with_systemd_the_data_of_before_stay_too(machine: Machine, damaged: bool) -> None:
    if damaged:
        machine.damage()
    *_, before, after = blocks(section(PAGE, "With systemd"), "text")
    script = before + after
    places = {"/var/lib/tallyroom": machine.old, "/backups": machine.backup.parent, "/opt/tallyroom": sys.prefix}
    for path, place in places.items():
        script = script.replace(path, str(place))
    script = script.replace("--owner=tallyroom --group=tallyroom ", "")
    machine.program("runuser", 'shift 3; exec "$@"')
    machine.program("systemctl", f"[ $1 = start ] || {sys.executable} -m harness.servers.docker_stand_in compose down")
    done = machine.type(script)
    assert ("systemctl" in before, "systemctl stop" in after) == (False, True)
    assert (done.returncode != 0) == damaged, done.stderr
    if damaged:
        assert names(machine.server.url, machine.workspace) == {"before", "after"}
        assert [path.name for path in machine.volumes.glob("tallyroom_data*")] == ["tallyroom_data"]
    else:
        assert machine.server.wait() == 0
        assert machine.events_in(machine.old) == {"before"}
        assert machine.events_in(Path(f"{machine.old}-before")) == {"before", "after"}


@pytest.mark.long
@pytest.mark.parametrize("fails", [False, True])
def test_old_backups_go_only_when_the_new_one_is_verified(machine: Machine, fails: bool) -> None:
    [line] = re.findall(r"^15 3 \* \* \* +(.*)$", BACKUP, re.MULTILINE)
    script = line.replace("\\%", "%").replace("/backups", str(machine.backup.parent))
    script = script.replace("/srv/tallyroom", str(machine.home if fails else machine.old))
    os.utime(machine.backup, (0, 0))
    younger = shutil.copytree(machine.backup, machine.backup.with_name("2026-11-21"))
    os.utime(younger)
    done = machine.type(f"({script}) || true")
    assert (machine.backup.exists(), younger.exists()) == (fails, True), done.stderr
    assert done.stdout == ""
    assert bool(done.stderr) == fails


def test_no_page_removes_a_volume() -> None:
    pages = [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")]
    removes = re.compile(r"volume (?:rm|prune)|down (?:-v\b|--volumes)|system prune")
    assert [page.name for page in pages if removes.search(page.read_text(encoding="utf-8"))] == []

"""The disk that the tests of a power loss use: it keeps what was synced, and notices what the store does not sync."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.servers.power import everything, nothing
from harness.servers.power_outage import contents, unsynced_parts
from harness.servers.replay import Replay
from harness.servers.strace import read_steps, traced
from harness.stores.event_store import event, fresh_scope, lines

pytestmark = pytest.mark.usefixtures("strace")

_FILES = """
import os, sys
folder = sys.argv[1]
os.mkdir(folder)
one = os.open(f"{folder}/one", os.O_WRONLY | os.O_CREAT)
os.write(one, b"synced")
os.fsync(one)
os.write(one, b", not synced")
two = os.open(f"{folder}/two", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.write(two, b"second")
os.rename(f"{folder}/two", f"{folder}/three")
os.pwrite(one, b"SYNCED", 0)
os.fsync(os.open(folder, os.O_RDONLY))
os.unlink(f"{folder}/one")
os.ftruncate(two, 3)
os.fdatasync(two)
"""
_PARTS = """
import sys
from pathlib import Path
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.event_store.erase import erase_actor
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.scope import Scope
folder = Path(sys.argv[1])
folder.mkdir()
writer = Writer(EmbeddedBackend(folder / "events"))
migrate(writer)
for number, line in enumerate(Path(sys.argv[2]).read_bytes().splitlines(keepends=True)):
    writer.insert_events(line, f"token-{number}")
writer.command("OPTIMIZE TABLE events FINAL")
writer.command("OPTIMIZE TABLE actor_labels FINAL")
erase_actor(writer, Scope(*sys.argv[3:]), "two")
writer.close()
"""


def run_traced(trace: Path, code: str, *arguments: object) -> None:
    command = [*traced(trace), sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_only_what_was_synced_is_kept(tmp_path: Path) -> None:
    folder, trace = tmp_path / "folder", tmp_path / "trace"
    run_traced(trace, _FILES, folder)
    replay, found = Replay(folder), []
    for step in read_steps(trace):
        replay.follow(step)
        if step.name in {"fsync", "fdatasync"} and step.result == 0:
            for survives in (nothing, everything):
                disk = tmp_path / f"disk-{len(found)}"
                replay.save(disk, survives)
                found.append(contents(disk))
    assert found == [
        {"one": b"synced"},
        {"one": b"synced"},
        {"one": b"synced", "three": b""},
        {"one": b"SYNCED, not synced", "three": b"second"},
        {"three": b"sec"},
        {"three": b"sec"},
    ]
    assert contents(folder) == found[-1]


def test_a_part_is_synced_before_it_takes_its_place(tmp_path: Path) -> None:
    """Also one that takes the place of others, which the store deletes soon after: merged, or without erased events."""
    folder, trace, block = tmp_path / "folder", tmp_path / "trace", tmp_path / "block"
    scope = fresh_scope()
    block.write_bytes(lines(event(scope, actor=actor, label=actor) for actor in ("one", "two", "three")))
    run_traced(trace, _PARTS, folder, block, scope.workspace_id, scope.environment)
    assert unsynced_parts(folder, trace) == []

"""Refusals, and nothing is left of one that failed (rules/safety#restore).

Whole round trips: tests/faults/test_backup.py.
"""

from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest

from harness.builders.backups import make_by_hand
from harness.servers.child import run_child
from tallyroom.core.data_directory import DataDirectoryUnusable, hold_directory
from tallyroom.operations.backup import restore as module
from tallyroom.operations.backup.manifest import BackupDamaged, TableEntry, read_manifest
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.restore import RestoreFailed, restore_backup
from tallyroom.operations.backup.target import TargetRefused
from tallyroom.operations.backup.verify import verify_backup


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_by_hand(tmp_path / "backup")
    return tmp_path / "backup"


def test_a_directory_that_holds_anything_is_refused(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "mine").touch()
    with pytest.raises(TargetRefused, match="it contains mine"):
        restore_backup(folder, data, must_verify=False, progress=NoProgress())
    assert [path.name for path in data.iterdir()] == ["mine"]


def test_a_damaged_backup_is_refused_before_anything_is_written(folder: Path, tmp_path: Path) -> None:
    (folder / "spool.sqlite").write_bytes(b"other")
    with pytest.raises(BackupDamaged, match=r"spool\.sqlite"):
        restore_backup(folder, tmp_path / "data", must_verify=False, progress=NoProgress())
    assert not (tmp_path / "data").exists()


def test_without_room_nothing_is_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10}))
    with pytest.raises(RestoreFailed, match="the disk has 10 free"):
        restore_backup(folder, tmp_path / "data", must_verify=False, progress=NoProgress())
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("exists", [False, True])
def test_nothing_is_left_when_it_fails_half_way(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, exists: bool
) -> None:
    data = tmp_path / "data"
    if exists:
        (data / "lost+found").mkdir(parents=True)

    def half(_folder: Path, data: Path, *_: object) -> None:
        (data / "events" / "store").mkdir(parents=True)
        (data / "spool.sqlite").touch()
        with pytest.raises(DataDirectoryUnusable, match="did not finish"), hold_again(data):
            pass
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_restore_store", half)
    with pytest.raises(KeyboardInterrupt):
        restore_backup(folder, data, must_verify=False, progress=NoProgress())
    assert [path.name for path in data.iterdir()] == (["lost+found"] if exists else [])


def hold_again(data: Path) -> AbstractContextManager[object]:
    """As a server does that starts after the restore was killed: its lock is gone, its mark is there."""
    (data / "server.lock").unlink()
    return hold_directory(data)


PARTS_THAT_NO_STORE_TAKES = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from harness.builders.backups import make_by_hand
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.restore import RestoreFailed, restore_backup

home = Path(sys.argv[1])
make_by_hand(home / "backup")
try:
    restore_backup(home / "backup", home / "data", must_verify=False, progress=NoProgress())
except RestoreFailed as error:
    print(error.message)
print(list((home / "data").iterdir()))
"""


@pytest.mark.long
def test_parts_that_the_store_does_not_take_leave_nothing(tmp_path: Path) -> None:
    sentence, left = run_child(PARTS_THAT_NO_STORE_TAKES, tmp_path, Path(__file__).parents[2]).stdout.splitlines()
    assert sentence.startswith(("The event store refuses the backup", "events has", "actor_labels has"))
    assert left == "[]"


def test_the_data_does_not_lie_in_the_backup(folder: Path) -> None:
    with pytest.raises(TargetRefused, match="Choose a directory elsewhere"):
        restore_backup(folder, folder / "data", must_verify=False, progress=NoProgress())
    verify_backup(folder, NoProgress())


@pytest.mark.parametrize("found", [{}, {("actor_labels", "all"): 0}])
def test_a_part_without_rows_may_be_gone(folder: Path, found: dict[tuple[str, str], int]) -> None:
    """The store drops it when it pleases, before or after it was frozen."""
    manifest = read_manifest(folder)
    frozen = msgspec.structs.replace(manifest, tables={"actor_labels": TableEntry(0, {"all": 0})})
    module._compare_partitions(Counter(found), frozen)
    lost = msgspec.structs.replace(manifest, tables={"actor_labels": TableEntry(1, {"all": 1})})
    with pytest.raises(RestoreFailed, match=r"has \{\} rows by partition instead of \{'all': 1\}"):
        module._compare_partitions(Counter(found), lost)

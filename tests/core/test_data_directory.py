"""One process holds a directory, and nobody uses half of a restored one."""

import os
import sqlite3
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from tallyroom.core.data_directory import (
    LOCK_FILE,
    MANIFEST_FILE,
    UNFINISHED_FILE,
    DataDirectoryInUse,
    DataDirectoryUnusable,
    build_unusable_error,
    hold_directory,
    mark_moved,
    read_holder_id,
)


def test_a_new_directory_is_its_owners_alone(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    with hold_directory(data):
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert read_holder_id(data) == str(os.getpid())


def test_a_second_holder_is_refused_until_the_first_lets_go(tmp_path: Path) -> None:
    with hold_directory(tmp_path):
        with pytest.raises(DataDirectoryInUse, match=str(os.getpid())), hold_directory(tmp_path):
            pass
        assert read_holder_id(tmp_path) == str(os.getpid())
    with hold_directory(tmp_path):
        pass


def test_a_lock_whose_holder_died_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).write_text("123456789")
    with hold_directory(tmp_path):
        assert read_holder_id(tmp_path) == str(os.getpid())


def test_a_directory_that_is_a_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(DataDirectoryUnusable, match="data cannot be used"), hold_directory(tmp_path / "data"):
        pass


@pytest.mark.parametrize(
    ("free", "words"),
    [
        (5000, r"The disk of the data directory .* is full, with 5,000 bytes free \(disk I/O error\): free some space"),
        (10**9, r"The data directory .* cannot be used: disk I/O error\.$"),
    ],
)
def test_a_full_disk_is_called_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, words: str) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(DataDirectoryUnusable, match=words):
        raise build_unusable_error(tmp_path / "new", sqlite3.OperationalError("disk I/O error"))


def test_a_path_that_cannot_be_is_no_full_disk() -> None:
    """A file system that the kernel makes up has no room at all."""
    missing = FileNotFoundError(2, "No such file or directory", "/proc/here")
    assert "is full" not in build_unusable_error(Path("/proc/here"), missing).message


def test_an_unfinished_restore_is_refused(tmp_path: Path) -> None:
    (tmp_path / UNFINISHED_FILE).touch()
    with pytest.raises(DataDirectoryUnusable, match="empty the directory and restore again"), hold_directory(tmp_path):
        pass
    (tmp_path / UNFINISHED_FILE).unlink()
    with hold_directory(tmp_path):
        pass


def test_nobody_is_unknown(tmp_path: Path) -> None:
    assert read_holder_id(tmp_path) == "unknown"


def test_a_backup_is_no_data_directory(tmp_path: Path) -> None:
    """A server on it would change it, and find no events."""
    (tmp_path / MANIFEST_FILE).touch()
    with pytest.raises(DataDirectoryUnusable, match=r"is a backup: .* `tallyroom restore"), hold_directory(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST_FILE]


def test_a_directory_whose_data_has_moved_is_refused_and_says_where_it_is(tmp_path: Path) -> None:
    mark_moved(tmp_path, tmp_path / "new" / "workers" / "0")
    with (
        pytest.raises(DataDirectoryUnusable, match=r"has moved to servers, and its spool to .*/new/workers/0"),
        hold_directory(tmp_path),
    ):
        pass
    with hold_directory(tmp_path, is_moving=True):
        pass
    (tmp_path / "moved.json").write_text("cut o")
    with pytest.raises(DataDirectoryUnusable, match="to the data directory of the workers"), hold_directory(tmp_path):
        pass

"""A backup has its name when it is whole, and what is in the way stays."""

import fcntl
import os
import stat
from pathlib import Path

import pytest

from tallyroom.operations.backup.target import TargetRefused, create_backup_folder, refuse_inside, refuse_nonempty


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("exists", [False, True])
def test_it_appears_at_the_end(tmp_path: Path, *, exists: bool) -> None:
    target = tmp_path / "deep" / "backup"
    if exists:
        target.mkdir(parents=True)
    with create_backup_folder(target) as folder:
        (folder / "spool.sqlite").write_text("x")
        assert folder.parent == target.parent
        assert not (target / "spool.sqlite").exists()
    assert names(target) == ["spool.sqlite"]
    assert names(target.parent) == ["backup"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o700


def test_nothing_is_left_of_one_that_failed(tmp_path: Path) -> None:
    def begin() -> None:
        with create_backup_folder(tmp_path / "backup") as folder:
            (folder / "store").mkdir()
            (folder / "store" / "x").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert names(tmp_path) == []


def test_what_a_killed_one_left_is_cleared(tmp_path: Path) -> None:
    left = tmp_path / "backup.partial"
    (left / "store" / "events").mkdir(parents=True)
    (left / "spool.sqlite.whole").touch()
    with create_backup_folder(tmp_path / "backup") as folder:
        assert names(folder) == []
    assert names(tmp_path) == ["backup"]


def test_somebody_elses_folder_of_that_name_is_kept(tmp_path: Path) -> None:
    mine = tmp_path / "backup.partial" / "thesis.txt"
    mine.parent.mkdir()
    mine.touch()
    with pytest.raises(TargetRefused, match=r"thesis\.txt is in the way"), create_backup_folder(tmp_path / "backup"):
        pass
    assert mine.exists()


def test_one_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    partial = tmp_path / "backup.partial"
    partial.mkdir()
    (partial / "spool.sqlite").touch()
    lock = os.open(partial, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        with pytest.raises(TargetRefused, match="Another backup"), create_backup_folder(tmp_path / "backup"):
            pass
    finally:
        os.close(lock)
    assert names(partial) == ["spool.sqlite"]


def test_what_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TargetRefused, match="is not empty: it contains file"):
        refuse_nonempty(tmp_path)
    with pytest.raises(TargetRefused, match="cannot be used"):
        refuse_nonempty(tmp_path / "file")
    with pytest.raises(TargetRefused), create_backup_folder(tmp_path):
        pass
    assert names(tmp_path) == ["file"]


def test_a_fresh_disk_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / "lost+found").mkdir()
    refuse_nonempty(tmp_path)


def test_a_mount_point_is_refused() -> None:
    with pytest.raises(TargetRefused, match=r"is a mount point|is not empty"), create_backup_folder(Path("/proc")):
        pass


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TargetRefused), create_backup_folder(tmp_path / "file" / "backup"):
        pass


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk" / "backup")
    for _ in range(2):  # to nothing, and to a directory that is empty
        with create_backup_folder(tmp_path / "link") as folder:
            (folder / "spool.sqlite").touch()
        assert names(tmp_path / "disk" / "backup") == ["spool.sqlite"]
        (tmp_path / "link" / "spool.sqlite").unlink()


def test_the_directory_that_one_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here" / "below")
    with create_backup_folder(Path()) as folder:
        (folder / "spool.sqlite").touch()
    assert names(tmp_path / "here") == ["below"]
    assert names(tmp_path / "here" / "below") == ["spool.sqlite"]


@pytest.mark.parametrize("name", ["data", "data/events/backup", "other/../data/backup", "link/backup"])
def test_a_backup_and_its_data_do_not_lie_in_one_another(tmp_path: Path, name: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    with pytest.raises(TargetRefused, match="Choose a directory elsewhere"):
        refuse_inside(tmp_path / name, tmp_path / "data")
    refuse_inside(tmp_path / "data2", tmp_path / "data")
    refuse_inside(tmp_path, tmp_path / "data")

"""Moved, deleted, replaced, and back."""

from pathlib import Path

import pytest

from tallyroom.storage.file_identity import Astray, FileIdentities, paths_with_log


def test_in_its_place_whatever_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one")
    file_identities = FileIdentities(tmp_path, path)
    path.write_text("two")
    (tmp_path / "other").touch()
    file_identities.refuse_astray()


def test_moved_and_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    file_identities = FileIdentities(tmp_path, path)
    path.rename(tmp_path / "away")
    assert file_identities.find_astray() == path
    with pytest.raises(Astray):
        file_identities.refuse_astray()
    (tmp_path / "away").rename(path)
    assert file_identities.find_astray() is None


def test_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    file_identities = FileIdentities(path)
    (tmp_path / "other").touch()
    (tmp_path / "other").replace(path)
    assert file_identities.find_astray() == path


def test_the_directory_is_named_before_what_lies_in_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "file").touch()
    file_identities = FileIdentities(data, data / "file")
    data.rename(tmp_path / "away")
    assert file_identities.find_astray() == data


def test_what_comes_later_has_its_place_from_then_on(tmp_path: Path) -> None:
    path, log = paths_with_log(tmp_path / "spool.sqlite")
    path.touch()
    file_identities = FileIdentities(path, log)
    assert file_identities.find_astray() is None
    log.touch()
    assert file_identities.find_astray() is None
    log.rename(tmp_path / "away")
    assert file_identities.find_astray() == log

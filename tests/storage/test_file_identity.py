"""Moved, deleted, replaced, and back."""

from pathlib import Path

import pytest

from tallyroom.storage.file_identity import Astray, Whereabouts, paths_with_log


def test_in_its_place_whatever_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one")
    whereabouts = Whereabouts(tmp_path, path)
    path.write_text("two")
    (tmp_path / "other").touch()
    whereabouts.refuse_astray()


def test_moved_and_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    whereabouts = Whereabouts(tmp_path, path)
    path.rename(tmp_path / "away")
    assert whereabouts.find_astray() == path
    with pytest.raises(Astray):
        whereabouts.refuse_astray()
    (tmp_path / "away").rename(path)
    assert whereabouts.find_astray() is None


def test_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    whereabouts = Whereabouts(path)
    (tmp_path / "other").touch()
    (tmp_path / "other").replace(path)
    assert whereabouts.find_astray() == path


def test_the_directory_is_named_before_what_lies_in_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "file").touch()
    whereabouts = Whereabouts(data, data / "file")
    data.rename(tmp_path / "away")
    assert whereabouts.find_astray() == data


def test_what_comes_later_has_its_place_from_then_on(tmp_path: Path) -> None:
    path, log = paths_with_log(tmp_path / "spool.sqlite")
    path.touch()
    whereabouts = Whereabouts(path, log)
    assert whereabouts.find_astray() is None
    log.touch()
    assert whereabouts.find_astray() is None
    log.rename(tmp_path / "away")
    assert whereabouts.find_astray() == log

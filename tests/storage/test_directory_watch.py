"""Says what is missing, once in the log, and hears when it is back."""

import logging
from pathlib import Path

import pytest

from tallyroom.core.data_directory import DATABASE_FILE, LOCK_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.file_identity import Astray


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    (data / STORE_FOLDER).mkdir(parents=True)
    for name in (DATABASE_FILE, SPOOL_FILE, LOCK_FILE):
        (data / name).touch()
    return data


@pytest.mark.parametrize("name", [STORE_FOLDER, SPOOL_FILE, DATABASE_FILE, LOCK_FILE])
def test_each_part_is_looked_after(data: Path, name: str) -> None:
    watch = DirectoryWatch(data)
    assert watch.check() == ""
    watch.refuse_astray()
    (data / name).rename(data / "away")
    watch.refuse_astray()  # goes by the last look
    assert watch.check() == name
    with pytest.raises(Astray):
        watch.refuse_astray()
    (data / "away").rename(data / name)
    assert watch.check() == ""
    watch.refuse_astray()


def test_the_log_has_each_change_once(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    watch = DirectoryWatch(data)
    data.rename(data.with_name("away"))
    assert [watch.check(), watch.check()] == ["the data directory"] * 2
    data.with_name("away").rename(data)
    assert [watch.check(), watch.check()] == ["", ""]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]

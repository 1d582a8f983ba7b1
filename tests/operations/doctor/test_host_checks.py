"""Disk, permissions, clock, mail and the age of the last backup."""

import os
from pathlib import Path
from typing import Any

import pytest

from tallyroom.core.data_directory import LAST_BACKUP_FILE
from tallyroom.core.settings import Settings
from tallyroom.operations.doctor.findings import Finding
from tallyroom.operations.doctor.host_checks import check_host
from tallyroom.operations.installation.last_backup import LastBackup, read_last_backup, write_last_backup


@pytest.fixture
def data(tmp_path: Path, fake_clock: Any) -> Path:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    for name in ("metadata.sqlite", "spool.sqlite"):
        (data / name).touch(mode=0o600)
        os.utime(data / name, (fake_clock.now_ms() / 1000, fake_clock.now_ms() / 1000))
    return data


def look(data: Path, clock: Any, subject: str, **settings: Any) -> Finding:
    chosen = Settings(data=str(data), **({"disk_reserve_bytes": 0} | settings))
    [found] = [finding for finding in check_host(chosen, clock) if finding.subject == subject]
    return found


@pytest.mark.parametrize(("reserve", "state"), [(0, "ok"), (10**15, "broken")])
def test_disk(data: Path, fake_clock: Any, reserve: int, state: str) -> None:
    assert look(data, fake_clock, "disk", disk_reserve_bytes=reserve).state == state


def test_disk_that_will_soon_be_full(data: Path, fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1500}))
    found = look(data, fake_clock, "disk", disk_reserve_bytes=1000)
    assert (found.state, found.text.split(" (")[0]) == ("warning", "1.5 kB free, of which 1.0 kB are reserved")


def test_permissions(data: Path, fake_clock: Any) -> None:
    assert look(data, fake_clock, "files").state == "ok"
    data.chmod(0o755)
    assert look(data, fake_clock, "files").state == "ok"  # each file closes itself off
    (data / "spool.sqlite").chmod(0o644)
    found = look(data, fake_clock, "files")
    assert (found.state, found.advice) == ("warning", f"chmod 700 {data}")
    assert "spool.sqlite" in found.text
    assert "metadata.sqlite" not in found.text
    data.chmod(0o700)
    assert look(data, fake_clock, "files").state == "ok"


def test_a_clock_that_went_back(data: Path, fake_clock: Any) -> None:
    assert look(data, fake_clock, "clock").state == "ok"
    fake_clock.advance(-3600)
    assert look(data, fake_clock, "clock").state == "broken"


def test_a_clock_that_was_never_set(data: Path, fake_clock: Any) -> None:
    fake_clock.advance(-fake_clock.now_ms() / 1000)
    for path in data.iterdir():
        os.utime(path, (0, 0))
    assert look(data, fake_clock, "clock").state == "broken"


def test_mail_says_where_it_goes_and_no_password(data: Path, fake_clock: Any) -> None:
    assert look(data, fake_clock, "mail").state == "warning"
    server = {"smtp_url": "smtp://me:secret@mail.example.com:587", "mail_from": "a@example.com"}
    assert look(data, fake_clock, "mail", **server) == Finding("mail", "ok", "is sent through mail.example.com")


def test_the_age_of_the_last_backup(data: Path, fake_clock: Any) -> None:
    assert look(data, fake_clock, "backup").state == "warning"
    write_last_backup(data, LastBackup("2026-11-20T12:00:00.000Z", "/backups/x", 2_500_000))
    found = look(data, fake_clock, "backup")
    assert found == Finding("backup", "ok", "The last backup was made 2026-11-20 12:00 UTC, in /backups/x, 2.5 MB")
    fake_clock.advance(8 * 86_400)
    found = look(data, fake_clock, "backup")
    assert found.state == "warning"
    assert found.text.endswith("8 days ago.")


@pytest.mark.parametrize("note", ["{", '{"created":"yesterday","folder":"/b","size":1}'])
def test_a_note_that_cannot_be_read_is_none(data: Path, fake_clock: Any, note: str) -> None:
    (data / LAST_BACKUP_FILE).write_text(note)
    assert read_last_backup(data) is None
    assert look(data, fake_clock, "backup").text == "No backup has been made yet."


def test_a_note_that_cannot_be_written_is_no_fault(data: Path) -> None:
    write_last_backup(data / "gone", LastBackup("", "", 0))


def test_a_link_to_nowhere_is_no_hindrance(data: Path, fake_clock: Any) -> None:
    (data / "link").symlink_to("nowhere")
    fake_clock.advance(10**9)  # after whatever the clock of this machine says
    assert look(data, fake_clock, "clock").state == "ok"

"""What is set aside is all there, in a folder of its own."""

from pathlib import Path
from typing import Any

import pytest

from harness.clients.workspace import sign_up
from harness.servers.server import Server
from tallyroom.operations.installation.quarantine import quarantine_all, quarantine_entries

FOLDER = "set-aside-2026-11-20T120000Z"  # where the fake clock stands


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_everything_but_the_lock_and_what_was_set_aside_before(tmp_path: Path, fake_clock: Any) -> None:
    (tmp_path / "events").mkdir()
    for name in ("events/part", "metadata.sqlite", "secret.key", "server.lock"):
        (tmp_path / name).write_text(name)
    assert quarantine_all(tmp_path, fake_clock) == tmp_path / FOLDER
    moved = [f"{FOLDER}/{name}" for name in ("events", "events/part", "metadata.sqlite", "secret.key")]
    assert names(tmp_path) == sorted([FOLDER, "server.lock", *moved])
    (tmp_path / "spool.sqlite").touch()
    assert quarantine_all(tmp_path, fake_clock) == tmp_path / f"{FOLDER}-2"
    assert names(tmp_path / f"{FOLDER}-2") == ["spool.sqlite"]
    assert len(names(tmp_path / FOLDER)) == len(moved)
    assert quarantine_all(tmp_path, fake_clock) is None


def test_a_database_goes_with_its_logs(tmp_path: Path, fake_clock: Any) -> None:
    for name in ("spool.sqlite", "spool.sqlite-wal", "spool.sqlite-shm", "spool.sqlite.mine", "metadata.sqlite"):
        (tmp_path / name).touch()
    (tmp_path / "events").mkdir()
    folder = quarantine_entries(tmp_path, ["spool.sqlite", "events"], fake_clock)
    assert folder
    assert names(folder) == ["spool.sqlite", "spool.sqlite-shm", "spool.sqlite-wal"]
    assert quarantine_entries(tmp_path, ["events"], fake_clock) is None


@pytest.mark.long
def test_starting_over_deletes_nothing(data: Path) -> None:
    (data / "metadata.sqlite").unlink()
    over = Server(data, flags=("--start-over",)).start()
    try:
        [folder] = data.glob("set-aside-*")
        assert f"The previous contents of {data} are in {folder}; nothing was deleted.\n" in over.output
        assert {path.name for path in folder.iterdir()} == {"events", "installation.json", "spool.sqlite", "secret.key"}
        assert sign_up(over.url).get("/v1/actors").json()["actors"] == []
    finally:
        over.stop()

"""A spool copied in the middle of a run is known by the numbers that it would give again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.servers.command import tallyroom
from operations.installation.conftest import copied, remove
from operations.installation.test_refusal import fingerprint
from operations.installation.test_start import PRELUDE, Run, losses, put_aside, run

__all__ = ("PRELUDE", "run")  # a fixture, and what its interpreter runs first

SPOOL = "spool.sqlite"
WORDS = (
    "the spool (spool.sqlite) is an older copy: its next event would be number 4, and the event store holds number 5."
)


@pytest.fixture
def overtaken(ran: Path, data: Path) -> Path:
    """The store holds five events, and the spool is from when there were three, with the same epoch in its stamp."""
    remove(data / SPOOL)
    copied(ran / "early" / SPOOL, data / SPOOL)
    with closing(sqlite3.connect(data / SPOOL)) as spool, spool:
        spool.execute("UPDATE stamp SET epoch = 2")
    return data


def kept(data: Path) -> dict[str, str]:
    """All that is there but what the engine notes about itself when it is opened."""
    own = {str(data / "events" / name) for name in ("status", "tmp", "access", "user_defined")}
    return {name: content for name, content in fingerprint(data).items() if name not in own}


@pytest.mark.long
def test_a_start_refuses_it_and_changes_nothing(run: Run, overtaken: Path) -> None:
    before = kept(overtaken)
    said = run(overtaken, "")
    assert said.startswith("IncompleteInstallation ")
    assert WORDS in said
    assert "the spool has acknowledged 3 events; 0 are queued; the event store holds 5 events." in said
    assert "--accept-loss" in said
    assert kept(overtaken) == before


@pytest.mark.long
def test_the_right_one_put_back_starts(run: Run, ran: Path, overtaken: Path) -> None:
    assert run(overtaken, "").startswith("IncompleteInstallation ")
    copied(ran / "late" / SPOOL, overtaken / SPOOL)
    assert run(overtaken, "") == "5 5"


def test_going_on_without_it(run: Run, overtaken: Path) -> None:
    assert run(overtaken, "accept_loss=True") == "0 5"
    assert put_aside(overtaken) == [SPOOL]
    [what] = losses(overtaken)
    assert what == f"{WORDS.removesuffix('.')}: the events queued in it are lost"
    assert run(overtaken, "") == "0 5"


@pytest.mark.long
def test_doctor_and_backup_say_the_same(overtaken: Path, tmp_path: Path) -> None:
    examined = tallyroom("doctor", "--data", overtaken)
    assert examined.returncode == 1
    assert WORDS in examined.stdout
    assert "too often" not in examined.stdout
    saved = tallyroom("backup", tmp_path / "backup", "--data", overtaken)
    assert saved.returncode == 1
    assert WORDS in saved.stderr
    assert not (tmp_path / "backup").exists()

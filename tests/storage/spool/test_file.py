"""How the connection that writes is opened; what a loss of power leaves is test_power_loss.py's."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tallyroom.storage.spool.file import SCHEMA_VERSION, SpoolTooNew, open_spool_file, prepare_spool_file
from tallyroom.storage.spool.queue import Spool

_FULL = 2


def pragma(spool: Spool, name: str) -> Any:
    """As the thread that commits sees it."""
    return spool.change(lambda connection: connection.execute(f"PRAGMA {name}").fetchone()[0]).result()


def test_a_commit_is_synced_before_it_returns(spool: Spool) -> None:
    assert pragma(spool, "synchronous") == _FULL
    assert pragma(spool, "journal_mode") == "wal"


def test_what_is_deleted_is_not_written_again(spool: Spool) -> None:
    assert pragma(spool, "secure_delete") == 0


def test_every_connection_is_opened_alike(spool: Spool) -> None:
    with closing(spool.open_reader()) as reader:
        assert reader.execute("PRAGMA synchronous").fetchone() == (_FULL,)


def test_a_file_of_a_later_version_is_refused_and_left_alone(path: Path) -> None:
    with closing(open_spool_file(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        with pytest.raises(
            SpoolTooNew, match=f"schema {SCHEMA_VERSION + 1}, but this version supports {SCHEMA_VERSION}"
        ):
            prepare_spool_file(connection, bytes)
        assert connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)


def test_preparing_again_keeps_the_identity(path: Path) -> None:
    def identity(connection: sqlite3.Connection) -> int:
        return int(connection.execute("SELECT value FROM number WHERE name = 'spool'").fetchone()[0])

    with closing(open_spool_file(path)) as connection:
        prepare_spool_file(connection, lambda count: b"\x01" * count)
        first = identity(connection)
        prepare_spool_file(connection, lambda count: b"\x02" * count)
        assert identity(connection) == first == 0x01010101
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_a_trigger_that_changed_on_the_disk_is_made_again(path: Path) -> None:
    with closing(open_spool_file(path)) as connection:
        prepare_spool_file(connection, bytes)
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("CREATE TRIGGER idempotency_queue_delete AFTER DELETE ON chunk BEGIN SELECT 1; END")
        prepare_spool_file(connection, bytes)
        made = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    assert sorted(made) == sorted(triggers)


def test_an_upgrade_is_told_once(path: Path) -> None:
    told: list[tuple[object, object]] = []

    def migrated(before: object, after: object) -> None:
        told.append((before, after))

    with closing(open_spool_file(path)) as connection:
        prepare_spool_file(connection, bytes, migrated)
        assert told == []  # a new file is none
        connection.execute("PRAGMA user_version = 1")
        for _ in range(2):
            prepare_spool_file(connection, bytes, migrated)
    assert told == [(1, SCHEMA_VERSION)]

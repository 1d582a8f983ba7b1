"""What a file had that several workers took over is in a file again."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from harness.builders.metadata_rows import ROWS
from tallyroom.cluster.open_metadata import check_metadata, open_metadata_of_workers, take_over_metadata
from tallyroom.cluster.postgresql.migrate import run_with_connection
from tallyroom.cluster.postgresql.start_record import PostgresqlStartRecord
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import migrate
from tallyroom.storage.metadata.record import (
    AcceptedIdempotencyKey,
    MonthlyUsage,
    MovedAway,
    MoveDestination,
    MovedSpool,
    SpoolRecords,
)
from tallyroom.storage.stamp import Stamp

KEY = AcceptedIdempotencyKey("w", "production", "k", "print", 2, 5)
QUEUED = [AcceptedIdempotencyKey("w", "production", f"q{n}", "print", 1, 9 - n, "api-key", "queue") for n in range(3)]
TO = MoveDestination("there", "/new", 9)

_MAIL = "INSERT INTO mail_outbox VALUES ('m', 'a secret', 0, 5, 5, NULL);"
_TABLES = ("losses", "users", "workspaces", "group_keys", "feed_outbox", "mail_outbox")


def rows_of(file: Path) -> list[list[Any]]:
    with closing(sqlite3.connect(file)) as connection:
        return [connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in _TABLES]


@pytest.fixture
def source(tmp_path: Path, dsn: str) -> Path:
    """A file whose rows a database has taken over."""
    file = tmp_path / "source.sqlite"
    migrate(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(ROWS + _MAIL)
    moved = MovedSpool(7, Stamp("ours", 3), SpoolRecords([KEY, *QUEUED], [MonthlyUsage("w", 202611, 2)]))
    take_over_metadata(file, tmp_path / "metadata.sqlite", dsn, moved, lambda: None)
    return file


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A new file."""
    migrate(tmp_path / "target.sqlite")
    return tmp_path / "target.sqlite"


@pytest.mark.long
def test_every_row_is_there_and_numbers_go_on(source: Path, target: Path, dsn: str) -> None:
    assert open_metadata_of_workers(dsn).hand_over(target, Stamp("ours", 4), TO) == 7
    assert rows_of(target) == rows_of(source)
    with closing(sqlite3.connect(target)) as connection, connection:
        assert connection.execute("SELECT * FROM installation").fetchall() == [("ours", 4, None)]
        assert connection.execute("SELECT count(*) FROM idempotency_keys").fetchall() == [(0,)]
        connection.execute("INSERT INTO feed_outbox (table_name, lines) VALUES ('bot_votes', x'5b')")
        assert connection.execute("SELECT max(id) FROM feed_outbox").fetchone() == (3000000002,)


def test_the_database_is_marked(source: Path, target: Path, dsn: str) -> None:
    open_metadata_of_workers(dsn).hand_over(target, Stamp("ours", 4), TO)
    assert PostgresqlStartRecord(dsn, "here", "/old").read_metadata().moved_to == TO
    with pytest.raises(MovedAway, match="has moved to /new on there"):
        check_metadata(source, dsn)


@pytest.mark.usefixtures("source")
def test_a_file_with_rows_is_refused_and_marks_nothing(target: Path, dsn: str) -> None:
    with closing(sqlite3.connect(target)) as connection, connection:
        connection.execute("INSERT INTO users VALUES ('bob', 'bob@example.com', 'Bob', 'hash', 5)")
    with pytest.raises(TallyroomError, match="table users has rows"):
        open_metadata_of_workers(dsn).hand_over(target, Stamp("ours", 4), TO)
    assert PostgresqlStartRecord(dsn, "here", "/old").read_metadata().moved_to is None


@pytest.mark.usefixtures("source")
def test_what_spools_knew_and_what_is_secret_is_told(dsn: str) -> None:
    run_with_connection(dsn, _add_another_spool)
    metadata = open_metadata_of_workers(dsn)
    assert metadata.read_spool_records() == SpoolRecords([*QUEUED, KEY], [MonthlyUsage("w", 202611, 5)])
    assert metadata.read_encrypted_secrets() == ["a secret"]


def _add_another_spool(connection: Any) -> None:
    with connection.begin():
        connection.execute(text("INSERT INTO event_grants VALUES ('w', 202611, 8, 10, 3)"))
        connection.execute(text("INSERT INTO idempotency_keys VALUES ('w', 'e', 'open', 'f', 8, NULL, NULL, 5)"))

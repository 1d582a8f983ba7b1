"""The metadata of a file, in a database that has nothing yet."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from harness.builders.metadata_rows import ROWS
from tallyroom.cluster.open_metadata import take_over_metadata
from tallyroom.cluster.postgresql.migrate import run_with_connection
from tallyroom.cluster.postgresql.start_record import PostgresqlStartRecord
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.copying import CopyDiffers
from tallyroom.storage.metadata.migrate import migrate
from tallyroom.storage.metadata.record import (
    AcceptedIdempotencyKey,
    MonthlyUsage,
    MovedSpool,
    RegisteredSpool,
    SpoolRecords,
)
from tallyroom.storage.stamp import Stamp

QUEUED = [AcceptedIdempotencyKey("w", "production", f"q{n}", "print", 1, 6 + n, "api-key", "queue") for n in range(3)]
KNOWN = SpoolRecords(
    [AcceptedIdempotencyKey("w", "production", "k", "print", 2, 5), *QUEUED], [MonthlyUsage("w", 202611, 2)]
)
MOVED = MovedSpool(7, Stamp("ours", 3), KNOWN)

_INSTALLATION = "INSERT INTO installation VALUES ('ours', 2, NULL);"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file with rows of most types, whose last numbered row is gone."""
    migrate(tmp_path / "source.sqlite")
    with closing(sqlite3.connect(tmp_path / "source.sqlite")) as connection:
        connection.executescript(_INSTALLATION + ROWS)
    return tmp_path / "source.sqlite"


def nothing() -> None:
    """What is done before the commit."""


def ask(dsn: str, sql: str) -> list[Any]:
    return run_with_connection(dsn, lambda connection: [tuple(row) for row in connection.execute(text(sql))])


def test_every_row_is_there_and_numbers_go_on(source: Path, tmp_path: Path, dsn: str) -> None:
    seen = []
    rows = take_over_metadata(source, tmp_path / "0" / "metadata.sqlite", dsn, MOVED, lambda: seen.append(1))
    assert (rows, seen) == (6, [1])
    assert ask(dsn, "SELECT name FROM users") == [('Änn "x" \\',)]
    assert ask(dsn, "SELECT id, is_default FROM group_keys ORDER BY id") == [("g", True), ("h", False)]
    assert ask(dsn, "SELECT id, lines FROM feed_outbox") == [(3000000000, b"[\0]")]
    assert ask(dsn, "SELECT nextval('feed_outbox_id_seq'), nextval('losses_id_seq')") == [(3000000002, 42)]
    assert ask(dsn, "SELECT key, spool, accepted, received_ms FROM idempotency_keys WHERE queue IS NULL") == [
        ("k", 7, 2, 5)
    ]
    queued = "SELECT key, received_ms, api_key_id, queue, queue_position FROM idempotency_keys WHERE queue IS NOT NULL"
    assert ask(dsn, f"{queued} ORDER BY key") == [(f"q{n}", 6 + n, "api-key", "queue", n + 1) for n in range(3)]
    assert ask(dsn, "SELECT api_key_id, name, last_position, used_ms FROM idempotency_queues") == [
        ("api-key", "queue", 3, 8)
    ]
    assert ask(dsn, "SELECT workspace_id, month, spool, granted, used FROM event_grants") == [("w", 202611, 7, 2, 2)]


def test_the_spool_is_that_of_the_next_start(source: Path, tmp_path: Path, dsn: str) -> None:
    take_over_metadata(source, tmp_path / "0" / "metadata.sqlite", dsn, MOVED, nothing)
    found = PostgresqlStartRecord(dsn, "here", "there").read_metadata()
    assert found.stamp is not None
    assert (found.stamp.installation, found.stamp.epoch, found.stamp.begun_epoch) == ("ours", 3, None)
    (spool,) = found.spools.values()
    assert spool == RegisteredSpool(7, spool.host, str(tmp_path / "0"), 3, None, "live")


def test_a_database_with_rows_is_refused(source: Path, tmp_path: Path, dsn: str) -> None:
    take_over_metadata(source, tmp_path / "metadata.sqlite", dsn, MOVED, nothing)
    with pytest.raises(TallyroomError, match="is not empty"):
        take_over_metadata(source, tmp_path / "metadata.sqlite", dsn, MOVED, nothing)


def test_what_fails_before_the_commit_keeps_nothing(source: Path, tmp_path: Path, dsn: str) -> None:
    def fail() -> None:
        raise OSError("no mark")

    with pytest.raises(TallyroomError, match="no mark"):
        take_over_metadata(source, tmp_path / "metadata.sqlite", dsn, MOVED, fail)
    assert ask(dsn, "SELECT count(*) FROM users") == [(0,)]


def test_text_that_the_database_does_not_take_is_named(source: Path, tmp_path: Path, dsn: str) -> None:
    with closing(sqlite3.connect(source)) as connection, connection:
        connection.execute("UPDATE users SET name = 'a' || char(0)")
    with pytest.raises(TallyroomError, match=r"Copying the metadata failed"):
        take_over_metadata(source, tmp_path / "metadata.sqlite", dsn, MOVED, nothing)


def test_a_row_that_the_database_changes_is_noticed(source: Path, tmp_path: Path, dsn: str) -> None:
    change = (
        "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'Bob'; RETURN NEW; END $$"
    )
    run_with_connection(
        dsn,
        lambda connection: _run(
            connection, change, "CREATE TRIGGER change BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION change()"
        ),
    )
    with pytest.raises(CopyDiffers, match="The copy of the table users differs: it has 1 rows instead of 1"):
        take_over_metadata(source, tmp_path / "metadata.sqlite", dsn, MOVED, nothing)
    assert ask(dsn, "SELECT count(*) FROM users") == [(0,)]


def _run(connection: Connection, *statements: str) -> None:
    with connection.begin():
        for statement in statements:
            connection.execute(text(statement))

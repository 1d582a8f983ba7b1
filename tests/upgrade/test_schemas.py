"""After the migrations of this commit, workers of the commit before can go on: hosts are upgraded one by one.

Whatever they read is there, and whatever they write, without knowing a new column, is taken (CONTRIBUTING.md).
"""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import URL, Connection, inspect, make_url

from harness.servers.postgres import in_transaction
from harness.suite.few import few
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.storage.metadata.migrate import create_file_engine
from tallyroom.storage.metadata.migrate import migrate as migrate_file
from upgrade.conftest import FIXTURE, Copy
from upgrade.outside import serving


class Schema(NamedTuple):
    """What a database has: its columns by table and name, and its rules by table."""

    columns: dict[tuple[str, str], Any]
    unique: set[tuple[str, tuple[str, ...]]]
    checks: set[tuple[str, str]]
    links: set[tuple[str, tuple[str, ...]]]


def schema_of(connection: Connection) -> Schema:
    """All tables but the ledger of the migrations."""
    seen = inspect(connection)
    tables = [table for table in seen.get_table_names() if table != "alembic_version"]
    columns = {(table, each["name"]): each for table in tables for each in seen.get_columns(table)}
    unique = {(table, tuple(sorted(seen.get_pk_constraint(table)["constrained_columns"]))) for table in tables}
    for table in tables:
        found: list[Sequence[str | None]] = [each["column_names"] for each in seen.get_unique_constraints(table)]
        found += [each["column_names"] for each in seen.get_indexes(table) if each["unique"]]
        unique |= {(table, tuple(sorted(name for name in names if name))) for names in found}
    checks = {(table, each["sqltext"]) for table in tables for each in seen.get_check_constraints(table)}
    links = {
        (table, tuple(sorted(each["constrained_columns"]))) for table in tables for each in seen.get_foreign_keys(table)
    }
    return Schema(columns, unique, checks, links)


def hindrances(before: Schema, now: Schema) -> list[str]:
    """What keeps a worker that knows the schema of before from its work."""
    tables = {table for table, _ in before.columns}
    found = [f"{'.'.join(name)} is gone" for name in before.columns if name not in now.columns]
    for name, column in now.columns.items():
        old = before.columns.get(name)
        if old is None and name[0] in tables and not column["nullable"] and column["default"] is None:
            found.append(f"{'.'.join(name)} is new, and neither takes null nor has a default in the database")
        if old is not None and old["nullable"] and not column["nullable"]:
            found.append(f"{'.'.join(name)} no longer takes null")
        if old is not None and str(old["type"]) != str(column["type"]):
            found.append(f"{'.'.join(name)} was {old['type']} and is {column['type']}")
    for table, names in (now.unique - before.unique) | (now.links - before.links):
        if names and all((table, name) in before.columns for name in names):
            found.append(f"{table} has a new rule about {', '.join(names)}")
    checks = [(table, check) for table, check in now.checks - before.checks if table in tables]
    new = {
        table: [name for where, name in now.columns.keys() - before.columns.keys() if where == table]
        for table in tables
    }
    found += [
        f"{table} has the new check {check}" for table, check in checks if not any(name in check for name in new[table])
    ]
    return sorted(found)


def test_sqlite_takes_what_workers_of_before_write(tmp_path: Path) -> None:
    path = FIXTURE.unpack(tmp_path) / DATABASE_FILE
    before = _in_file(path)
    migrate_file(path)
    assert hindrances(before, _in_file(path)) == []


def test_postgresql_takes_what_workers_of_before_write(postgres_server: URL) -> None:
    from tallyroom.cluster.postgresql.migrate import migrate  # noqa: PLC0415 # not every Python has the driver

    with FIXTURE.loaded(postgres_server) as dsn:
        url = make_url(dsn).set(drivername="postgresql+asyncpg")
        before = asyncio.run(in_transaction(url, schema_of))
        migrate(dsn)
        assert hindrances(before, asyncio.run(in_transaction(url, schema_of))) == []


STORED = re.compile(r"^    (`\w+` .+?)(?: DEFAULT .*| CODEC\(.*|,)?$", re.MULTILINE)
COMPUTED = re.compile(r" (?:ALIAS|MATERIALIZED) .*")


def stored_in(data: Path) -> set[tuple[str, str]]:
    """The columns of the event store by table, each with its type and whether workers write it."""
    files = sorted((data / "events" / "metadata" / "default").glob("*.sql"))
    texts = [(file.stem, file.read_text(encoding="utf-8")) for file in files]
    return {(table, COMPUTED.sub(" computed", column)) for table, text in texts for column in STORED.findall(text)}


@pytest.mark.long
def test_the_event_store_takes_what_workers_of_before_write(copy: Copy) -> None:
    before = stored_in(copy.data)
    assert {("events", "`timestamp_ms` Int64 EPHEMERAL"), ("bot_votes", "`weight` UInt8")} <= before
    with serving(copy.data, copy.clock, copy.dsn) as server:
        assert server.stop() == 0
    assert before - stored_in(copy.data) == set()


OUTBOX = """id VARCHAR PRIMARY KEY, letter VARCHAR NOT NULL, attempts BIGINT NOT NULL, created_at_ms BIGINT NOT NULL,
    next_attempt_ms BIGINT NOT NULL"""


@few(
    2,
    ("change", "expected"),
    [
        ("ALTER TABLE alerts RENAME COLUMN value TO newest", ["alerts.value is gone"]),
        ("DROP TABLE losses", ["losses.at_ms is gone", "losses.id is gone", "losses.what is gone"]),
        (
            f"DROP TABLE mail_outbox; CREATE TABLE mail_outbox ({OUTBOX}, leased_until_ms BIGINT, kind INTEGER NOT NULL)",
            ["mail_outbox.kind is new, and neither takes null nor has a default in the database"],
        ),
        (
            f"DROP TABLE mail_outbox; CREATE TABLE mail_outbox ({OUTBOX}, leased_until_ms TEXT NOT NULL)",
            ["mail_outbox.leased_until_ms no longer takes null", "mail_outbox.leased_until_ms was BIGINT and is TEXT"],
        ),
        (
            f"DROP TABLE mail_outbox; CREATE TABLE mail_outbox ({OUTBOX}, leased_until_ms BIGINT, CHECK (attempts < 9))",
            ["mail_outbox has the new check attempts < 9"],
        ),
        ("CREATE UNIQUE INDEX one ON dashboards (name)", ["dashboards has a new rule about name"]),
        ("ALTER TABLE widgets ADD COLUMN rank INTEGER", []),
        ("ALTER TABLE widgets ADD COLUMN rank INTEGER DEFAULT 0 NOT NULL CHECK (rank < 9)", []),
        ("ALTER TABLE widgets ADD COLUMN mark TEXT; CREATE UNIQUE INDEX one ON widgets (mark)", []),
        ("CREATE TABLE other (name TEXT NOT NULL UNIQUE)", []),
    ],
)
def test_a_hindrance_is_noticed(tmp_path: Path, change: str, expected: list[str]) -> None:
    path = FIXTURE.unpack(tmp_path) / DATABASE_FILE
    before = _in_file(path)
    engine = create_file_engine(path)
    with engine.begin() as connection:
        for statement in change.split(";"):
            connection.exec_driver_sql(statement)
    engine.dispose()
    assert hindrances(before, _in_file(path)) == expected


def _in_file(path: Path) -> Schema:
    engine = create_file_engine(path)
    with engine.begin() as connection:
        found = schema_of(connection)
    engine.dispose()
    return found

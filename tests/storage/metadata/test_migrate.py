"""Migrations lead to exactly the schema of the models, once, and never backwards."""

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect
from sqlalchemy.pool import NullPool

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import check_schema, migrate, newest_revision, read_file_revision
from tallyroom.storage.metadata.models import Model

WIDGET = (
    "INSERT INTO widgets (id, dashboard_id, title, type, config, width, height, position, created_at_ms, updated_at_ms)"
    " VALUES (?, ?, '', ?, '{}', 6, 4, 0, 0, 0)"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database that went through every migration from nothing."""
    made = tmp_path / "migrated.sqlite"
    migrate(made)
    with closing(sqlite3.connect(made)) as connection:
        for table in _tables(connection):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    migrate(made)
    return made


@pytest.mark.long
def test_a_new_file_gets_the_schema_that_the_migrations_lead_to(path: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.sqlite"
    migrate(fresh)
    assert _schema(fresh) == _schema(path)


def _tables(connection: sqlite3.Connection) -> list[str]:
    """The tables, without SQLite's own, which it keeps."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return [name for (name,) in found.fetchall()]


def _schema(path: Path) -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            (table, *map(str, column))
            for table in _tables(connection)
            for column in connection.execute(f"PRAGMA table_info({table})").fetchall()
            if table != "alembic_version"
        } | {
            *connection.execute("SELECT version_num FROM alembic_version").fetchall(),
            *connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            ).fetchall(),
        }


@pytest.mark.long
def test_the_migrated_schema_is_the_schema_of_the_models(path: Path) -> None:
    with create_engine(f"sqlite:///{path}", poolclass=NullPool).connect() as connection:
        opts = {"compare_type": True, "compare_server_default": True, "include_object": _can_be_compared}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, Model.metadata) == []


def _can_be_compared(_thing: object, name: str | None, kind: str, *_: object) -> bool:
    """Alembic cannot read an index with a descending column; the test of a new file compares it."""
    return (kind, name) != ("index", "ix_voters_leaderboard")


@pytest.mark.long
def test_the_checks_are_the_checks_of_the_models(path: Path) -> None:
    # The comparison above does not see check constraints.
    made = create_engine("sqlite://")
    Model.metadata.create_all(made)
    migrated = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    for table in Model.metadata.tables:
        expected, actual = (inspect(engine).get_check_constraints(table) for engine in (made, migrated))
        assert actual == expected
    made.dispose()


def test_migrating_again_changes_nothing(path: Path) -> None:
    before = path.read_bytes()
    migrate(path)
    assert path.read_bytes() == before


def test_only_the_owner_may_read_the_file(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_starts_at_once_migrate_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrate, [tmp_path / "deep" / "metadata.sqlite"] * 4))


def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_future'")
        connection.commit()
    with pytest.raises(TallyroomError, match=r"9999_future.*newer"):
        migrate(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999_future",)]


@pytest.mark.long
def test_a_process_beside_the_server_takes_the_newest_schema_only(path: Path) -> None:
    check_schema(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001_identity'")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(TallyroomError, match=r"0001_identity.*start a server"):
        check_schema(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("content", "reason"), [(b"", "no schema"), (b"no database " * 100, "cannot be opened")])
def test_a_process_beside_the_server_refuses_another_file(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(TallyroomError, match=reason):
        check_schema(file)
    assert file.read_bytes() == content


def test_a_process_beside_the_server_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(TallyroomError, match="There is no"):
        check_schema(tmp_path / "metadata.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_database_says_which_revision_it_has(path: Path) -> None:
    assert read_file_revision(path) == newest_revision()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE alembic_version")
    assert read_file_revision(path) == ""


def test_rows_that_are_public_stay_public_and_no_others_become_so(tmp_path: Path) -> None:
    """See rules/boards#published-rows."""
    file = tmp_path / "metadata.sqlite"
    migrate(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            "ALTER TABLE widgets DROP COLUMN publish_rows; ALTER TABLE incidents DROP COLUMN no_data_since_ms;"
            " ALTER TABLE incidents DROP COLUMN no_data_told; DROP TABLE familiar_places; DROP TABLE work_items;"
            " DROP TABLE property_read_totals;"
            " ALTER TABLE alerts DROP COLUMN last_data_at_ms; ALTER TABLE alerts DROP COLUMN delayed_since_ms;"
            " DROP INDEX ix_deliveries_alert_id; ALTER TABLE deliveries DROP COLUMN alert_id;"
            " ALTER TABLE api_keys DROP COLUMN kind; DROP TABLE idempotency_queues;"
            " DROP INDEX ix_idempotency_keys_single; DROP INDEX ix_idempotency_keys_queue;"
            " ALTER TABLE idempotency_keys DROP COLUMN queue; ALTER TABLE idempotency_keys DROP COLUMN queue_position;"
            " ALTER TABLE idempotency_keys DROP COLUMN api_key_id;"
            " CREATE INDEX ix_idempotency_keys_at_ms ON idempotency_keys (at_ms);"
            " UPDATE alembic_version SET version_num = '0026_whole_counts'"
        )
        for board, is_public in (("open", 1), ("closed", 0)):
            connection.execute(
                "INSERT INTO dashboards (id, workspace_id, name, environment, time_range, is_public, slug, created_at_ms,"
                " updated_at_ms) VALUES (?, 'w', '', 'production', '7d', ?, ?, 0, 0)",
                (board, is_public, board),
            )
            for kind in ("table", "metric"):
                connection.execute(WIDGET, (f"{board} {kind}", board, kind))
        connection.commit()
    migrate(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(WIDGET, ("of a worker of the commit before", "open", "table"))
        found = dict(connection.execute("SELECT id, publish_rows FROM widgets").fetchall())
    assert [name for name, publishes in found.items() if publishes] == ["open table"]


@pytest.mark.long
def test_an_upgrade_is_told_once_and_a_new_file_is_none(path: Path, tmp_path: Path) -> None:
    told: list[tuple[object, object]] = []

    def migrated(before: object, after: object) -> None:
        told.append((before, after))

    migrate(tmp_path / "fresh.sqlite", migrated)
    migrate(path, migrated)
    assert told == []
    with closing(sqlite3.connect(path)) as connection:
        for table in _tables(connection):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    for _ in range(2):
        migrate(path, migrated)
    assert told == [("", newest_revision())]

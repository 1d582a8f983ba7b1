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
from tallyroom.db.migrate import migrate
from tallyroom.db.models import Model


def test_the_migrated_schema_is_the_schema_of_the_models(path: Path) -> None:
    with create_engine(f"sqlite:///{path}", poolclass=NullPool).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Model.metadata) == []


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

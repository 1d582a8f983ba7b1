"""The migrations run on PostgreSQL, too, and lead to the schema of the models there."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from harness.servers.postgres import command, fresh_database, in_transaction, migrate
from harness.stores.metadata import dsn_of
from tallyroom.cluster.postgresql.migrate import migrate as start
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import newest_revision
from tallyroom.storage.metadata.models import GroupKey, Model, Workspace

T = TypeVar("T")


def differences(connection: Connection) -> list[Any]:
    options = {"compare_type": True, "compare_server_default": True, "include_name": is_modelled}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), Model.metadata))


def is_modelled(name: str | None, kind: str, _parents: object) -> bool:
    """Only the database itself uses the table of its triggers."""
    return (kind, name) not in {
        ("table", "change_numbers"),
        ("table", "workers"),
        ("table", "spools"),
        ("table", "moved_away"),
    }


def schema(connection: Connection) -> dict[str, Any]:
    """All that the comparison of Alembic does not look at, checks and conditions of indexes among it."""
    look = inspect(connection)
    return {
        table: [
            sorted(look.get_columns(table), key=lambda each: each["name"]),
            look.get_pk_constraint(table),
            sorted(look.get_foreign_keys(table), key=lambda each: each["name"] or ""),
            sorted(look.get_check_constraints(table), key=lambda each: each["name"] or ""),
            sorted(look.get_unique_constraints(table), key=lambda each: each["name"] or ""),
            sorted(look.get_indexes(table), key=lambda each: each["name"] or ""),
        ]
        for table in look.get_table_names()
        if table not in {"alembic_version", "change_numbers", "workers", "spools", "moved_away"}
    }


def comparable(found: dict[str, Any]) -> dict[str, str]:
    return {table: repr(parts) for table, parts in found.items()}


@pytest.mark.long
def test_every_migration_runs_and_leads_to_the_models(migrated_postgres: URL, postgres_server: URL) -> None:
    assert ask(migrated_postgres, revision) == newest_revision()
    assert ask(migrated_postgres, differences) == []
    with fresh_database(postgres_server, Model.metadata.create_all) as made:
        assert comparable(ask(migrated_postgres, schema)) == comparable(ask(made, schema))


@pytest.mark.long
def test_the_database_itself_refuses_a_second_default(postgres_server: URL) -> None:
    rows = [("a", "w", True), ("b", "w", False), ("c", "w", False), ("d", "v", True)]
    with fresh_database(postgres_server, migrate) as database:
        ask(database, lambda connection: add(connection, rows))
        with pytest.raises(IntegrityError, match="uq_group_keys_default"):
            ask(database, lambda connection: add(connection, [("e", "w", True)]))


def test_starts_at_once_migrate_once(postgres_server: URL) -> None:
    with fresh_database(postgres_server, lambda _: None) as database, ThreadPoolExecutor(4) as starts:
        list(starts.map(start, [dsn_of(database)] * 4))
        assert ask(database, revision) == newest_revision()


def test_a_newer_database_is_refused(postgres_server: URL) -> None:
    with fresh_database(postgres_server, migrate) as database:
        ask(database, lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999_x'")))
        with pytest.raises(TallyroomError, match=r"9999_x.*newer"):
            start(dsn_of(database))
        assert ask(database, revision) == "9999_x"


def test_a_database_that_knows_letters_is_refused(postgres_server: URL) -> None:
    name = "tallyroom_test_language"
    options = "ENCODING 'UTF8' LOCALE 'C' LC_CTYPE 'C.UTF-8'"  # the only other locale that every machine has
    asyncio.run(command(postgres_server, f"CREATE DATABASE {name} TEMPLATE template0 {options}"))
    with pytest.raises(TallyroomError, match="LOCALE 'C'"):
        start(dsn_of(postgres_server.set(database=name)))
    asyncio.run(command(postgres_server, f"DROP DATABASE {name}"))


@pytest.mark.parametrize("dsn", ["postgresql://nobody@127.0.0.1:1/none", "postgresql://nobody@127.0.0.1:port/none"])
def test_no_server_is_an_error_with_a_sentence(dsn: str) -> None:
    with pytest.raises(TallyroomError, match="does not respond"):
        start(dsn)


def ask(database: URL, question: Callable[[Connection], T]) -> T:
    return asyncio.run(in_transaction(database, question))


def revision(connection: Connection) -> str:
    found: str = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    return found


def add(connection: Connection, rows: list[tuple[str, str, bool]]) -> None:
    for key, workspace, default in rows:
        made = {"name": workspace, "plan": "paid", "timezone": "UTC", "created_at_ms": 0}
        connection.execute(insert(Workspace).values(id=workspace, **made).on_conflict_do_nothing())
        values = {"prop_key": key, "label": key, "is_default": default, "created_at_ms": 0}
        connection.execute(insert(GroupKey).values(id=key, workspace_id=workspace, **values))

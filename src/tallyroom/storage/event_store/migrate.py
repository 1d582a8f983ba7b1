"""Migrates the event store to the schema of this version: numbered SQL files, each applied once, in order."""

import re
from collections.abc import Iterable
from importlib.resources import files
from itertools import chain

from tallyroom.core.data_directory import STORE_FOLDER
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

LEDGER_TABLE = "schema_migrations"
_CREATE_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (version UInt32, applied_at DateTime DEFAULT now())
ENGINE = MergeTree ORDER BY version SETTINGS fsync_after_insert = 1, min_rows_to_fsync_after_merge = 1
"""
_COMMENT_PATTERN = re.compile(r"^\s*--.*$", re.MULTILINE)
_CREATE_STATEMENT_PATTERN = re.compile(r"^CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS (\w+)")
_ALTERATION_PATTERN = re.compile(r"(?P<table>ALTER TABLE \w+ )(?P<change>.*)", re.DOTALL)


class StoreTooNew(TallyroomError):
    """A later version of Tallyroom wrote this event store."""


class TablesMissing(TallyroomError):
    """The event store lacks tables of its version: their definitions were deleted."""


def migrate(writer: Writer, last_version: int | None = None, on_migration: OnMigration = ignore_migration) -> int:
    """Apply the missing migrations up to `last_version` (None for the newest), and return the version reached.

    Each statement can safely run twice, so the next start completes a migration that a crash interrupted. A new store
    gets all of them at once, and `on_migration` is not called for it. Raises `StoreTooNew` or `TablesMissing`.
    """
    writer.command(_CREATE_LEDGER)
    current_version = read_version(writer)
    statements_by_version = _read_statements_by_version()
    target_version = max(statements_by_version) if last_version is None else last_version
    if current_version > target_version:
        raise StoreTooNew(
            f"The event store has schema {current_version}, but this version supports {target_version}. Start the "
            "version that wrote it, or a later one."
        )
    versions = range(1, current_version + 1)
    _refuse_missing_tables(writer, [statement for version in versions for statement in statements_by_version[version]])
    new_versions = range(current_version + 1, target_version + 1)
    if current_version == 0:
        for statement in _join_alterations(chain.from_iterable(map(statements_by_version.__getitem__, new_versions))):
            writer.command(statement)
        _record_versions(writer, new_versions)
    else:
        for version in new_versions:
            for statement in statements_by_version[version]:
                writer.command(statement)
            _record_versions(writer, [version])
    if current_version < target_version:
        writer.backend.sync_tables()
        if current_version:
            on_migration(current_version, target_version)
    return target_version


def _join_alterations(statements: Iterable[str]) -> list[str]:
    """Join consecutive changes of a table into one statement, because each takes up to 0.2 seconds."""
    joined_statements: list[str] = []
    for statement in statements:
        alteration = _ALTERATION_PATTERN.match(statement)
        if alteration and joined_statements and joined_statements[-1].startswith(alteration["table"]):
            joined_statements[-1] += f", {alteration['change']}"
        else:
            joined_statements.append(statement)
    return joined_statements


def _record_versions(writer: Writer, versions: Iterable[int]) -> None:
    writer.command(
        f"INSERT INTO schema_migrations (version) VALUES {', '.join(f'({version})' for version in versions)}"
    )


def _refuse_missing_tables(writer: Writer, statements: list[str]) -> None:
    """Refuse to recreate a lost table: the empty one would answer as if there had never been any rows."""
    expected_tables = {match[1] for statement in statements if (match := _CREATE_STATEMENT_PATTERN.match(statement))}
    existing_tables = writer.command("SELECT name FROM system.tables WHERE database = currentDatabase()").split()
    if missing_names := ", ".join(sorted(expected_tables.difference(existing_tables))):
        if writer.backend.folder is None:
            raise TablesMissing(f"The event store has lost {missing_names}. Restore it from a backup of the server.")
        raise TablesMissing(
            f"The event store has lost the definition of {missing_names}. Restore the files "
            f"{STORE_FOLDER}/store/*/*/*.sql from a copy of the data directory, or restore a backup."
        )


def read_version(writer: Writer) -> int:
    """Return the version recorded in the store."""
    return int(writer.command("SELECT max(version) FROM schema_migrations"))


def newest_version() -> int:
    """Return the version that this program needs."""
    return max(_read_statements_by_version())


def _read_statements_by_version() -> dict[int, list[str]]:
    folder = files("tallyroom.storage.event_store") / "migrations"
    return {
        int(entry.name[:4]): _split_statements(entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    }


def _split_statements(file_text: str) -> list[str]:
    """Split a file into statements; comments take whole lines, so every remaining semicolon ends a statement."""
    return [statement for fragment in _COMMENT_PATTERN.sub("", file_text).split(";") if (statement := fragment.strip())]

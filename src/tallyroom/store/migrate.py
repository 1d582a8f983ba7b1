"""Brings the event store to the schema of this version: numbered SQL files, each applied once, in order."""

import re
from importlib.resources import files

from tallyroom.core.errors import TallyroomError
from tallyroom.store.connection import Writer

LEDGER_TABLE = "schema_migrations"
_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (version UInt32, applied_at DateTime DEFAULT now())
ENGINE = MergeTree ORDER BY version SETTINGS fsync_after_insert = 1, min_rows_to_fsync_after_merge = 1
"""
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)


class StoreTooNew(TallyroomError):
    """A later version of Tallyroom wrote this event store."""


def migrate(writer: Writer, to: int | None = None) -> int:
    """Apply what is missing and return the version reached.

    Each statement can run twice, so a crash in the middle is mended by the next start.

    Args:
        writer: the store.
        to: stop at this version, which parts of an older store need; the newest when None.

    Raises:
        StoreTooNew: the store holds a version that this program does not know.
    """
    writer.command(_LEDGER)
    reached = version_of(writer)
    known = _migrations()
    newest = max(known) if to is None else to
    if reached > newest:
        raise StoreTooNew(
            f"The event store has schema {reached} and this version knows {newest}: start a version at least as new as "
            "the one that wrote it."
        )
    for version in range(reached + 1, newest + 1):
        for statement in known[version]:
            writer.command(statement)
        writer.command(f"INSERT INTO schema_migrations (version) VALUES ({version})")
    if reached < newest:
        writer.sync_folders()
    return newest


def version_of(writer: Writer) -> int:
    """The version that the store says it has."""
    return int(writer.command("SELECT max(version) FROM schema_migrations"))


def newest_version() -> int:
    """The version that this program wants."""
    return max(_migrations())


def _migrations() -> dict[int, list[str]]:
    folder = files("tallyroom.store") / "migrations"
    return {
        int(entry.name[:4]): _statements(entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    }


def _statements(text: str) -> list[str]:
    """The statements of a file; a comment takes a whole line, so a semicolon ends a statement."""
    return [statement for part in _COMMENT.sub("", text).split(";") if (statement := part.strip())]

"""Copies metadata from one database into another that has none, and verifies every table.

Either may be a SQLite file or a PostgreSQL database; both have the newest schema.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Table, func, inspect, select, text

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.models import (
    ErasurePart,
    EventGrant,
    IdempotencyKey,
    Installation,
    Model,
    SharedErasure,
)

_ROWS_AT_ONCE = 500
_HASHED_BYTES = 16

_OF_WORKERS = (IdempotencyKey, EventGrant, SharedErasure, ErasurePart)
"""What several workers agree on, and one alone knows from its spool."""

_STAYS = {model.__tablename__ for model in (Installation, *_OF_WORKERS)}

_SEQUENCE = text("SELECT pg_get_serial_sequence(:table, :column)")
_CONTINUE = text("SELECT setval(CAST(:sequence AS regclass), :number, false)")
_LAST_NUMBER = text("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = :table")
_FORGET_LAST = text("DELETE FROM sqlite_sequence WHERE name = :table")
_NOTE_LAST = text("INSERT INTO sqlite_sequence VALUES (:table, :number)")


class CopyDiffers(TallyroomError):
    """A table is not the same in both databases."""


def copy_metadata(source: Connection, target: Connection) -> int:
    """Copy all that does not depend on how many workers there are; return the number of rows.

    The stamp is left out, and so is what only several workers have: where they are, what they have counted together,
    and what is under way between them.

    Args:
        source: a connection in a transaction, in which nobody changes what it reads.
        target: one in a transaction that the caller commits.

    Raises:
        TallyroomError: the target has rows already.
        CopyDiffers: a table is not the same in both.
    """
    tables = Model.metadata.sorted_tables
    _refuse_rows(target, tables)
    tables_to_copy = [table for table in tables if table.name not in _STAYS]
    rows = sum([_copy(source, target, table) for table in tables_to_copy])
    for table in tables_to_copy:
        _continue_numbers(source, target, table)
    return rows


def _refuse_rows(target: Connection, tables: Sequence[Table]) -> None:
    for table in tables:
        if target.execute(select(func.count()).select_from(table)).scalar_one():
            raise TallyroomError(f"The metadata database is not empty: its table {table.name} has rows.")


def _copy(source: Connection, target: Connection, table: Table) -> int:
    rows = iter(source.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE}).mappings())
    source_digest = _Digest()
    while batch := [dict(row) for row in islice(rows, _ROWS_AT_ONCE)]:
        for row in batch:
            source_digest.add(row.values())
        target.execute(table.insert(), batch)
    target_digest = _Digest()
    for target_row in target.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE}):
        target_digest.add(target_row)
    if (target_digest.rows, target_digest.total) != (source_digest.rows, source_digest.total):
        raise CopyDiffers(
            f"The table {table.name} has {source_digest.rows:,} rows, and the copy has {target_digest.rows:,} that are "
            "not all the same. Nothing was changed."
        )
    return source_digest.rows


class _Digest:
    """Two sets of rows with the same digest are the same, in whatever order they come."""

    def __init__(self) -> None:
        self.rows = 0
        self.total = 0

    def add(self, row: Any) -> None:
        row_hash = sha256(repr(tuple(row)).encode(errors="surrogatepass")).digest()
        self.total += int.from_bytes(row_hash[:_HASHED_BYTES], "big")
        self.rows += 1


def _continue_numbers(source: Connection, target: Connection, table: Table) -> None:
    """Number new rows after all that were ever numbered."""
    if (key := table.autoincrement_column) is None:
        return
    number = max(_last_number(source, table), target.execute(select(func.coalesce(func.max(key), 0))).scalar_one())
    if target.dialect.name == "postgresql":
        target.execute(_CONTINUE, {"sequence": _sequence(target, table), "number": number + 1})
    elif _keeps_last_number(table):
        target.execute(_FORGET_LAST, {"table": table.name})
        target.execute(_NOTE_LAST, {"table": table.name, "number": number})


def _last_number(connection: Connection, table: Table) -> int:
    """Return the last number that a row of a table got, as far as the database remembers rows that are gone."""
    if connection.dialect.name == "postgresql":
        last, is_used = connection.exec_driver_sql(
            f"SELECT last_value, is_called FROM {_sequence(connection, table)}"  # noqa: S608 # quoted by the server
        ).one()
        return int(last) if is_used else int(last) - 1
    if not (_keeps_last_number(table) and inspect(connection).has_table("sqlite_sequence")):
        return 0
    return int(connection.execute(_LAST_NUMBER, {"table": table.name}).scalar_one())


def _keeps_last_number(table: Table) -> bool:
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _sequence(connection: Connection, table: Table) -> str:
    (key,) = table.primary_key
    sequence: str = connection.execute(_SEQUENCE, {"table": table.name, "column": key.name}).scalar_one()
    return sequence

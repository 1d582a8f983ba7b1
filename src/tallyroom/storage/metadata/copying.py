"""Copies metadata between databases with the newest schema, SQLite or PostgreSQL, and verifies every table."""

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
    IdempotencyQueue,
    Installation,
    Model,
    SharedErasure,
)

_BATCH_ROWS = 500
_HASH_BYTES = 16

# State that several workers share; a single worker has it in its spool.
_WORKER_MODELS = (IdempotencyKey, IdempotencyQueue, EventGrant, SharedErasure, ErasurePart)
_SKIPPED_TABLES = {model.__tablename__ for model in (Installation, *_WORKER_MODELS)}

_FIND_SEQUENCE = text("SELECT pg_get_serial_sequence(:table, :column)")
_SET_SEQUENCE = text("SELECT setval(CAST(:sequence AS regclass), :number, false)")
_READ_LAST_NUMBER = text("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = :table")
_DELETE_LAST_NUMBER = text("DELETE FROM sqlite_sequence WHERE name = :table")
_INSERT_LAST_NUMBER = text("INSERT INTO sqlite_sequence VALUES (:table, :number)")


class CopyDiffers(TallyroomError):
    """A table is not the same in both databases."""


def copy_metadata(source: Connection, target: Connection) -> int:
    """Copy everything that does not depend on the number of workers, and return the number of rows.

    Left out are the stamp, and the places, common counts and unfinished work of several workers. `source` must see no
    changes; the caller commits `target`. Raises `CopyDiffers`, or `TallyroomError` if the target has rows.
    """
    tables = Model.metadata.sorted_tables
    _refuse_rows(target, tables)
    tables_to_copy = [table for table in tables if table.name not in _SKIPPED_TABLES]
    row_count = sum([_copy_table(source, target, table) for table in tables_to_copy])
    for table in tables_to_copy:
        _continue_numbering(source, target, table)
    return row_count


def _refuse_rows(target: Connection, tables: Sequence[Table]) -> None:
    for table in tables:
        if target.execute(select(func.count()).select_from(table)).scalar_one():
            raise TallyroomError(f"The metadata database is not empty: its table {table.name} has rows.")


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    rows = iter(source.execute(select(table), execution_options={"yield_per": _BATCH_ROWS}).mappings())
    source_digest = _RowSetDigest()
    while batch := [dict(row) for row in islice(rows, _BATCH_ROWS)]:
        for row in batch:
            source_digest.add(row.values())
        target.execute(table.insert(), batch)
    target_digest = _RowSetDigest()
    for target_row in target.execute(select(table), execution_options={"yield_per": _BATCH_ROWS}):
        target_digest.add(target_row)
    if (target_digest.row_count, target_digest.hash_sum) != (source_digest.row_count, source_digest.hash_sum):
        raise CopyDiffers(
            f"The copy of the table {table.name} differs: it has {target_digest.row_count:,} rows instead of "
            f"{source_digest.row_count:,}, or different values. Nothing was changed."
        )
    return source_digest.row_count


class _RowSetDigest:
    """Sets of rows with the same digest are the same, in any order."""

    def __init__(self) -> None:
        self.row_count = 0
        self.hash_sum = 0

    def add(self, row: Any) -> None:
        row_hash = sha256(repr(tuple(row)).encode(errors="surrogatepass")).digest()
        self.hash_sum += int.from_bytes(row_hash[:_HASH_BYTES], "big")
        self.row_count += 1


def _continue_numbering(source: Connection, target: Connection, table: Table) -> None:
    """Continue after the highest number ever used, so that no number is used twice."""
    if (number_column := table.autoincrement_column) is None:
        return
    target_number = target.execute(select(func.coalesce(func.max(number_column), 0))).scalar_one()
    last_number = max(_read_last_number(source, table), target_number)
    if target.dialect.name == "postgresql":
        target.execute(_SET_SEQUENCE, {"sequence": _find_sequence_name(target, table), "number": last_number + 1})
    elif _keeps_last_number(table):
        target.execute(_DELETE_LAST_NUMBER, {"table": table.name})
        target.execute(_INSERT_LAST_NUMBER, {"table": table.name, "number": last_number})


def _read_last_number(connection: Connection, table: Table) -> int:
    """Return the last number used in a table; deleted rows count if the database remembers them."""
    if connection.dialect.name == "postgresql":
        last_value, is_used = connection.exec_driver_sql(
            f"SELECT last_value, is_called FROM {_find_sequence_name(connection, table)}"  # noqa: S608 # quoted by the server
        ).one()
        return int(last_value) if is_used else int(last_value) - 1
    if not (_keeps_last_number(table) and inspect(connection).has_table("sqlite_sequence")):
        return 0
    return int(connection.execute(_READ_LAST_NUMBER, {"table": table.name}).scalar_one())


def _keeps_last_number(table: Table) -> bool:
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _find_sequence_name(connection: Connection, table: Table) -> str:
    (key,) = table.primary_key
    sequence: str = connection.execute(_FIND_SEQUENCE, {"table": table.name, "column": key.name}).scalar_one()
    return sequence

"""Changes to property columns. The store makes each of them whole or not at all, and each may safely be made twice."""

import time
from collections.abc import Sequence
from contextlib import closing, suppress

import msgspec

from tallyroom.core import failpoints
from tallyroom.storage.event_store.backend.backend import Backend, ReadLimits
from tallyroom.storage.event_store.backend.sql_text import quote_literal
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.column import NAME_PREFIX, PropertyColumn
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.event_store.writer import Writer

_FEW_VALUES = 10_000
_POLL_SECONDS = 0.2
_COUNT_LIMITS = ReadLimits(seconds=120, memory_bytes=400_000_000, max_rows=10)
# The store deletes and rewrites rows by mutations, too, which would have to wait for one of these that failed.
_FILLS_SQL = f"""database = currentDatabase() AND table = 'events' AND NOT is_done
  AND position(command, 'MATERIALIZE COLUMN {NAME_PREFIX}') > 0"""


class ColumnFillFailed(StoreError):
    """The store could not fill a column, for example because the disk is full."""


class _ValueCounts(msgspec.Struct):
    event_count: int
    distinct_count: int


def add_column(writer: Writer, column: PropertyColumn) -> bool:
    """Add a column, which new events then have; return False if no event of the newest months has the property.

    Raises `StoreError`.
    """
    counts = _count_values(writer.backend, column.property_read)
    if not counts.event_count:
        return False
    failpoints.hit("columns.add.before")
    definition_sql = column.definition_sql(has_few_values=counts.distinct_count <= _FEW_VALUES)
    writer.command(f"ALTER TABLE events ADD COLUMN IF NOT EXISTS {definition_sql}")
    failpoints.hit("columns.add.after")
    return True


def fill_month(writer: Writer, columns: Sequence[PropertyColumn], month: int) -> None:
    """Fill columns for all events of a month, such as 202611, while others write; raises `StoreError`.

    A fill that a crash interrupts continues when the store is opened again.
    """
    if not _has_fill(writer):
        commands = (f"MATERIALIZE COLUMN {column.name} IN PARTITION ID '{month}'" for column in columns)
        failpoints.hit("columns.fill.before")
        writer.command(f"ALTER TABLE events {', '.join(commands)} SETTINGS mutations_sync = 0")
        failpoints.hit("columns.fill.begun")
    try:
        while _has_fill(writer):
            time.sleep(_POLL_SECONDS)
    except ColumnFillFailed:
        with suppress(StoreError):
            writer.command(f"KILL MUTATION WHERE {_FILLS_SQL} SYNC")
        raise
    failpoints.hit("columns.fill.after")


def retire_column(writer: Writer, column: PropertyColumn, now_ms: int) -> None:
    """Mark a column as no longer to be read, before it is dropped; raises `StoreError`."""
    retired_column = msgspec.structs.replace(column, retired_ms=now_ms)
    writer.command(f"ALTER TABLE events COMMENT COLUMN IF EXISTS {column.name} {quote_literal(retired_column.comment)}")
    failpoints.hit("columns.retire.after")


def drop_column(writer: Writer, column: PropertyColumn) -> None:
    """Drop a column; raises `StoreError`."""
    failpoints.hit("columns.drop.before")
    writer.command(f"ALTER TABLE events DROP COLUMN IF EXISTS {column.name}")
    failpoints.hit("columns.drop.after")


def _count_values(backend: Backend, property_read: PropertyRead) -> _ValueCounts:
    """Count the events of the newest two months that have a property, and, roughly, its different values."""
    sql = f"""
SELECT toUInt32(count()) AS event_count, toUInt32(uniq({property_read.map_name}[{{key:String}}])) AS distinct_count
FROM events
WHERE has(mapKeys({property_read.map_name}), {{key:String}}) AND toYYYYMM(timestamp) IN (
  SELECT DISTINCT toUInt32(partition_id) AS month FROM system.parts
  WHERE active AND database = currentDatabase() AND table = 'events' ORDER BY month DESC LIMIT 2)"""
    with closing(backend.open_reader(_COUNT_LIMITS)) as reader:
        return msgspec.json.decode(reader.query(sql, {"key": property_read.key}), type=_ValueCounts)


def _has_fill(writer: Writer) -> bool:
    reason_lines = writer.command(f"SELECT latest_fail_reason FROM system.mutations WHERE {_FILLS_SQL}").splitlines()
    if failure_reason := next(filter(None, reason_lines), ""):
        raise ColumnFillFailed(failure_reason)
    return bool(reason_lines)

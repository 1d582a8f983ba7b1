"""Changes to property columns. The store makes each of them whole or not at all, and each may safely be made twice."""

from contextlib import closing

import msgspec

from tallyroom.core import failpoints
from tallyroom.storage.event_store.backend.backend import Backend, ReadLimits
from tallyroom.storage.event_store.backend.sql_text import quote_literal
from tallyroom.storage.event_store.column_fill import stop_fills
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.row import month_of

_FEW_VALUES = 10_000
_MAX_COUNTED_EVENTS = 1_000_000
_COUNT_LIMITS = ReadLimits(seconds=120, memory_bytes=400_000_000, max_rows=10)


class _ValueCount(msgspec.Struct):
    distinct_count: int


def count_distinct_values(backend: Backend, property_read: PropertyRead, now_ms: int) -> int:
    """Return, roughly, how many values a property has in the newest two months with events; 0 if no event has it.

    Months after `now_ms` do not count: a few events dated far ahead would hide all others. Raises `StoreError`.
    """
    map_name, key = property_read
    sql = f"""
SELECT toUInt32(uniq(value)) AS distinct_count
FROM (
  SELECT {map_name}[{{key:String}}] AS value
  FROM events
  WHERE has(mapKeys({map_name}), {{key:String}}) AND toYYYYMM(timestamp) IN (
    SELECT DISTINCT toUInt32(partition_id) AS month FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'events' AND month <= {{last_month:UInt32}}
    ORDER BY month DESC LIMIT 2)
  LIMIT {_MAX_COUNTED_EVENTS}
)"""
    with closing(backend.open_reader(_COUNT_LIMITS)) as reader:
        return msgspec.json.decode(
            reader.query(sql, {"key": key, "last_month": month_of(now_ms)}), type=_ValueCount
        ).distinct_count


def add_column(writer: Writer, column: PropertyColumn, distinct_count: int) -> None:
    """Add a column for about so many values, which new events then have; raises `StoreError`."""
    failpoints.hit("columns.add.before")
    definition_sql = column.definition_sql(has_few_values=distinct_count <= _FEW_VALUES)
    writer.command(f"ALTER TABLE events ADD COLUMN IF NOT EXISTS {definition_sql}")
    failpoints.hit("columns.add.after")


def retire_column(writer: Writer, column: PropertyColumn, now_ms: int) -> None:
    """Mark a column as no longer to be read, before it is dropped; raises `StoreError`."""
    retired_column = msgspec.structs.replace(column, retired_ms=now_ms)
    writer.command(f"ALTER TABLE events COMMENT COLUMN IF EXISTS {column.name} {quote_literal(retired_column.comment)}")
    failpoints.hit("columns.retire.after")


def drop_column(writer: Writer, column: PropertyColumn) -> None:
    """Drop a column; raises `StoreError`."""
    stop_fills(writer.command)  # the store drops a column by a mutation, too
    failpoints.hit("columns.drop.before")
    writer.command(f"ALTER TABLE events DROP COLUMN IF EXISTS {column.name}")
    failpoints.hit("columns.drop.after")

"""Fills of property columns for the events of one month.

The store deletes and rewrites rows by mutations, too, one after the other: a deletion waits for a fill, and fails with
it. So a deletion stops fills first (erase.py), and the next run of the keeper begins them again.
"""

import time
from collections.abc import Sequence

from tallyroom.core import failpoints
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.writer import Writer

IS_FILL_SQL = "(table = 'events' AND position(command, 'MATERIALIZE COLUMN ') > 0)"
"""Condition on `system.mutations`, also for fills of `number_texts` (column_fill.py)."""

_POLL_SECONDS = 0.2
_UNFINISHED_FILLS_SQL = f"database = currentDatabase() AND NOT is_done AND {IS_FILL_SQL}"


class ColumnFillFailed(StoreError):
    """The store could not fill a column, for example because the disk is full."""


def fill_month(writer: Writer, columns: Sequence[PropertyColumn], month: int) -> None:
    """Fill columns for all events of a month, such as 202611, while others write, or until `stop_fills`.

    A fill that a crash interrupts continues when the store is opened again. After `ColumnFillFailed`, it is stopped.
    Raises `StoreError`.
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
        stop_fills(writer)
        raise
    failpoints.hit("columns.fill.after")


def stop_fills(writer: Writer) -> None:
    """Stop all fills, including another worker's; what they have filled stays. Raises `StoreError`."""
    if _list_failures(writer):
        writer.command(f"KILL MUTATION WHERE {_UNFINISHED_FILLS_SQL} SYNC")


def _has_fill(writer: Writer) -> bool:
    """Return whether the store is filling columns; raises `ColumnFillFailed` if it cannot."""
    failures = _list_failures(writer)
    if failure := next(filter(None, failures), ""):
        raise ColumnFillFailed(failure)
    return bool(failures)


def _list_failures(writer: Writer) -> list[str]:
    """Return why each unfinished fill has failed so far; "" if it has not."""
    return writer.command(f"SELECT latest_fail_reason FROM system.mutations WHERE {_UNFINISHED_FILLS_SQL}").splitlines()

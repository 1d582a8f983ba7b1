"""Fills columns that older parts of the events lack, month by month; until then, each query would compute them.

What is left to do is read from the store alone, so any worker may be interrupted anywhere: ClickHouse continues a
rewrite that it has accepted, even after a crash, and parts that it has not rewritten still lack the column.

ClickHouse rewrites parts for one change after the other: a deletion waits for a fill, and fails with it. So a deletion
stops fills first (erase.py), and the next run of the job that fills a column begins again.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from tallyroom.core import failpoints
from tallyroom.storage.event_store.errors import StoreError

Command = Callable[[str, dict[str, Any]], str]
"""Runs one statement with parameters and returns its output as text, such as `Writer.command`; raises `StoreError`."""

Wait = Callable[[float], bool]
"""Waits for so many seconds, or returns True at once if the server stops, such as `threading.Event.wait`."""

IS_FILL_SQL: Final = "(table = 'events' AND match(command, '^[(]?MATERIALIZE (COLUMN|INDEX) '))"
"""Condition on `system.mutations`. A deletion may contain such words, too, in an actor's name, but not at the start."""

_POLL_SECONDS = 0.2
_UNFINISHED_FILLS_SQL = f"database = currentDatabase() AND NOT is_done AND {IS_FILL_SQL}"
_LIST_FAILURES = f"SELECT latest_fail_reason FROM system.mutations WHERE {_UNFINISHED_FILLS_SQL}"
_LIST_UNFILLED_MONTHS = """
SELECT DISTINCT missing_column, partition_id
FROM (
  SELECT partition_id, name, groupArray(column) AS part_columns
  FROM system.parts_columns
  WHERE active AND database = currentDatabase() AND table = 'events'
  GROUP BY partition_id, name
)
ARRAY JOIN arrayFilter(column -> NOT has(part_columns, column), {columns:Array(String)}) AS missing_column"""


class ColumnFillFailed(StoreError):
    """The store could not fill a column, for example because the disk is full."""


class FillProgress:
    """Remembers from which time on all events have a column, so that queries know whether they may read it."""

    def __init__(self, column: str) -> None:
        self.column = column
        self._filled_from_ms: int | None = None  # None until read

    @property
    def is_complete(self) -> bool:
        """Whether all events have the column; then they always will, because every insert writes it."""
        return self._filled_from_ms == 0

    def refresh(self, command: Command) -> None:
        """Read it from the store, unless all was filled before; raises `StoreError`."""
        if not self.is_complete:
            months = list_unfilled_months(command, self.column)
            if months is not None:
                self._filled_from_ms = _find_end_ms(months[-1]) if months else 0

    def is_filled_from(self, from_ms: int) -> bool:
        """Return whether all events at or after `from_ms`, in milliseconds since 1970-01-01 UTC, have the column."""
        return self._filled_from_ms is not None and from_ms >= self._filled_from_ms


def find_unfilled_months(command: Command, columns: Sequence[str]) -> dict[str, frozenset[int]]:
    """Return the UTC months (as in 202611) in which a part lacks a column, for each of `columns`."""
    rows = [line.split("\t") for line in command(_LIST_UNFILLED_MONTHS, {"columns": [*columns]}).splitlines()]
    return {column: frozenset(int(month) for name, month in rows if name == column) for column in columns}


def list_unfilled_months(command: Command, column: str) -> list[int] | None:
    """Return the UTC months (as in 202611), in their order, in which a part lacks the column.

    None if the user of the store lacks the right to look, which is optional (docs/howto/scale.md).
    """
    try:
        return sorted(find_unfilled_months(command, [column])[column])
    except StoreError as error:
        if error.is_forbidden:
            return None
        raise


def fill_months(command: Command, column: str, wait: Wait, *, index: str = "") -> None:
    """Fill a column in all months that lack it, the newest first, until done or `wait` says that the server stops."""
    for month in reversed(list_unfilled_months(command, column) or ()):
        if not fill_month(command, [column], month, wait, index=index):
            return


def fill_month(command: Command, columns: Sequence[str], month: int, wait: Wait, *, index: str = "") -> bool:
    """Fill columns, and a skip `index`, for all events of a month, such as 202611, while others write.

    If a fill is under way already, as after a crash, wait for that one instead. Return False if `wait` says that the
    server stops; the store goes on. Raise `ColumnFillFailed` if the store cannot fill them; the fill is then stopped.
    """
    if not _list_failures(command):
        failpoints.hit("columns.fill.before")
        partition = f"IN PARTITION ID '{month}'"
        changes = [f"MATERIALIZE COLUMN {column} {partition}" for column in columns]
        changes += [f"MATERIALIZE INDEX {index} {partition}"] if index else []
        command(f"ALTER TABLE events {', '.join(changes)} SETTINGS mutations_sync = 0", {})
        failpoints.hit("columns.fill.begun")
    while failures := _list_failures(command):
        if failure := next(filter(None, failures), ""):
            stop_fills(command)
            raise ColumnFillFailed(failure)
        if wait(_POLL_SECONDS):
            return False
    failpoints.hit("columns.fill.after")
    return True


def stop_fills(command: Command) -> None:
    """Stop all fills, including another worker's; what they have filled stays. Raises `StoreError`."""
    if _list_failures(command):
        command(f"KILL MUTATION WHERE {_UNFINISHED_FILLS_SQL} SYNC", {})


def _list_failures(command: Command) -> list[str]:
    """Return why each unfinished fill has failed so far; "" if it has not."""
    return command(_LIST_FAILURES, {}).splitlines()


def _find_end_ms(month: int) -> int:
    year, month_of_year = divmod(month, 100)
    next_year, next_month = (year + 1, 1) if month_of_year == 12 else (year, month_of_year + 1)  # noqa: PLR2004 # December
    return int(datetime(next_year, next_month, 1, tzinfo=UTC).timestamp() * 1000)

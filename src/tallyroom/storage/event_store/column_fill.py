"""Fills a column that older parts of the events lack, month by month; until then, each query would compute it.

What is left to do is read from the store alone, so any worker may be interrupted anywhere: ClickHouse continues a
rewrite that it has accepted, even after a crash, and parts that it has not rewritten still lack the column.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tallyroom.core import failpoints
from tallyroom.storage.event_store.errors import StoreError

Command = Callable[[str, dict[str, Any]], str]
"""Runs one statement with parameters and returns its output as text, such as `Writer.command`; raises `StoreError`."""

_POLL_SECONDS = 0.2
_EVENTS_CONDITION = "database = currentDatabase() AND table = 'events'"
_LIST_UNFILLED_MONTHS = f"""
SELECT DISTINCT partition_id FROM system.parts
WHERE active AND {_EVENTS_CONDITION} AND name NOT IN (
  SELECT name FROM system.parts_columns WHERE active AND {_EVENTS_CONDITION} AND column = {{column:String}})
ORDER BY partition_id"""
_LIST_FAILURES_OF_FILLS = f"""
SELECT latest_fail_reason FROM system.mutations
WHERE NOT is_done AND {_EVENTS_CONDITION} AND startsWith(command, '(MATERIALIZE ')
  AND position(command, {{partition:String}}) > 0"""


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


def list_unfilled_months(command: Command, column: str) -> list[int] | None:
    """Return the UTC months (as in 202611), in their order, in which a part lacks the column.

    None if the user of the store lacks the right to look, which is optional (docs/howto/scale.md).
    """
    try:
        return [int(month) for month in command(_LIST_UNFILLED_MONTHS, {"column": column}).split()]
    except StoreError as error:
        if error.is_forbidden:
            return None
        raise


def fill_months(command: Command, column: str, wait: Callable[[float], bool], *, index: str = "") -> None:
    """Fill a column in all months that lack it, the newest first; see `fill_month`."""
    for month in reversed(list_unfilled_months(command, column) or ()):
        fill_month(command, column, month, wait, index=index)


def fill_month(command: Command, column: str, month: int, wait: Callable[[float], bool], *, index: str = "") -> None:
    """Fill a column, and its skip `index` if it has one, in one month; return when done or `wait(seconds)` is True.

    Raises `StoreError` if the store cannot rewrite the month, for example on a full disk. It keeps trying, so the next
    call waits for that, and does not begin again.
    """
    partition = f"IN PARTITION {month}"
    if not command(_LIST_FAILURES_OF_FILLS, {"partition": partition}):
        failpoints.hit("fill.month")
        fill_index = f", MATERIALIZE INDEX {index} {partition}" if index else ""
        fill = f"ALTER TABLE events MATERIALIZE COLUMN {column} {partition}{fill_index}"
        command(f"{fill} SETTINGS mutations_sync = 0", {})
        failpoints.hit("fill.month.after")
    while failures := command(_LIST_FAILURES_OF_FILLS, {"partition": partition}):
        if reason := failures.strip():
            raise StoreError(reason)
        if wait(_POLL_SECONDS):
            return
    failpoints.hit("fill.month.done")


def _find_end_ms(month: int) -> int:
    year, month_of_year = divmod(month, 100)
    next_year, next_month = (year + 1, 1) if month_of_year == 12 else (year, month_of_year + 1)  # noqa: PLR2004 # December
    return int(datetime(next_year, next_month, 1, tzinfo=UTC).timestamp() * 1000)

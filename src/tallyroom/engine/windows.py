"""Finds the window that a span means in a workspace (rules/questions#window)."""

import msgspec

from tallyroom.core.ranges import RANGE_MS, FixedSpan, Span
from tallyroom.db.connection import Database
from tallyroom.engine.repository import find_circumstances
from tallyroom.engine.spans import window_of
from tallyroom.engine.window import Window
from tallyroom.store.read import EventReader
from tallyroom.store.scope import Scope

UTC = "UTC"

# In the order of the table's days, so that the store stops at the first of them.
_FIRST = """
SELECT toUnixTimestamp64Milli(min(timestamp)) AS first_ms
FROM events
WHERE {scope} AND toDate(timestamp) = (
  SELECT toDate(timestamp) AS day
  FROM events
  WHERE {scope}
  ORDER BY day
  LIMIT 1)
HAVING count() > 0"""


class _First(msgspec.Struct):
    first_ms: int


class Windows:
    """Finds windows.

    Args:
        reader: knows the first event, with which the span `all` begins.
        database: knows the time zone of the workspace.
    """

    def __init__(self, reader: EventReader, database: Database) -> None:
        self._reader = reader
        self._database = database

    async def find(self, span: Span, scope: Scope, now_ms: int) -> Window:
        """Return the window that a span means at a moment.

        Raises:
            Unavailable: the event store does not respond.
        """
        if span == "all":
            return window_of(span, now_ms, UTC, await self._first_ms(scope))
        needs_zone = not isinstance(span, FixedSpan) and span not in RANGE_MS
        zone = find_circumstances(self._database, scope.workspace_id).timezone if needs_zone else UTC
        return window_of(span, now_ms, zone)

    async def _first_ms(self, scope: Scope) -> int | None:
        found = await self._reader.rows(_FIRST.strip(), scope, {}, _First)
        return found[0].first_ms if found else None

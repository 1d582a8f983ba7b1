"""Finds the window that a span means in a workspace (rules/questions#window)."""

from tallyroom.core.ranges import RANGE_MS, FixedSpan, Span
from tallyroom.queries.event_times import first_event_ms
from tallyroom.queries.repository import find_circumstances
from tallyroom.queries.spans import window_of
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

UTC = "UTC"


class Windows:
    """Finds windows.

    Args:
        reader: knows the first event, with which the span `all` begins.
        database: knows the time zone of the workspace.
    """

    def __init__(self, reader: EventReader, database: Database) -> None:
        self._reader = reader
        self._database = database

    async def find(self, span: Span, scope: Scope, now_ms: int, timezone: str | None = None) -> Window:
        """Return the window that a span means at a moment, by the calendar of a time zone.

        Args:
            span: what was asked for.
            scope: whose events.
            now_ms: the moment.
            timezone: the time zone; None for the workspace's.

        Raises:
            Unavailable: the event store does not respond.
        """
        if span == "all":
            return window_of(span, now_ms, UTC, await first_event_ms(self._reader, scope))
        needs_zone = not isinstance(span, FixedSpan) and span not in RANGE_MS
        if not needs_zone:
            return window_of(span, now_ms, UTC)
        zone = timezone or (await find_circumstances(self._database, scope.workspace_id)).timezone
        return window_of(span, now_ms, zone)

"""Finds the window of a time range in a workspace (rules/questions#window)."""

from tallyroom.core.ranges import RANGE_DURATION_MS, FixedRange, TimeRange
from tallyroom.queries.event_times import find_first_event_ms
from tallyroom.queries.repository import find_workspace_defaults
from tallyroom.queries.time_ranges import resolve_window
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

UTC = "UTC"


class WindowResolver:
    """Finds windows; only the time range `all` needs the first event from the store."""

    def __init__(self, reader: EventReader, database: Database) -> None:
        self._reader = reader
        self._database = database

    async def resolve(self, time_range: TimeRange, scope: Scope, now_ms: int, timezone: str | None = None) -> Window:
        """Return the window of a time range at `now_ms`; with `timezone` None, by the workspace's time zone."""
        if time_range == "all":
            return resolve_window(time_range, now_ms, UTC, await find_first_event_ms(self._reader, scope))
        if isinstance(time_range, FixedRange) or time_range in RANGE_DURATION_MS:
            return resolve_window(time_range, now_ms, UTC)
        calendar_timezone = timezone or (await find_workspace_defaults(self._database, scope.workspace_id)).timezone
        return resolve_window(time_range, now_ms, calendar_timezone)

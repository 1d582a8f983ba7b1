"""The event-store SQL of the actor endpoints."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tallyroom.core.notices import Notices
from tallyroom.events.actors.schemas import ActivityRow, ActorListPosition, TimelineRow
from tallyroom.queries.newest_events import NEWEST_FIRST
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.labels import ACTORS_BY_LABEL, fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

TIMELINE_EVENTS = 100

# The window has both of its ends. The days are for the index (queries/window.py, `between`).
_IN_RANGE = """timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
  AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC'))
                AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))"""

_ACTIVITY_COLUMNS = """actor,
       count() AS event_count,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms"""

_MATCHES_SEARCH = f"""
  AND (positionCaseInsensitiveUTF8(actor, {{q:String}}) > 0 OR actor IN ({ACTORS_BY_LABEL}))"""

_AFTER = """
HAVING event_count < {last_count:UInt64} OR (event_count = {last_count:UInt64} AND actor > {last_actor:String})"""

_SELECT_ACTIVITY = f"""
SELECT {_ACTIVITY_COLUMNS}
FROM events
WHERE {{scope}} AND {_IN_RANGE} AND actor = {{actor:String}}
GROUP BY actor"""

_SELECT_TIMELINE = f"""
SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, source, properties
FROM events
WHERE {{scope}} AND {_IN_RANGE} AND actor = {{actor:String}}
ORDER BY {NEWEST_FIRST}
LIMIT {TIMELINE_EVENTS}"""


class ActorQueries:
    """Reads actors of one scope.

    Args:
        reader: the event store.
        scope: whose events.
        window: of which time.
        fresh: whether the store has all that was acknowledged before.
    """

    def __init__(self, reader: EventReader, scope: Scope, window: Window, *, fresh: bool) -> None:
        self._reader = reader
        self._fresh = fresh
        self._scope = scope
        self._window: dict[str, Any] = msgspec.structs.asdict(window)

    def notices(self) -> Notices:
        """Return the notices for answers about the window."""
        return self._reader.notices(self._window["from_ms"], self._window["until_ms"], is_fresh=self._fresh)

    async def find_busiest(
        self, limit: int, search_text: str | None, after: ActorListPosition | None
    ) -> list[ActivityRow]:
        """Find at most `limit` actors that match the text and come after `after`, sorted by event count, then key."""
        sql = f"""
SELECT {_ACTIVITY_COLUMNS}
FROM events
WHERE {{scope}} AND {_IN_RANGE} AND actor != ''{_MATCHES_SEARCH if search_text else ""}
GROUP BY actor{_AFTER if after else ""}
ORDER BY event_count DESC, actor
LIMIT {{limit:UInt32}}"""
        parameters = self._window | {"limit": limit}
        if search_text:
            parameters |= {"q": search_text}
        if after:
            parameters |= {"last_count": after.event_count, "last_actor": after.actor_key}
        return await self._reader.fetch_rows(sql, self._scope, parameters, ActivityRow)

    async def find_labels(self, actors: list[str]) -> dict[str, str]:
        """Find the newest label of each of `actors` that ever had one, regardless of the window."""
        return await fetch_newest_labels(self._reader, self._scope, actors)

    async def find_activity(self, actor: str, timeline: Sequence[TimelineRow]) -> ActivityRow:
        """Find one actor's activity; with few events, it comes from the `timeline`, which must not be empty."""
        if len(timeline) < TIMELINE_EVENTS:
            return ActivityRow(actor, len(timeline), timeline[-1].timestamp_ms, timeline[0].timestamp_ms)
        [activity] = await self._reader.fetch_rows(
            _SELECT_ACTIVITY, self._scope, self._window | {"actor": actor}, ActivityRow
        )
        return activity

    async def find_timeline(self, actor: str) -> list[TimelineRow]:
        """Find the newest events of one actor, newest first."""
        return await self._reader.fetch_rows(
            _SELECT_TIMELINE, self._scope, self._window | {"actor": actor}, TimelineRow
        )

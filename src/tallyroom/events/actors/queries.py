"""The event-store SQL of the actor endpoints."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tallyroom.core.notices import Notices
from tallyroom.events.actors.schemas import ActorActivityRow, ActorListPosition, TimelineRow
from tallyroom.queries.newest_events import NEWEST_FIRST
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.labels import ACTORS_BY_LABEL, fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MAX_TIMELINE_EVENTS = 100

# The window includes both of its ends. The days are for the index (queries/window.py, `between`).
_IN_RANGE_SQL = """timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
  AND timestamp <= fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND indexHint(toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC'))
                AND toDate(timestamp) <= toDate(fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')))"""

_ACTIVITY_COLUMNS = """actor,
       count() AS event_count,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms"""

_MATCHES_SEARCH_SQL = f"""
  AND (positionCaseInsensitiveUTF8(actor, {{q:String}}) > 0 OR actor IN ({ACTORS_BY_LABEL}))"""

_HAVING_AFTER_SQL = """
HAVING event_count < {last_count:UInt64} OR (event_count = {last_count:UInt64} AND actor > {last_actor:String})"""

_SELECT_ACTIVITY = f"""
SELECT {_ACTIVITY_COLUMNS}
FROM events
WHERE {{scope}} AND {_IN_RANGE_SQL} AND actor = {{actor:String}}
GROUP BY actor"""

_SELECT_TIMELINE = f"""
SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, source, properties
FROM events
WHERE {{scope}} AND {_IN_RANGE_SQL} AND actor = {{actor:String}}
ORDER BY {NEWEST_FIRST}
LIMIT {MAX_TIMELINE_EVENTS}"""


class ActorQueries:
    """Reads actors of one scope and window; `is_fresh` is whether the store has all events acknowledged before."""

    def __init__(self, reader: EventReader, scope: Scope, window: Window, *, is_fresh: bool) -> None:
        self._reader = reader
        self.is_fresh = is_fresh
        self._scope = scope
        self._window_parameters: dict[str, Any] = msgspec.structs.asdict(window)

    def notices(self) -> Notices:
        """Return the notices for answers about the window."""
        return self._reader.notices(
            self._window_parameters["from_ms"], self._window_parameters["until_ms"], is_fresh=self.is_fresh
        )

    async def find_busiest_actors(
        self, limit: int, search_text: str | None, after_position: ActorListPosition | None
    ) -> list[ActorActivityRow]:
        """Find at most `limit` actors that match the text, after `after_position`, sorted by event count, then key."""
        sql = f"""
SELECT {_ACTIVITY_COLUMNS}
FROM events
WHERE {{scope}} AND {_IN_RANGE_SQL} AND actor != ''{_MATCHES_SEARCH_SQL if search_text else ""}
GROUP BY actor{_HAVING_AFTER_SQL if after_position else ""}
ORDER BY event_count DESC, actor
LIMIT {{limit:UInt32}}"""
        parameters = self._window_parameters | {"limit": limit}
        if search_text:
            parameters |= {"q": search_text}
        if after_position:
            parameters |= {"last_count": after_position.event_count, "last_actor": after_position.actor_key}
        return await self._reader.fetch_rows(sql, self._scope, parameters, ActorActivityRow)

    async def find_newest_labels(self, actor_keys: list[str]) -> dict[str, str]:
        """Find the newest label of each of `actor_keys` that ever had one, regardless of the window."""
        return await fetch_newest_labels(self._reader, self._scope, actor_keys)

    async def find_activity(self, actor_key: str, timeline: Sequence[TimelineRow]) -> ActorActivityRow:
        """Find one actor's activity; with few events, it comes from the `timeline`, which must not be empty."""
        if len(timeline) < MAX_TIMELINE_EVENTS:
            return ActorActivityRow(actor_key, len(timeline), timeline[-1].timestamp_ms, timeline[0].timestamp_ms)
        [activity] = await self._reader.fetch_rows(
            _SELECT_ACTIVITY, self._scope, self._window_parameters | {"actor": actor_key}, ActorActivityRow
        )
        return activity

    async def find_timeline(self, actor_key: str) -> list[TimelineRow]:
        """Find the newest events of one actor, newest first."""
        return await self._reader.fetch_rows(
            _SELECT_TIMELINE, self._scope, self._window_parameters | {"actor": actor_key}, TimelineRow
        )

"""The event-store SQL of the actor endpoints."""

from collections.abc import Sequence

from tallyroom.core.notices import Notices
from tallyroom.events.activity_list import ActivityListQuestion
from tallyroom.events.actors.schemas import ActorActivityRow, ActorListPosition, TimelineRow
from tallyroom.queries.newest_events import NEWEST_FIRST
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.labels import ACTORS_BY_LABEL, fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MAX_TIMELINE_EVENTS = 100

_ACTIVITY_COLUMNS = """actor,
       count() AS event_count,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms"""


class ActorQueries:
    """Reads actors of one scope and window; `is_fresh` is whether the store has all events acknowledged before."""

    def __init__(self, reader: EventReader, scope: Scope, window: Window, *, is_fresh: bool) -> None:
        self._reader = reader
        self.is_fresh = is_fresh
        self._scope = scope
        self._window = window

    def notices(self) -> Notices:
        """Return the notices for answers about the window."""
        return self._reader.notices(self._window.from_ms, self._window.until_ms, is_fresh=self.is_fresh)

    async def find_actors(
        self, question: ActivityListQuestion, limit: int, after_position: ActorListPosition | None
    ) -> list[ActorActivityRow]:
        """Find at most `limit` actors after `after_position`; equals in the order of the question are sorted by key."""
        parameters = QueryParameters()
        search_conditions = [_build_search_sql(question.search_text, parameters)] if question.search_text else []
        conditions = [
            self._window.condition(parameters),
            "actor != ''",
            *search_conditions,
            *question.selection.build_conditions(parameters),
        ]
        sort_column = question.sort_column
        having_sql = f"\nHAVING {_build_after_sql(sort_column, after_position, parameters)}" if after_position else ""
        sql = f"""
SELECT {_ACTIVITY_COLUMNS}
FROM events
{scoped_where(*conditions)}
GROUP BY actor{having_sql}
ORDER BY {sort_column} DESC, actor
LIMIT {parameters.bind_integer("limit", limit)}"""
        return await self._reader.fetch_rows(sql, self._scope, parameters.values, ActorActivityRow, parameters.span)

    async def find_newest_labels(self, actor_keys: list[str]) -> dict[str, str]:
        """Find the newest label of each of `actor_keys` that ever had one, regardless of the window."""
        return await fetch_newest_labels(self._reader, self._scope, actor_keys)

    async def find_activity(self, actor_key: str, timeline: Sequence[TimelineRow]) -> ActorActivityRow:
        """Find one actor's activity; with few events, it comes from the `timeline`, which must not be empty."""
        if len(timeline) < MAX_TIMELINE_EVENTS:
            return ActorActivityRow(actor_key, len(timeline), timeline[-1].timestamp_ms, timeline[0].timestamp_ms)
        parameters = QueryParameters()
        sql = f"""
SELECT {_ACTIVITY_COLUMNS}
FROM events
{self._build_where_actor(actor_key, parameters)}
GROUP BY actor"""
        [activity] = await self._reader.fetch_rows(sql, self._scope, parameters.values, ActorActivityRow)
        return activity

    async def find_timeline(self, actor_key: str) -> list[TimelineRow]:
        """Find the newest events of one actor, newest first."""
        parameters = QueryParameters()
        sql = f"""
SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, source, properties
FROM events
{self._build_where_actor(actor_key, parameters)}
ORDER BY {NEWEST_FIRST}
LIMIT {MAX_TIMELINE_EVENTS}"""
        return await self._reader.fetch_rows(sql, self._scope, parameters.values, TimelineRow)

    def _build_where_actor(self, actor_key: str, parameters: QueryParameters) -> str:
        is_actor_sql = f"actor = {parameters.bind_text('actor', actor_key)}"
        return scoped_where(self._window.condition(parameters), is_actor_sql)


def _build_search_sql(search_text: str, parameters: QueryParameters) -> str:
    text_sql = parameters.bind_text("q", search_text)  # the first to be bound, so that it has the name in the SQL below
    return f"(positionCaseInsensitiveUTF8(actor, {text_sql}) > 0 OR actor IN ({ACTORS_BY_LABEL}))"


def _build_after_sql(sort_column: str, position: ActorListPosition, parameters: QueryParameters) -> str:
    last_value = parameters.bind_integer("last_value", position.sort_value)
    last_actor = parameters.bind_text("last_actor", position.actor_key)
    return f"{sort_column} < {last_value} OR ({sort_column} = {last_value} AND actor > {last_actor})"

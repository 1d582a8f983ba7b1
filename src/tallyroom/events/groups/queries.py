"""The event-store SQL of the group endpoints.

Groups are read from `strings`, so a number or a list is never a group. An empty string means no group.
"""

from tallyroom.events.activity_list import ActivityListQuestion
from tallyroom.events.groups.schemas import (
    MAX_PROP_KEY_LENGTH,
    START_CHARACTERS,
    CandidateRow,
    GroupActivityRow,
    GroupListPosition,
    GroupTotals,
    SentRow,
)
from tallyroom.queries.keys import Property
from tallyroom.queries.newest_events import NEWEST_FIRST, STORED_COLUMNS, StoredEvent
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MAX_RECENT_EVENTS = 100
MAX_CANDIDATES = 200
MAX_EVENT_TYPES = 5

_START_SQL = f"leftUTF8(group_key, {START_CHARACTERS})"
_BUSIEST_NAMES_SQL = f"""arraySlice(
         arraySort(
           counted -> (-counted.2, counted.1),
           arrayZip(sumMap([toString(name)], [toUInt64(1)]).1, sumMap([toString(name)], [toUInt64(1)]).2)
         ), 1, {MAX_EVENT_TYPES})"""
_REST_SQL = f"if(lengthUTF8(group_key) > {START_CHARACTERS}, hex(sipHash128(group_key)), '')"


class GroupQueries:
    """Reads the groups of one property, `prop_key`, in one scope and window."""

    def __init__(self, reader: EventReader, scope: Scope, window: Window, prop_key: str) -> None:
        self._reader = reader
        self._scope = scope
        self._window = window
        self._prop_key = prop_key

    async def find_groups(
        self, question: ActivityListQuestion, limit: int, after_position: GroupListPosition | None
    ) -> list[GroupActivityRow]:
        """Find at most `limit` groups after `after_position`; equals in the order of the question are sorted by id.

        Ids are ordered by their first 256 characters, then by a hash, because a whole id does not fit into a cursor in
        a URL.
        """
        parameters = QueryParameters()
        group_sql = self._build_group_sql(parameters)
        search_conditions = (
            [f"positionCaseInsensitiveUTF8({group_sql}, {parameters.bind_text('q', question.search_text)}) > 0"]
            if question.search_text
            else []
        )
        conditions = [
            self._window.condition(parameters),
            f"{group_sql} != ''",
            *search_conditions,
            *question.selection.build_conditions(parameters),
        ]
        sort_column = question.sort_column
        having_sql = f"\nHAVING {_build_after_sql(sort_column, after_position, parameters)}" if after_position else ""
        sql = f"""
SELECT {group_sql} AS group_key, {_REST_SQL} AS rest, count() AS event_count,
  uniqExactIf(actor, actor != '') AS actor_count, toUnixTimestamp64Milli(max(timestamp)) AS last_ms
FROM events
{scoped_where(*conditions)}
GROUP BY group_key{having_sql}
ORDER BY {sort_column} DESC, {_START_SQL}, rest
LIMIT {parameters.bind_integer("limit", limit)}"""
        return await self._reader.fetch_rows(sql, self._scope, parameters.values, GroupActivityRow, parameters.span)

    async def find_group_totals(self, group_key: str) -> GroupTotals:
        """Find one group's numbers; all are 0 if it has no event in the window."""
        parameters = QueryParameters()
        newest_sql = f"groupArraySorted({MAX_RECENT_EVENTS})(-toUnixTimestamp64Milli(timestamp))"
        days_sql = (
            f"arrayDistinct(arrayMap(minus_ms -> toDate(fromUnixTimestamp64Milli(-minus_ms, 'UTC')), {newest_sql}))"
        )
        sql = f"""
SELECT count() AS event_count,
       uniqExact(toDate(timestamp)) AS active_days,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms,
       {days_sql} AS recent_days,
       {_BUSIEST_NAMES_SQL} AS event_counts_by_name
FROM events
{scoped_where(self._window.condition(parameters), self._build_is_group_sql(group_key, parameters))}"""
        rows = await self._reader.fetch_rows(sql, self._scope, parameters.values, GroupTotals, parameters.span)
        return rows[0]

    async def find_recent_events(self, group_key: str, totals: GroupTotals) -> list[StoredEvent]:
        """Find the newest events of one group, newest first, without reading days that have none of them."""
        parameters = QueryParameters()
        recent_day_sql = f"has({parameters.bind_dates('days', totals.recent_days)}, toDate(timestamp))"
        sql = f"""
SELECT {STORED_COLUMNS}
FROM events
{scoped_where(self._window.condition(parameters), recent_day_sql, self._build_is_group_sql(group_key, parameters))}
ORDER BY {NEWEST_FIRST}
LIMIT {MAX_RECENT_EVENTS}"""
        return await self._reader.fetch_rows(sql, self._scope, parameters.values, StoredEvent, parameters.span)

    def _build_group_sql(self, parameters: QueryParameters) -> str:
        return Property(parameters.bind_text("prop_key", self._prop_key)).value_sql("strings")

    def _build_is_group_sql(self, group_key: str, parameters: QueryParameters) -> str:
        return f"{self._build_group_sql(parameters)} = {parameters.bind_text('group_key', group_key)}"


async def find_candidate_keys(reader: EventReader, scope: Scope, window: Window, prop_keys: list[str]) -> list[str]:
    """Return at most 200 other property keys that had a text in the window, by number of events, then key."""
    parameters = QueryParameters()
    max_length = parameters.bind_integer("longest", MAX_PROP_KEY_LENGTH)
    registered_sql = parameters.bind_texts("registered", prop_keys)
    sql = f"""
SELECT arrayJoin(strings.keys) AS prop_key, count() AS event_count
FROM events
{scoped_where(window.condition(parameters))}
GROUP BY prop_key
HAVING prop_key NOT IN {registered_sql} AND lengthUTF8(prop_key) BETWEEN 1 AND {max_length}
ORDER BY event_count DESC, prop_key
LIMIT {MAX_CANDIDATES}"""
    return [row.prop_key for row in await reader.fetch_rows(sql, scope, parameters.values, CandidateRow)]


async def was_property_sent(reader: EventReader, scope: Scope, prop_key: str) -> bool:
    """Return True if an event of any age has a text as this property."""
    parameters = QueryParameters()
    sql = f"""
SELECT 1 AS is_sent
FROM events
{scoped_where(Property(parameters.bind_text("prop_key", prop_key)).in_map_sql("strings"))}
LIMIT 1"""
    return bool(await reader.fetch_rows(sql, scope, parameters.values, SentRow))


def _build_after_sql(sort_column: str, position: GroupListPosition, parameters: QueryParameters) -> str:
    last_value = parameters.bind_integer("last_value", position.sort_value)
    last_group = (
        f"({parameters.bind_text('last_start', position.start)}, {parameters.bind_text('last_rest', position.rest)})"
    )
    is_later_id_sql = f"({_START_SQL}, rest) > {last_group}"
    return f"{sort_column} < {last_value} OR ({sort_column} = {last_value} AND {is_later_id_sql})"

"""The event-store SQL of the group endpoints.

Groups are read from `strings`, which contains only real JSON strings: a number or a list is never a group. An absent
property reads as "", so an empty string means no group.
"""

from tallyroom.events.groups.schemas import (
    LONGEST_PROP_KEY,
    START_CHARACTERS,
    Activity,
    Candidate,
    Page,
    Sent,
    Totals,
)
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.newest_events import NEWEST_FIRST, STORED_COLUMNS, StoredEvent
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

RECENT_EVENTS = 100
MOST_CANDIDATES = 200

_START = f"leftUTF8(group_key, {START_CHARACTERS})"
_REST = f"if(lengthUTF8(group_key) > {START_CHARACTERS}, hex(sipHash128(group_key)), '')"


class GroupQueries:
    """Reads the groups of one property in one scope and window.

    Args:
        reader: the event store.
        scope: the scope of the events.
        window: the time range of the events.
        prop_key: the property whose values are the groups.
    """

    def __init__(self, reader: EventReader, scope: Scope, window: Window, prop_key: str) -> None:
        self._reader = reader
        self._scope = scope
        self._window = window
        self._prop_key = prop_key

    async def busiest(self, limit: int, q: str | None, after: Page | None) -> list[Activity]:
        """Find at most `limit` groups that contain `q` and come after `after`, sorted by event count, then id.

        Ids are ordered by their first 256 characters, then by a hash: a cursor is part of a URL, which could not
        contain a whole id.
        """
        bound = Bound()
        group = self._group(bound)
        matches = [f"positionCaseInsensitiveUTF8({group}, {bound.text('q', q)}) > 0"] if q else []
        having = f"\nHAVING {_after(after, bound)}" if after else ""
        sql = f"""
SELECT {group} AS group_key, {_REST} AS rest, count() AS event_count, toUnixTimestamp64Milli(max(timestamp)) AS last_ms
FROM events
{scoped_where(self._window.condition(bound), f"{group} != ''", *matches)}
GROUP BY group_key{having}
ORDER BY event_count DESC, {_START}, rest
LIMIT {bound.integer("limit", limit)}"""
        return await self._reader.rows(sql, self._scope, bound.values, Activity)

    async def totals(self, group_key: str) -> Totals:
        """Find one group's numbers; all are 0 if it has no event in the window."""
        bound = Bound()
        newest = f"groupArraySorted({RECENT_EVENTS})(-toUnixTimestamp64Milli(timestamp))"
        days = f"arrayDistinct(arrayMap(minus_ms -> toDate(fromUnixTimestamp64Milli(-minus_ms, 'UTC')), {newest}))"
        sql = f"""
SELECT count() AS event_count,
       uniqExact(toDate(timestamp)) AS active_days,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms,
       {days} AS recent_days
FROM events
{scoped_where(self._window.condition(bound), self._is(group_key, bound))}"""
        rows = await self._reader.rows(sql, self._scope, bound.values, Totals)
        return rows[0]

    async def recent(self, group_key: str, totals: Totals) -> list[StoredEvent]:
        """Find the newest events of one group, newest first, without reading days that have none of them."""
        bound = Bound()
        days = f"has({bound.dates('days', totals.recent_days)}, toDate(timestamp))"
        sql = f"""
SELECT {STORED_COLUMNS}
FROM events
{scoped_where(self._window.condition(bound), days, self._is(group_key, bound))}
ORDER BY {NEWEST_FIRST}
LIMIT {RECENT_EVENTS}"""
        return await self._reader.rows(sql, self._scope, bound.values, StoredEvent)

    def _group(self, bound: Bound) -> str:
        return f"strings[{bound.text('prop_key', self._prop_key)}]"

    def _is(self, group_key: str, bound: Bound) -> str:
        return f"{self._group(bound)} = {bound.text('group_key', group_key)}"


async def candidates(reader: EventReader, scope: Scope, window: Window, prop_keys: list[str]) -> list[str]:
    """The property keys that had a text in the window, by number of events, then key; at most 200.

    Left out are `prop_keys`, and those that cannot be registered.
    """
    bound = Bound()
    longest = bound.integer("longest", LONGEST_PROP_KEY)
    sql = f"""
SELECT arrayJoin(strings.keys) AS prop_key, count() AS event_count
FROM events
{scoped_where(window.condition(bound))}
GROUP BY prop_key
HAVING prop_key NOT IN {bound.texts("registered", prop_keys)} AND lengthUTF8(prop_key) BETWEEN 1 AND {longest}
ORDER BY event_count DESC, prop_key
LIMIT {MOST_CANDIDATES}"""
    return [row.prop_key for row in await reader.rows(sql, scope, bound.values, Candidate)]


async def was_sent(reader: EventReader, scope: Scope, prop_key: str) -> bool:
    """Return True if an event of any age has a text as this property."""
    bound = Bound()
    sql = f"""
SELECT 1 AS is_sent
FROM events
{scoped_where(f"mapContains(strings, {bound.text('prop_key', prop_key)})")}
LIMIT 1"""
    return bool(await reader.rows(sql, scope, bound.values, Sent))


def _after(page: Page, bound: Bound) -> str:
    count = bound.integer("last_count", page.event_count)
    last = f"({bound.text('last_start', page.start)}, {bound.text('last_rest', page.rest)})"
    return f"event_count < {count} OR (event_count = {count} AND ({_START}, rest) > {last})"

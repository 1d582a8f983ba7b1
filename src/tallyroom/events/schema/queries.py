"""The event-store SQL of the schema."""

from tallyroom.events.schema.schemas import ExampleRow, KeyRow, NameRow, PropertyType, SinceRow
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.window import Window, between
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MOST_NAMES = 2000
MOST_KEYS = 5000
EXAMPLES = 3
EXAMPLE_CHARACTERS = 100
SAMPLED_EVENTS = 2000

TYPES: tuple[PropertyType, ...] = ("string", "number", "list", "boolean", "object")
"""Type number n is bit n of a row's `types`."""

_NAMES = f"""
SELECT name, count() AS times, toUnixTimestamp64Milli(max(timestamp)) AS last_ms
FROM events
WHERE {{scope}} AND {{window}}
GROUP BY name
ORDER BY times DESC, name
LIMIT {MOST_NAMES}"""

# Events have few shapes: counting the shapes first, then the keys in them, costs less than taking every event apart.
_KEYS = f"""
SELECT tupleElement(typed, 1) AS key, groupBitOr(tupleElement(typed, 2)) AS types
FROM (
  SELECT arrayJoin(arrayConcat(
           arrayMap(key -> (key, 1), with_strings), arrayMap(key -> (key, 2), with_numbers),
           arrayMap(key -> (key, 4), with_lists), with_texts)) AS typed,
         times
  FROM (
    SELECT strings.keys AS with_strings, numbers.keys AS with_numbers, lists.keys AS with_lists,
           arrayMap((key, text) -> (key, if(startsWith(text, '{{'), 16, 8)), texts.keys, texts.values) AS with_texts,
           count() AS times
    FROM events
    WHERE {{scope}} AND {{window}}
    GROUP BY with_strings, with_numbers, with_lists, with_texts))
GROUP BY key
ORDER BY sum(times) DESC, key
LIMIT {MOST_KEYS}"""

# In the order of the table's days, so that the engine stops at the newest of them.
_SINCE = f"""
SELECT toUnixTimestamp64Milli(min(timestamp)) AS since_ms
FROM (
  SELECT timestamp
  FROM events
  WHERE {{scope}} AND {{window}}
  ORDER BY toDate(timestamp) DESC, timestamp DESC
  LIMIT {SAMPLED_EVENTS})"""

_EXAMPLES = f"""
SELECT key, groupArray(example) AS examples
FROM (
  SELECT tupleElement(pair, 1) AS key, tupleElement(pair, 2) AS example
  FROM (
    SELECT arrayJoin(arrayFilter(pair -> lengthUTF8(tupleElement(pair, 2)) BETWEEN 1 AND {EXAMPLE_CHARACTERS}, pairs))
             AS pair
    FROM (
      SELECT arrayConcat(
               arrayZip(strings.keys, strings.values), arrayZip(texts.keys, texts.values),
               arrayZip(numbers.keys, arrayMap(number -> toString(number), numbers.values)),
               arrayFlatten(arrayMap((key, texts_of) -> arrayMap(text -> (key, text), texts_of),
                                     lists.keys, lists.values))) AS pairs
      FROM events
      WHERE {{scope}} AND {{window}}
      ORDER BY timestamp DESC
      LIMIT {SAMPLED_EVENTS}))
  GROUP BY key, example
  ORDER BY key, count() DESC, example
  LIMIT {EXAMPLES} BY key)
GROUP BY key
ORDER BY key
LIMIT {MOST_KEYS}"""


class SchemaQueries:
    """Reads what there is in one scope and window.

    Args:
        reader: the event store.
        scope: whose events.
        window: of which time.
    """

    def __init__(self, reader: EventReader, scope: Scope, window: Window) -> None:
        self._reader = reader
        self._scope = scope
        self._window = window

    async def names(self) -> list[NameRow]:
        """List the names by number of events, then by name."""
        sql, bound = _of(_NAMES, self._window.from_ms, self._window.until_ms)
        return await self._reader.rows(sql, self._scope, bound.values, NameRow)

    async def keys(self) -> list[KeyRow]:
        """List the keys by number of events, then by key."""
        sql, bound = _of(_KEYS, self._window.from_ms, self._window.until_ms)
        return await self._reader.rows(sql, self._scope, bound.values, KeyRow)

    async def examples(self) -> list[ExampleRow]:
        """List the most frequent values of each key in the newest events; lists count by element."""
        sql, bound = _of(_SINCE, self._window.from_ms, self._window.until_ms)
        [since] = await self._reader.rows(sql, self._scope, bound.values, SinceRow)
        sql, bound = _of(_EXAMPLES, max(since.since_ms, self._window.from_ms), self._window.until_ms)
        return await self._reader.rows(sql, self._scope, bound.values, ExampleRow)


def _of(sql: str, from_ms: int, until_ms: int) -> tuple[str, Bound]:
    bound = Bound()
    return sql.replace("{window}", between(from_ms, until_ms, bound)), bound

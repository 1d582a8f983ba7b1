"""The event-store SQL of the schema."""

from tallyroom.events.schema.schemas import ExampleRow, KeyRow, NameRow, PropertyType, SinceRow
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import Row
from tallyroom.queries.window import Window, time_condition
from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MAX_NAMES = 2000
MAX_KEYS = 5000
EXAMPLES_PER_KEY = 3
MAX_EXAMPLE_LENGTH = 100
MAX_SAMPLED_EVENTS = 2000

PROPERTY_TYPES: tuple[PropertyType, ...] = ("string", "number", "list", "boolean", "object")

_SELECT_NAMES = f"""
SELECT name, count() AS times, toUnixTimestamp64Milli(max(timestamp)) AS last_ms
FROM events
WHERE {{scope}} AND {{window}}
GROUP BY name
ORDER BY times DESC, name
LIMIT {MAX_NAMES}"""

# Events have few shapes: counting shapes first, then the keys in them, costs less than parsing every event.
_SELECT_KEYS = f"""
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
LIMIT {MAX_KEYS}"""

# In the order of the table's days, so that the engine stops at the newest of them.
_SELECT_SAMPLE_START = f"""
SELECT toUnixTimestamp64Milli(min(timestamp)) AS since_ms
FROM (
  SELECT timestamp
  FROM events
  WHERE {{scope}} AND {{window}}
  ORDER BY toDate(timestamp) DESC, timestamp DESC
  LIMIT {MAX_SAMPLED_EVENTS})"""

_NUMBER_LABEL = f"ifNull(nullIf(if({HAS_NUMBER_TEXTS_SQL}, number_texts[key], ''), ''), toString(number))"
_SELECT_EXAMPLES = f"""
SELECT key, groupArray(example) AS examples
FROM (
  SELECT tupleElement(pair, 1) AS key, tupleElement(pair, 2) AS example
  FROM (
    SELECT arrayJoin(arrayFilter(pair -> lengthUTF8(tupleElement(pair, 2)) BETWEEN 1 AND {MAX_EXAMPLE_LENGTH}, pairs))
             AS pair
    FROM (
      SELECT arrayConcat(
               arrayZip(strings.keys, strings.values), arrayZip(texts.keys, texts.values),
               arrayMap((key, number) -> (key, {_NUMBER_LABEL}), numbers.keys, numbers.values),
               arrayFlatten(arrayMap((key, texts_of) -> arrayMap(text -> (key, text), texts_of),
                                     lists.keys, lists.values))) AS pairs
      FROM events
      WHERE {{scope}} AND {{window}}
      ORDER BY timestamp DESC
      LIMIT {MAX_SAMPLED_EVENTS}))
  GROUP BY key, example
  ORDER BY key, count() DESC, example
  LIMIT {EXAMPLES_PER_KEY} BY key)
GROUP BY key
ORDER BY key
LIMIT {MAX_KEYS}"""


class SchemaQueries:
    """Reads the names, keys and examples of one scope and window."""

    def __init__(self, reader: EventReader, scope: Scope, window: Window) -> None:
        self._reader = reader
        self._scope = scope
        self._window = window

    async def fetch_names(self) -> list[NameRow]:
        """List the names by number of events, then by name."""
        return await self._fetch(_SELECT_NAMES, NameRow, self._window.from_ms)

    async def fetch_keys(self) -> list[KeyRow]:
        """List the keys by number of events, then by key."""
        return await self._fetch(_SELECT_KEYS, KeyRow, self._window.from_ms)

    async def fetch_examples(self) -> list[ExampleRow]:
        """List the most frequent values of each key in the newest events; lists count by element."""
        [since_row] = await self._fetch(_SELECT_SAMPLE_START, SinceRow, self._window.from_ms)
        return await self._fetch(_SELECT_EXAMPLES, ExampleRow, max(since_row.since_ms, self._window.from_ms))

    async def _fetch(self, sql: str, row_type: type[Row], from_ms: int) -> list[Row]:
        parameters = QueryParameters()
        window_sql = sql.replace("{window}", time_condition(from_ms, self._window.until_ms, parameters))
        return await self._reader.fetch_rows(window_sql, self._scope, parameters.values, row_type)

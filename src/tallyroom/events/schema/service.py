"""The rules of the schema: exact names, keys and types of a time range, with examples of the newest values."""

from tallyroom.core.clock import Clock
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.events.schema.queries import PROPERTY_TYPES, SchemaQueries
from tallyroom.events.schema.schemas import EventName, PropertyKey, SchemaOut
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


class Schemas:
    """Lists the events and properties of an environment."""

    def __init__(self, reader: EventReader, window_resolver: WindowResolver, clock: Clock) -> None:
        self._reader = reader
        self._window_resolver = window_resolver
        self._clock = clock

    async def find_schema(self, scope: Scope, time_range: TimeRange) -> SchemaOut:
        """Return at most 2,000 names and 5,000 keys, most frequent first; raise `Unavailable`."""
        is_fresh = await self._reader.catch_up(scope=scope)
        window = await self._window_resolver.resolve(time_range, scope, self._clock.now_ms())
        queries = SchemaQueries(self._reader, scope, window)
        name_rows, key_rows = await queries.fetch_names(), await queries.fetch_keys()
        examples_by_key = {row.key: row.examples for row in await queries.fetch_examples()} if key_rows else {}
        return SchemaOut(
            [EventName(row.name, row.times, iso_ms(row.last_ms)) for row in name_rows],
            [
                PropertyKey(
                    row.key,
                    [type_name for type_bit, type_name in enumerate(PROPERTY_TYPES) if row.types >> type_bit & 1],
                    examples_by_key.get(row.key, []),
                )
                for row in key_rows
            ],
            self._reader.notices(window.from_ms, window.until_ms, is_fresh=is_fresh),
        )

"""The rules of the schema: exact names, keys and types of a range, with examples of the newest values."""

from tallyroom.core.clock import Clock
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.events.schema.queries import TYPES, SchemaQueries
from tallyroom.events.schema.schemas import EventName, PropertyKey, SchemaOut
from tallyroom.queries.workspace_windows import Windows
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


class Schemas:
    """Lists the events and properties of an environment.

    Args:
        reader: the event store.
        windows: finds the window of a time range.
        clock: the time.
    """

    def __init__(self, reader: EventReader, windows: Windows, clock: Clock) -> None:
        self._reader = reader
        self._windows = windows
        self._clock = clock

    async def schema(self, scope: Scope, time_range: TimeRange) -> SchemaOut:
        """Return at most 2,000 names and 5,000 keys, most frequent first.

        Raises:
            Unavailable: the event store cannot answer now, or not within its limits.
        """
        fresh = await self._reader.fresh()
        window = await self._windows.find(time_range, scope, self._clock.now_ms())
        queries = SchemaQueries(self._reader, scope, window)
        names, keys = await queries.names(), await queries.keys()
        examples = {row.key: row.examples for row in await queries.examples()} if keys else {}
        return SchemaOut(
            [EventName(row.name, row.times, iso_ms(row.last_ms)) for row in names],
            [
                PropertyKey(
                    row.key, [kind for bit, kind in enumerate(TYPES) if row.types >> bit & 1], examples.get(row.key, [])
                )
                for row in keys
            ],
            self._reader.notices(window.from_ms, window.until_ms, fresh=fresh),
        )

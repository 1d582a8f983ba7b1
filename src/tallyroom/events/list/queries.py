"""The event-store SQL of single events; the SQL of the list is in queries/newest_events.py."""

from tallyroom.events.list.schemas import EventCount
from tallyroom.events.selection import FROM_EVENT_AT_POSITION_SQL
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

_COUNT_AT_POSITION = f"SELECT count() AS event_count{FROM_EVENT_AT_POSITION_SQL}"


async def event_exists(reader: EventReader, scope: Scope, position: EventPosition) -> bool:
    """Return True if the environment has an event at this position, hidden or not."""
    [row] = await reader.fetch_rows(_COUNT_AT_POSITION, scope, position._asdict(), EventCount)
    return row.event_count > 0

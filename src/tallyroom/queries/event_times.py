"""When the first and the newest event of an environment happened.

Both queries go through the days in the order of the table, so that the store stops at the first day that has an event.
"""

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


class _EventTimeRow(msgspec.Struct):
    at_ms: int


async def find_first_event_ms(reader: EventReader, scope: Scope) -> int | None:
    """Return the time of the first event in milliseconds since 1970-01-01 UTC; None if there is no event.

    Raises:
        Unavailable: the event store does not respond.
    """
    return await _query_extreme_ms(reader, scope, "min", "ASC", None)


async def find_newest_event_ms(reader: EventReader, scope: Scope, name: str | None = None) -> int | None:
    """Return the time of the newest event, or of the newest one with a name; None if there is none.

    Raises:
        Unavailable: the event store does not respond.
    """
    return await _query_extreme_ms(reader, scope, "max", "DESC", name)


async def _query_extreme_ms(
    reader: EventReader, scope: Scope, function: str, order: str, name: str | None
) -> int | None:
    parameters = QueryParameters()
    where = "WHERE {scope}" if name is None else f"WHERE {{scope}} AND name = {parameters.text('name', name)}"
    sql = f"""
SELECT toUnixTimestamp64Milli({function}(timestamp)) AS at_ms
FROM events
{where} AND toDate(timestamp) = (
  SELECT toDate(timestamp) AS day
  FROM events
  {where}
  ORDER BY day {order}
  LIMIT 1)
HAVING count() > 0"""
    rows = await reader.fetch_rows(sql.strip(), scope, parameters.values, _EventTimeRow)
    return rows[0].at_ms if rows else None

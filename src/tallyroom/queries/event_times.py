"""The times of the first and the newest event. Reads days in table order, so that the first day with events ends it."""

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


class _EventTimeRow(msgspec.Struct):
    at_ms: int


async def find_first_event_ms(reader: EventReader, scope: Scope) -> int | None:
    """Return the time of the first event in milliseconds since 1970-01-01 UTC; None if there is no event."""
    return await _query_extreme_ms(reader, scope, "min", "ASC", None)


async def find_newest_event_ms(reader: EventReader, scope: Scope, event_name: str | None = None) -> int | None:
    """Return the time of the newest event, or of the newest one with a name, in milliseconds; None if there is none."""
    return await _query_extreme_ms(reader, scope, "max", "DESC", event_name)


async def _query_extreme_ms(
    reader: EventReader, scope: Scope, min_or_max: str, sort_direction: str, event_name: str | None
) -> int | None:
    parameters = QueryParameters()
    name_condition = "" if event_name is None else f" AND name = {parameters.bind_text('name', event_name)}"
    where_sql = f"WHERE {{scope}}{name_condition}"
    sql = f"""
SELECT toUnixTimestamp64Milli({min_or_max}(timestamp)) AS at_ms
FROM events
{where_sql} AND toDate(timestamp) = (
  SELECT toDate(timestamp) AS day
  FROM events
  {where_sql}
  ORDER BY day {sort_direction}
  LIMIT 1)
HAVING count() > 0"""
    rows = await reader.fetch_rows(sql.strip(), scope, parameters.values, _EventTimeRow)
    return rows[0].at_ms if rows else None

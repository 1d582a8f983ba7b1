"""The newest events under some conditions, and one event as everybody answers it (contract 6)."""

from collections.abc import Mapping

import msgspec

from tallyroom.core.times import iso_ms
from tallyroom.engine.plan import scoped_where

_ORDER = "timestamp, received_at, spool, seq"
_NEWEST_FIRST = ", ".join(f"{column} DESC" for column in _ORDER.split(", "))


class Stored(msgspec.Struct, frozen=True):
    """A row of `newest_sql`; `source` and `actor` are "" where the event has none."""

    id: str
    name: str
    timestamp_ms: int
    source: str
    actor: str
    properties: str


class EventOut(msgspec.Struct, frozen=True, rename="camel"):
    """One event; `properties` is the JSON as it was sent, `actorLabel` the newest label of the actor."""

    id: str
    name: str
    source: str | None
    timestamp: str
    properties: msgspec.Raw
    actor_key: str | None
    actor_label: str | None


def newest_sql(conditions: list[str], limit: str) -> str:
    """SQL of the newest events, newest first, as `Stored`.

    The inner query looks at positions alone, so that the properties are read of the events that are answered.

    Args:
        conditions: what holds for them.
        limit: the placeholder of their number.
    """
    where = scoped_where(*conditions)
    return f"""
SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, source, actor, properties
FROM events
{where}
  AND ({_ORDER}) IN (
    SELECT {_ORDER}
    FROM events
    {where.replace(chr(10), chr(10) + "    ")}
    ORDER BY {_NEWEST_FIRST}
    LIMIT {limit})
ORDER BY {_NEWEST_FIRST}"""


def actors_of(found: list[Stored]) -> list[str]:
    """The actors of some events, each once, to ask for their labels."""
    return list(dict.fromkeys(each.actor for each in found if each.actor))


def event_out(stored: Stored, labels: Mapping[str, str]) -> EventOut:
    """An event as it is answered."""
    return EventOut(
        id=stored.id,
        name=stored.name,
        source=stored.source or None,
        timestamp=iso_ms(stored.timestamp_ms),
        properties=msgspec.Raw(stored.properties.encode()),
        actor_key=stored.actor or None,
        actor_label=labels.get(stored.actor),
    )

"""The newest events under some conditions, and one event as everybody answers it (rules/questions#event-list)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from tallyroom.core.times import iso_ms
from tallyroom.engine.bound import Bound
from tallyroom.engine.query_plan import QueryPlan, rows, scoped_where
from tallyroom.engine.window import between, instant

_ORDER = "timestamp, received_at, spool, seq"
NEWEST_FIRST = ", ".join(f"{column} DESC" for column in _ORDER.split(", "))
"""What an ORDER BY says that wants the newest events."""

STORED_COLUMNS = (
    "id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, toUnixTimestamp64Milli(received_at) AS received_ms,"
    "\n       source, actor, properties"
)
"""The select list of a `Stored`."""

_HIDDEN = "(timestamp, spool, seq) IN (SELECT timestamp, spool, seq FROM hidden_events WHERE {scope})"

_FIRST_LOOK_MS = 3_600_000
_WIDER = 48  # an hour, two days, everything: where events are rare, each look is a query for nothing

Wanted = Callable[[Bound], list[str]]
"""Says what holds for the events; every value goes into the `Bound` that it gets."""


class Stored(msgspec.Struct, frozen=True):
    """A stored event; `source` and `actor` are "" where it has none."""

    id: str
    name: str
    timestamp_ms: int
    received_ms: int
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


def newest(wanted: Wanted, from_ms: int, until_ms: int, limit: int, *, hidden: bool = False) -> QueryPlan[list[Stored]]:
    """The newest `limit` events from `from_ms` to `until_ms`, both inside; newest first.

    It looks at the last hour, then further back until it has found enough, so that the first page of many events costs
    as little as that of a few.

    Args:
        wanted: what holds for them.
        from_ms: the first millisecond.
        until_ms: the last.
        limit: how many.
        hidden: those that are hidden instead of those that are not.
    """
    found: list[Stored] = []
    for start_ms in _ever_earlier(from_ms, until_ms):
        bound = Bound()
        conditions = [between(start_ms, until_ms, bound), *wanted(bound)]
        sql = _newest_sql(conditions, bound.integer("limit", limit), hidden=hidden)
        found = yield from rows(sql, bound, Stored)
        if len(found) == limit:
            break
    return found


def older(timestamp_ms: int, received_ms: int, spool: int, seq: int, bound: Bound) -> str:
    """SQL that is true for an event that stands before this position in the order of events."""
    position = [instant("at_ms", timestamp_ms, bound), instant("received_ms", received_ms, bound)]
    return f"({_ORDER}) < ({', '.join([*position, bound.integer('spool', spool), bound.integer('seq', seq)])})"


def actors_of(found: Sequence[Stored]) -> list[str]:
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


def _ever_earlier(from_ms: int, until_ms: int) -> Iterator[int]:
    look_ms = _FIRST_LOOK_MS
    while until_ms - look_ms > from_ms:
        yield until_ms - look_ms
        look_ms *= _WIDER
    yield from_ms


def _newest_sql(conditions: list[str], limit: str, *, hidden: bool) -> str:
    """The store finds the positions in the order first, and reads the other columns of the events that are answered."""
    where = scoped_where(*conditions)
    if hidden:
        where = scoped_where(_HIDDEN, *conditions).replace("{scope}", "{scope_with_hidden}", 1)
    return f"""
SELECT {STORED_COLUMNS}
FROM events
{where}
ORDER BY {NEWEST_FIRST}
LIMIT {limit}"""

"""The newest events that meet some conditions, and the shape of every returned event (rules/questions#event-list)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from tallyroom.core.times import iso_ms
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.queries.window import time_condition, timestamp_sql

_ORDER_COLUMNS = "timestamp, received_at, spool, seq"
NEWEST_FIRST = ", ".join(f"{column} DESC" for column in _ORDER_COLUMNS.split(", "))
STORED_COLUMNS = (
    "id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, toUnixTimestamp64Milli(received_at) AS received_ms,"
    "\n       source, actor, properties"
)

_HIDDEN_CONDITION = "(timestamp, spool, seq) IN (SELECT timestamp, spool, seq FROM hidden_events WHERE {scope})"

_FIRST_SPAN_MS = 3_600_000
_SPAN_FACTOR = 48  # an hour, then two days, then everything: if events are rare, each extra search is a wasted query

ConditionBuilder = Callable[[QueryParameters], list[str]]


class StoredEvent(msgspec.Struct, frozen=True):
    """A stored event; `source` and `actor` are "" if it has none."""

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


def query_newest_events(
    build_conditions: ConditionBuilder, from_ms: int, until_ms: int, limit: int, *, only_hidden: bool = False
) -> QueryPlan[list[StoredEvent]]:
    """Find the newest `limit` events from `from_ms` to `until_ms`, both inclusive; newest first.

    It searches the last hour, then further back until it has enough: the first page of many events costs little.
    `only_hidden` finds hidden events instead of visible ones.
    """
    events: list[StoredEvent] = []
    for start_ms in _list_search_starts_ms(from_ms, until_ms):
        parameters = QueryParameters()
        conditions = [time_condition(start_ms, until_ms, parameters), *build_conditions(parameters)]
        sql = _build_newest_sql(conditions, parameters.bind_integer("limit", limit), only_hidden=only_hidden)
        events = yield from query_rows(sql, parameters, StoredEvent)
        if len(events) == limit:
            break
    return events


def older_condition(timestamp_ms: int, received_ms: int, spool: int, seq: int, parameters: QueryParameters) -> str:
    """Return SQL that is true for an event before this position in the order of events."""
    position = [
        timestamp_sql("at_ms", timestamp_ms, parameters),
        timestamp_sql("received_ms", received_ms, parameters),
        parameters.bind_integer("spool", spool),
        parameters.bind_integer("seq", seq),
    ]
    return f"({_ORDER_COLUMNS}) < ({', '.join(position)})"


def distinct_actor_keys(events: Sequence[StoredEvent]) -> list[str]:
    """Return the distinct actors of some events, to look up their labels."""
    return list(dict.fromkeys(event.actor for event in events if event.actor))


def build_event_out(event: StoredEvent, label_by_actor: Mapping[str, str]) -> EventOut:
    """Return an event in the shape of an answer."""
    return EventOut(
        id=event.id,
        name=event.name,
        source=event.source or None,
        timestamp=iso_ms(event.timestamp_ms),
        properties=msgspec.Raw(event.properties.encode()),
        actor_key=event.actor or None,
        actor_label=label_by_actor.get(event.actor),
    )


def _list_search_starts_ms(from_ms: int, until_ms: int) -> Iterator[int]:
    span_ms = _FIRST_SPAN_MS
    while until_ms - span_ms > from_ms:
        yield until_ms - span_ms
        span_ms *= _SPAN_FACTOR
    yield from_ms


def _build_newest_sql(conditions: list[str], limit_placeholder: str, *, only_hidden: bool) -> str:
    """Return the SELECT. The store sorts first, and reads the other columns only for the events that it returns."""
    where = scoped_where(*conditions)
    if only_hidden:
        where = scoped_where(_HIDDEN_CONDITION, *conditions).replace("{scope}", "{scope_with_hidden}", 1)
    return f"""
SELECT {STORED_COLUMNS}
FROM events
{where}
ORDER BY {NEWEST_FIRST}
LIMIT {limit_placeholder}"""

"""The event-store SQL of the stream."""

import datetime as dt
from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple

from tallyroom.events.selection import AT_POSITION, Selection
from tallyroom.events.stream.position import StreamPosition
from tallyroom.events.stream.schemas import ArrivalPosition, NewestOfSpool, Received, Streamed
from tallyroom.ingest.acceptance.arrivals import Days
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.newest_events import EventOut, actors_of, event_out
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.labels import newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

SLICE_EVENTS = 100
_POSITIONS = 2000

_RECEIPT = f"SELECT toUnixTimestamp64Milli(received_at) AS received_ms{AT_POSITION}"
_UNTIL = """
SELECT spool, max(seq) AS seq
FROM events
WHERE {scope_with_hidden} AND received_at <= fromUnixTimestamp64Milli({received_ms:Int64}, 'UTC')
GROUP BY spool"""

_EPOCH = dt.date(1970, 1, 1)


async def stream_position_after(reader: EventReader, scope: Scope, position: EventPosition) -> StreamPosition | None:
    """Return the position after all events that were received until one of them was; None if it is not there."""
    rows = await reader.rows(_RECEIPT, scope, position._asdict(), Received)
    if not rows:
        return None
    newest = await reader.rows(_UNTIL, scope, {"received_ms": rows[0].received_ms}, NewestOfSpool)
    return StreamPosition({row.spool: row.seq for row in newest} | {position.spool: position.seq})


class Slice(NamedTuple):
    """Events of a spool with sequence numbers from `first` to `last`, both inclusive, and the days of their times."""

    spool: int
    first: int
    last: int
    days: Days


class SelectedEvent(NamedTuple):
    """An event as it is answered, its position, and for each selection whether it is one of its events."""

    event: EventOut
    spool: int
    seq: int
    matches: list[int]


class ArrivedQueries:
    """Reads the events of one environment in the order of their arrival at a spool.

    Args:
        reader: the event store.
        scope: whose events.
    """

    def __init__(self, reader: EventReader, scope: Scope) -> None:
        self._reader = reader
        self._scope = scope

    async def slices(self, slice_: Slice, selections: Sequence[Selection]) -> AsyncGenerator[Slice, None]:
        """Split `slice_` into slices of at most `SLICE_EVENTS` events, in order."""
        while slice_.last - slice_.first >= SLICE_EVENTS:
            positions = await self._positions(slice_, selections)
            for start in range(0, len(positions), SLICE_EVENTS):
                part = positions[start : start + SLICE_EVENTS]
                days = frozenset(position.day for position in part)
                yield Slice(slice_.spool, part[0].seq, part[-1].seq, days)
            if len(positions) < _POSITIONS:
                return
            slice_ = slice_._replace(first=positions[-1].seq + 1)
        yield slice_

    async def events(self, slice_: Slice, selections: Sequence[Selection]) -> list[SelectedEvent]:
        """Return the events of a slice that belong to at least one selection, in order."""
        bound = Bound()
        matches = [_all_of(selection, bound) for selection in selections]
        sql = f"""
SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, toUnixTimestamp64Milli(received_at) AS received_ms,
       source, actor, properties, seq, [{", ".join(f"toUInt8({condition})" for condition in matches)}] AS matches
FROM events
WHERE {{scope}} AND {self._within(slice_, bound)} AND ({" OR ".join(matches)})
ORDER BY seq"""
        rows = await self._reader.rows(sql, self._scope, bound.values, Streamed)
        labels = await newest_labels(self._reader, self._scope, actors_of(rows))
        return [SelectedEvent(event_out(row, labels), slice_.spool, row.seq, row.matches) for row in rows]

    async def _positions(self, slice_: Slice, selections: Sequence[Selection]) -> list[ArrivalPosition]:
        bound = Bound()
        matches = " OR ".join(_all_of(selection, bound) for selection in selections)
        sql = f"""
SELECT seq, toInt64(toDate(timestamp)) AS day
FROM events
WHERE {{scope}} AND {self._within(slice_, bound)} AND ({matches})
ORDER BY seq
LIMIT {_POSITIONS}"""
        return await self._reader.rows(sql, self._scope, bound.values, ArrivalPosition)

    def _within(self, slice_: Slice, bound: Bound) -> str:
        spool, first, last = (
            bound.integer(role, number)
            for role, number in (("spool", slice_.spool), ("first_seq", slice_.first), ("last_seq", slice_.last))
        )
        among = f"spool = {spool} AND seq >= {first} AND seq <= {last}"
        if slice_.days is None:
            return among
        days = bound.dates("days", [_EPOCH + dt.timedelta(days=day) for day in sorted(slice_.days)])
        return f"toDate(timestamp) IN {days} AND {among}"


def _all_of(selection: Selection, bound: Bound) -> str:
    return f"({' AND '.join(selection.conditions(bound)) or '1'})"

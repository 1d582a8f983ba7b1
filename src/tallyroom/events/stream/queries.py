"""The event-store SQL of the stream."""

import datetime as dt
from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.events.selection import FROM_EVENT_AT_POSITION_SQL, EventSelection
from tallyroom.events.stream.position import StreamPosition
from tallyroom.ingest.acceptance.arrivals import UtcDays
from tallyroom.queries.newest_events import EventOut, StoredEvent, build_event_out, distinct_actor_keys
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.labels import fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MAX_SLICE_EVENTS = 100
_MAX_POSITIONS = 2000

_SELECT_RECEIVED = f"SELECT toUnixTimestamp64Milli(received_at) AS received_ms{FROM_EVENT_AT_POSITION_SQL}"
_SELECT_NEWEST_BY_SPOOL = """
SELECT spool, max(seq) AS seq
FROM events
WHERE {scope_with_hidden} AND received_at <= fromUnixTimestamp64Milli({received_ms:Int64}, 'UTC')
GROUP BY spool"""

_EPOCH_DATE = dt.date(1970, 1, 1)


class _ArrivalRow(msgspec.Struct, frozen=True):
    """An event's sequence number, and its UTC day since 1970."""

    seq: int
    day: int


class _ReceivedRow(msgspec.Struct, frozen=True):
    received_ms: int


class _NewestOfSpoolRow(msgspec.Struct, frozen=True):
    spool: int
    seq: int


class _StreamedRow(StoredEvent, frozen=True):
    """`matches` says for each selection whether it includes the event."""

    seq: int
    matches: list[int]


async def find_stream_position_after(
    reader: EventReader, scope: Scope, position: EventPosition
) -> StreamPosition | None:
    """Return the position after all events that were received until one of them was; None if it does not exist."""
    rows = await reader.fetch_rows(_SELECT_RECEIVED, scope, position._asdict(), _ReceivedRow)
    if not rows:
        return None
    newest_rows = await reader.fetch_rows(
        _SELECT_NEWEST_BY_SPOOL, scope, {"received_ms": rows[0].received_ms}, _NewestOfSpoolRow
    )
    return StreamPosition({row.spool: row.seq for row in newest_rows} | {position.spool: position.seq})


class SpoolSlice(NamedTuple):
    """Events of a spool with sequence numbers from `first_seq` to `last_seq`, inclusive, and their days."""

    spool_id: int
    first_seq: int
    last_seq: int
    days: UtcDays


class SelectedEvent(NamedTuple):
    """An event in the shape of a response, its position, and for each selection whether it includes the event."""

    event: EventOut
    spool_id: int
    seq: int
    matches: list[int]


class ArrivalQueries:
    """Reads the events of one environment in the order of their arrival at a spool."""

    def __init__(self, reader: EventReader, scope: Scope) -> None:
        self._reader = reader
        self._scope = scope

    async def split_slice(
        self, slice_: SpoolSlice, selections: Sequence[EventSelection]
    ) -> AsyncGenerator[SpoolSlice, None]:
        """Split `slice_` into slices of at most `MAX_SLICE_EVENTS` events, in order."""
        while slice_.last_seq - slice_.first_seq >= MAX_SLICE_EVENTS:
            positions = await self._fetch_positions(slice_, selections)
            for start in range(0, len(positions), MAX_SLICE_EVENTS):
                slice_positions = positions[start : start + MAX_SLICE_EVENTS]
                days = frozenset(position.day for position in slice_positions)
                yield SpoolSlice(slice_.spool_id, slice_positions[0].seq, slice_positions[-1].seq, days)
            if len(positions) < _MAX_POSITIONS:
                return
            slice_ = slice_._replace(first_seq=positions[-1].seq + 1)
        yield slice_

    async def fetch_events(self, slice_: SpoolSlice, selections: Sequence[EventSelection]) -> list[SelectedEvent]:
        """Return the events of a slice that belong to at least one selection, in order."""
        parameters = QueryParameters()
        conditions = [_build_selection_sql(selection, parameters) for selection in selections]
        sql = f"""
SELECT id, name, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, toUnixTimestamp64Milli(received_at) AS received_ms,
       source, actor, properties, seq, [{", ".join(f"toUInt8({condition})" for condition in conditions)}] AS matches
FROM events
WHERE {{scope}} AND {self._build_slice_sql(slice_, parameters)} AND ({" OR ".join(conditions)})
ORDER BY seq"""
        rows = await self._reader.fetch_rows(sql, self._scope, parameters.values, _StreamedRow)
        labels = await fetch_newest_labels(self._reader, self._scope, distinct_actor_keys(rows))
        return [SelectedEvent(build_event_out(row, labels), slice_.spool_id, row.seq, row.matches) for row in rows]

    async def _fetch_positions(self, slice_: SpoolSlice, selections: Sequence[EventSelection]) -> list[_ArrivalRow]:
        parameters = QueryParameters()
        any_selection_sql = " OR ".join(_build_selection_sql(selection, parameters) for selection in selections)
        sql = f"""
SELECT seq, toInt64(toDate(timestamp)) AS day
FROM events
WHERE {{scope}} AND {self._build_slice_sql(slice_, parameters)} AND ({any_selection_sql})
ORDER BY seq
LIMIT {_MAX_POSITIONS}"""
        return await self._reader.fetch_rows(sql, self._scope, parameters.values, _ArrivalRow)

    def _build_slice_sql(self, slice_: SpoolSlice, parameters: QueryParameters) -> str:
        spool = parameters.bind_integer("spool", slice_.spool_id)
        first_seq = parameters.bind_integer("first_seq", slice_.first_seq)
        last_seq = parameters.bind_integer("last_seq", slice_.last_seq)
        seq_condition = f"spool = {spool} AND seq >= {first_seq} AND seq <= {last_seq}"
        if slice_.days is None:
            return seq_condition
        days = parameters.bind_dates("days", [_EPOCH_DATE + dt.timedelta(days=day) for day in sorted(slice_.days)])
        return f"toDate(timestamp) IN {days} AND {seq_condition}"


def _build_selection_sql(selection: EventSelection, parameters: QueryParameters) -> str:
    return f"({' AND '.join(selection.build_conditions(parameters)) or '1'})"

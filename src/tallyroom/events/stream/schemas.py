"""What the queries of the stream return."""

import msgspec

from tallyroom.queries.newest_events import StoredEvent


class ArrivalRow(msgspec.Struct, frozen=True):
    """A row of the store: where an event is, by arrival and by the UTC day since 1970 on which it happened."""

    seq: int
    day: int


class ReceivedRow(msgspec.Struct, frozen=True):
    """A row of the store: when an event was received."""

    received_ms: int


class NewestOfSpoolRow(msgspec.Struct, frozen=True):
    """A row of the store: a spool, and its newest event."""

    spool: int
    seq: int


class StreamedRow(StoredEvent, frozen=True):
    """A row of the store: an event, and for each selection whether it is one of its events."""

    seq: int
    matches: list[int]

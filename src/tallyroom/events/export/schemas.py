"""What an export is asked for, and the rows that its way through the store is found by."""

from collections.abc import Mapping
from typing import Literal

import msgspec

Format = Literal["ndjson", "csv", "parquet"]


class ExportCut(msgspec.Struct, frozen=True):
    """Where the events that the export knows of end: what this spool numbered later is not in it.

    Attributes:
        spool_id: the identity of this worker's spool.
        last_seq: the last sequence number of it.
        peer_seqs: the same for the spools of other workers, beside which there are none; None for a process that is
            alone, and has all of what other spools have left.
    """

    spool_id: int
    last_seq: int
    peer_seqs: Mapping[int, int] | None = None


class ExportPosition(msgspec.Struct, frozen=True):
    """An event's position in the order of events (rules/events#order-of-events)."""

    timestamp_ms: int
    received_ms: int
    spool: int
    seq: int

    @classmethod
    def before(cls, timestamp_ms: int) -> "ExportPosition":
        """The position before every event of that millisecond."""
        return cls(timestamp_ms, 0, 0, 0)


class SizedPosition(ExportPosition, frozen=True):
    """A row of the store: where an event stands, and about how much memory it takes."""

    bytes: int


class DayRow(msgspec.Struct, frozen=True):
    """A row of the store: the first millisecond of a UTC day."""

    day_ms: int

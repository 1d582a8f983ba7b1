"""The parameters of an export, and the rows of its queries."""

from collections.abc import Mapping
from typing import Literal

import msgspec

Format = Literal["ndjson", "csv", "parquet"]


class ExportCut(msgspec.Struct, frozen=True):
    """Where an export ends: it includes the events up to `last_seq` of this worker's spool, `spool_id`.

    `peer_seqs` has the same for the spools of other workers; None for a single process, which includes all other
    spools.
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
        """Return the position before every event of that millisecond."""
        return cls(timestamp_ms, 0, 0, 0)


class SizedPosition(ExportPosition, frozen=True):
    """A row of the store: an event's position, and about how much memory it takes."""

    bytes: int


class DayRow(msgspec.Struct, frozen=True):
    """A row of the store: the first millisecond of a UTC day."""

    day_ms: int

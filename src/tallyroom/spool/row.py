"""One event as the spool keeps it: a JSON array on one line, in the order of the store's insert.

The line is what the store parses, so nothing is built again between the request and the insert.
"""

from collections import defaultdict
from datetime import UTC, datetime
from functools import lru_cache

import msgspec

from tallyroom.core.times import DAY_MS


class SpoolRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An accepted event with its position in the order of arrival."""

    workspace_id: str
    environment: str
    timestamp_ms: int
    received_ms: int
    spool: int
    seq: int
    name: str
    actor: str
    actor_label: str
    source: str
    properties: msgspec.Raw
    narrowed: msgspec.Raw | str = ""


UNMAPPED = 0
"""The month of a chunk whose rows are only made when it goes to the store."""


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """Lines of one month: the store keeps a partition a month, and only a block of one partition is atomic.

    Attributes:
        month: as in 202611, UTC; or `UNMAPPED`.
        events: how many lines.
        body: the lines, each ended by a line feed; or what they are made of.
        size: bytes of the lines; about as many where they are yet to be made.
    """

    month: int
    events: int
    body: bytes
    size: int


_encoder = msgspec.json.Encoder()


def chunks_of(rows: list[SpoolRow]) -> list[Chunk]:
    """The rows as chunks, one for each month; most batches are of one."""
    found = {month_of(row.timestamp_ms) for row in rows}
    if len(found) == 1:
        return [_chunk(found.pop(), rows)]
    months: defaultdict[int, list[SpoolRow]] = defaultdict(list)
    for row in rows:
        months[month_of(row.timestamp_ms)].append(row)
    return [_chunk(month, part) for month, part in months.items()]


def _chunk(month: int, rows: list[SpoolRow]) -> Chunk:
    body = _encoder.encode_lines(rows)
    return Chunk(month, len(rows), body, len(body))


def split_lines(body: bytes) -> list[bytes]:
    """The lines of a chunk, each with its line feed; JSON text holds no raw line break of its own."""
    return body.splitlines(keepends=True)


def month_of(timestamp_ms: int) -> int:
    """The UTC month of a time, as in 202611."""
    return _month_of_day(timestamp_ms // DAY_MS)


@lru_cache(maxsize=4096)
def _month_of_day(day: int) -> int:
    date = datetime.fromtimestamp(day * 86_400, UTC)
    return date.year * 100 + date.month

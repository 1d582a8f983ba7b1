"""One event as a JSON array in the order of the store's columns, on a line that the store itself parses."""

from collections import defaultdict
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO

import msgspec

from tallyroom.core.times import DAY_MS

_MARK = b"\t"  # no other byte of a line is a tab, so one search for one byte finds the marked lines of a whole block
_END_WITHOUT_NUMBERS, _MARKED_END = b",null]\n", _MARK + b"]\n"


def mark_narrowed(narrowed: bytes) -> msgspec.Raw:
    """Return the last element of an event with a number that may be more than its double."""
    return msgspec.Raw((narrowed or b'""') + _MARK)


class SpoolRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An accepted event with its position in the order of arrival.

    `narrowed` is None if no number is more than its double, and otherwise marked: the store examines only these events
    (storage/event_store/number_texts.py).
    """

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
    narrowed: msgspec.Raw | None = mark_narrowed(b"")


UNMAPPED_MONTH = 0  # of a chunk whose rows are not built before it goes to the store


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """Lines of one month: the store has one partition per month, and an insert is atomic only within one partition.

    `month` is as in 202611, UTC, or `UNMAPPED_MONTH`; lines are then not built yet, and `byte_count` is an estimate.
    """

    month: int
    event_count: int
    body: bytes
    byte_count: int


_encoder = msgspec.json.Encoder()


def build_chunks(rows: list[SpoolRow]) -> list[Chunk]:
    """Group the rows into one chunk per month; most batches have one month."""
    months = {month_of(row.timestamp_ms) for row in rows}
    if len(months) == 1:
        return [_build_chunk(months.pop(), rows)]
    rows_by_month: defaultdict[int, list[SpoolRow]] = defaultdict(list)
    for row in rows:
        rows_by_month[month_of(row.timestamp_ms)].append(row)
    return [_build_chunk(month, month_rows) for month, month_rows in rows_by_month.items()]


def _build_chunk(month: int, rows: list[SpoolRow]) -> Chunk:
    body = _encoder.encode_lines(rows)
    return Chunk(month, len(rows), body, len(body))


def mark_earlier_lines(body: bytes) -> bytes:
    """Return lines of one chunk; earlier versions wrote neither null nor a mark, so all of theirs are marked."""
    if body.endswith((_END_WITHOUT_NUMBERS, _MARKED_END)):
        return body
    return body.replace(b"]\n", _MARKED_END)


def split_lines(body: bytes) -> list[bytes]:
    """Split a chunk into lines, each with its line feed; JSON text contains no raw ones."""
    return BytesIO(body).readlines()  # unlike `splitlines`, only at line feeds: a damaged line may have other breaks


def month_of(timestamp_ms: int) -> int:
    """Return the UTC month of a time, as in 202611."""
    return _month_of_day(timestamp_ms // DAY_MS)


@lru_cache(maxsize=4096)
def _month_of_day(day: int) -> int:
    date = datetime.fromtimestamp(day * 86_400, UTC)
    return date.year * 100 + date.month

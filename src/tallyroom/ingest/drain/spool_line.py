"""A line of the spool as the store reads it (storage/spool/row.py)."""

from uuid import UUID

import msgspec

from tallyroom.storage.spool.row import month_of

SpoolLine = tuple[UUID, str, int, int, int, int, str, str, str, str, msgspec.Raw, msgspec.Raw]

_decoder: msgspec.json.Decoder[SpoolLine] = msgspec.json.Decoder(SpoolLine)


def read_line(line: bytes) -> SpoolLine | None:
    """Return the columns; None if the line is not a complete row, like every line that this program writes."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def belongs_to(line: SpoolLine, spool_id: int, month: int) -> bool:
    """Return whether a row came through a spool and belongs to a month."""
    try:
        return line[4] == spool_id and month_of(line[2]) == month
    except (OverflowError, ValueError, OSError):  # a time beyond the calendar
        return False

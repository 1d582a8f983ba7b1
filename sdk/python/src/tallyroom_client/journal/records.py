"""The lines of a journal: a checksum, a space, and a record in JSON."""

import json
from typing import Any, NamedTuple
from zlib import crc32

EVENT_START = b'{"e":'
_CHECKSUM_LENGTH = 8
CONTENT_START = _CHECKSUM_LENGTH + 1


class CutRecord(NamedTuple):
    """A cut that may have been sent: the events between two offsets of the file.

    Attributes:
        key: its `Idempotency-Key`.
        start: the offset of its first event's line.
        end: the offset behind its last event's line.
        event_count: how many events it has.
        made_ms: when it was written, in ms since 1970.
    """

    key: str
    start: int
    end: int
    event_count: int
    made_ms: int

    def line(self) -> bytes:
        """Return the line of this record."""
        return _line({"c": self.key, "from": self.start, "to": self.end, "n": self.event_count, "t": self.made_ms})


class AcknowledgementRecord(NamedTuple):
    """The server has the events of a cut."""

    key: str
    status: int

    def line(self) -> bytes:
        """Return the line of this record."""
        return _line({"a": self.key, "s": self.status})


class RefusalRecord(NamedTuple):
    """A cut is void: these of its events, by index, are wrong, and the others will be in a new cut."""

    key: str
    indices: tuple[int, ...]

    def line(self) -> bytes:
        """Return the line of this record."""
        return _line({"x": self.key, "i": self.indices})


class DroppedRecord(NamedTuple):
    """How many events had no room and when, in ms since 1970; zero once an event reports the loss."""

    event_count: int
    from_ms: int = 0
    to_ms: int = 0

    def line(self) -> bytes:
        """Return the line of this record."""
        return _line({"d": self.event_count, "from": self.from_ms, "to": self.to_ms})


Record = CutRecord | AcknowledgementRecord | RefusalRecord | DroppedRecord


def event_line(event: bytes) -> bytes:
    """Return the line of an event, given as compact JSON."""
    content = b'{"e":%b}' % event
    return b"%08x %b\n" % (crc32(content), content)


def read_content(line: bytes) -> bytes | None:
    """Return the JSON of a line without its LF; None if the line is torn or damaged."""
    content = line[CONTENT_START:]
    return content if line[:CONTENT_START] == b"%08x " % crc32(content) else None


def event_in(content: bytes) -> bytes:
    """Return the event of a content that begins with `EVENT_START`."""
    return content[len(EVENT_START) : -1]


def read_record(content: bytes) -> Record | None:
    """Return the record of a content that is no event; None for a record of a later version."""
    try:
        return _record_of(json.loads(content))
    except (KeyError, TypeError, ValueError):
        return None


def _record_of(fields: dict[str, Any]) -> Record | None:
    if "c" in fields:
        return CutRecord(fields["c"], fields["from"], fields["to"], fields["n"], fields["t"])
    if "a" in fields:
        return AcknowledgementRecord(fields["a"], fields["s"])
    if "x" in fields:
        return RefusalRecord(fields["x"], tuple(fields["i"]))
    if "d" in fields:
        return DroppedRecord(fields["d"], fields["from"], fields["to"])
    return None


def _line(fields: dict[str, Any]) -> bytes:
    content = json.dumps(fields, separators=(",", ":")).encode()
    return b"%08x %b\n" % (crc32(content), content)

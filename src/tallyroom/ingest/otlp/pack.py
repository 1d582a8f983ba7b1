"""Splits a request into records and packs them into pieces that the drain can map one at a time.

Records that are too large, or beyond what may be taken, are left out here and counted.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.ingest.otlp.wire import nested

PIECE_BYTES = 4_000_000
"""The most bytes of a piece, each record counted with everything that it shares: roughly the size of its rows."""
PIECE_EVENTS = 20_000
"""The most events of a piece, unless one span has more: a record may be as short as two bytes, its row is not."""
MOST_BYTES_OF_A_SPAN = 4_000_000
"""The most bytes of a span and its events, each with everything that it shares, as they must be mapped together."""


class Piece(NamedTuple):
    """A request of its own, made of some of the records of another.

    Attributes:
        payload: the encoded request.
        size: its bytes, each record counted with everything that it shares with others.
        records: the number of records.
    """

    payload: bytes
    size: int
    records: int


class Record(NamedTuple):
    """A record that may be kept: its bytes, the number of its events, and the number of events removed from it."""

    payload: bytes
    events: int
    left_events: int = 0


@dataclass(slots=True)
class LeftRecords:
    """How many records were left out, and why.

    Attributes:
        too_large: records over the limit of one event.
        events: span events over that limit, whose span is kept.
        past_cap: records beyond the plan's monthly cap.
    """

    too_large: int = 0
    events: int = 0
    past_cap: int = 0

    @property
    def records(self) -> int:
        """The number of records, without span events, which the sender does not count as records."""
        return self.too_large + self.past_cap


@dataclass(slots=True)
class _Level:
    """A message that is being filled: the field that holds it, its fields beside the children, and the children."""

    number: int
    own_fields: bytes
    children: bytearray = field(default_factory=bytearray)


class Packer:
    """Fills pieces with records.

    Args:
        fit: returns a record as it may be kept within a number of bytes, or None if it may not.
        room: how many events may still be accepted; None for any number.

    Attributes:
        pieces: the pieces packed so far; complete after `finish`.
        left: the records left out.
    """

    def __init__(self, fit: Callable[[bytes, int], Record | None], room: int | None) -> None:
        self._fit = fit
        self._room = room
        self._levels: list[_Level] = []
        self._shared_size = 0
        self._size = 0
        self._records = 0
        self._events = 0
        self.pieces: list[Piece] = []
        self.left = LeftRecords()

    def enter(self, number: int, own_fields: bytes) -> None:
        """Begin a message that holds records, or messages with records; field 0 is the request itself."""
        self._levels.append(_Level(number, own_fields))
        self._shared_size += len(own_fields)

    def leave(self) -> None:
        """End the message."""
        level = self._levels.pop()
        self._shared_size -= len(level.own_fields)
        if not self._levels:
            self._add(level.own_fields + level.children)
        elif level.children:
            self._levels[-1].children += nested(level.number, level.own_fields + level.children)

    def record(self, number: int, payload: bytes) -> None:
        """Add a record to the message that was entered last."""
        room = MAX_EVENT_BYTES - self._shared_size
        record = self._fit(payload, room) if room > 0 else None
        cost = 0 if record is None else len(record.payload) + self._shared_size * record.events
        if record is None or cost > MOST_BYTES_OF_A_SPAN:
            self.left.too_large += 1
            return
        if self._room is not None:
            if record.events > self._room:
                self._room = 0  # nothing after it either: only the first records are kept
                self.left.past_cap += 1
                return
            self._room -= record.events
        self.left.events += record.left_events
        if self._records and (self._size + cost > PIECE_BYTES or self._events + record.events > PIECE_EVENTS):
            self._cut()
        self._size += cost
        self._records += 1
        self._events += record.events
        self._levels[-1].children += nested(number, record.payload)

    def _cut(self) -> None:
        """End a piece in the middle of its messages; the next piece begins with the same messages."""
        inner = b""
        for level in reversed(self._levels):
            message = level.own_fields + level.children + inner
            level.children.clear()
            inner = nested(level.number, message) if level.number else message
        self._add(inner)

    def _add(self, payload: bytes) -> None:
        if self._records:
            self.pieces.append(Piece(payload, self._size, self._records))
        self._size = self._records = self._events = 0

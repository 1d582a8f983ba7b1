"""Splits a request into records and packs them into pieces that the drain can map one at a time.

Records that are too large, or beyond what may be taken, are left out here and counted.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.otlp.wire import nested

PIECE_BYTES = 4_000_000
"""Most bytes of a piece, each record counted with all that it shares: what the rows made of it roughly take."""
PIECE_EVENTS = 20_000
"""Most events of a piece but for a span that has more on its own: a record may take two bytes, and its row does not."""
MOST_BYTES_OF_A_SPAN = 4_000_000
"""Most bytes of a span and its events, each with all that it shares: they cannot be mapped one at a time."""


class Piece(NamedTuple):
    """A request of its own, made of some of the records of another.

    Attributes:
        payload: the encoded request.
        size: its bytes, each record counted with all that it shares with others.
        records: how many there are.
    """

    payload: bytes
    size: int
    records: int


class Record(NamedTuple):
    """A record that may be kept: its bytes, how many events come of it, and how many were taken out of it."""

    payload: bytes
    events: int
    dropped: int = 0


@dataclass(slots=True)
class Left:
    """How many records were left out, and why.

    Attributes:
        too_large: records over the limit of one event.
        events: span events over it, whose span is kept.
        past_cap: records beyond the plan's monthly cap.
    """

    too_large: int = 0
    events: int = 0
    past_cap: int = 0

    @property
    def records(self) -> int:
        """All of them, without the span events, which are no records of their own to the sender."""
        return self.too_large + self.past_cap


@dataclass(slots=True)
class _Level:
    """A message that is being filled: the field that holds it, what stands beside its children, and the children."""

    number: int
    shared: bytes
    children: bytearray = field(default_factory=bytearray)


class Packer:
    """Fills pieces with records.

    Args:
        fit: a record as it may be kept within so many bytes, None when it may not.
        room: how many events may still be taken; None for any number.

    Attributes:
        pieces: what is packed; complete after `finish`.
        left: what is not.
    """

    def __init__(self, fit: Callable[[bytes, int], Record | None], room: int | None) -> None:
        self._fit = fit
        self._room = room
        self._levels: list[_Level] = []
        self._shared = 0
        self._size = 0
        self._records = 0
        self._events = 0
        self.pieces: list[Piece] = []
        self.left = Left()

    def enter(self, number: int, shared: bytes) -> None:
        """A message begins that holds records, or messages with records; field 0 is the request itself."""
        self._levels.append(_Level(number, shared))
        self._shared += len(shared)

    def leave(self) -> None:
        """The message ends."""
        level = self._levels.pop()
        self._shared -= len(level.shared)
        if not self._levels:
            self._add(level.shared + level.children)
        elif level.children:
            self._levels[-1].children += nested(level.number, level.shared + level.children)

    def record(self, number: int, payload: bytes) -> None:
        """One record in the message that was entered last."""
        room = MAX_EVENT_BYTES - self._shared
        record = self._fit(payload, room) if room > 0 else None
        cost = 0 if record is None else len(record.payload) + self._shared * record.events
        if record is None or cost > MOST_BYTES_OF_A_SPAN:
            self.left.too_large += 1
            return
        if self._room is not None:
            if record.events > self._room:
                self._room = 0  # nothing after it either: what is kept is what came first
                self.left.past_cap += 1
                return
            self._room -= record.events
        self.left.events += record.dropped
        if self._records and (self._size + cost > PIECE_BYTES or self._events + record.events > PIECE_EVENTS):
            self._cut()
        self._size += cost
        self._records += 1
        self._events += record.events
        self._levels[-1].children += nested(number, record.payload)

    def _cut(self) -> None:
        """End a piece in the middle of its messages; the next one begins with the same ones."""
        inner = b""
        for level in reversed(self._levels):
            whole = level.shared + level.children + inner
            level.children.clear()
            inner = nested(level.number, whole) if level.number else whole
        self._add(inner)

    def _add(self, payload: bytes) -> None:
        if self._records:
            self.pieces.append(Piece(payload, self._size, self._records))
        self._size = self._records = self._events = 0

"""Turns a request's body into what the spool takes: checked, not mapped yet (rules/events#otlp-records-left-out)."""

from typing import NamedTuple

from google.protobuf.internal import api_implementation

from tallyroom.core.errors import Internal
from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.otlp.compressed import compress, decompress
from tallyroom.otlp.json_walk import walk_json
from tallyroom.otlp.pack import PIECE_BYTES, PIECE_EVENTS, Left, Packer, Piece
from tallyroom.otlp.shared import shared_bytes
from tallyroom.otlp.signals import Signal
from tallyroom.otlp.walk import walk

MAX_BODY_BYTES = 67_108_864

_SHARED_TAGS = 100  # more than the tags and lengths of all fields that a record shares


class Counted(NamedTuple):
    """A piece that decodes, compressed, its size as `Piece` has it, and how many events it holds."""

    compressed: bytes
    size: int
    events: int


class Taken(NamedTuple):
    """What may be kept of a request.

    Attributes:
        pieces: each of at least one event.
        left: what may not.
    """

    pieces: list[Counted]
    left: Left

    @property
    def events(self) -> int:
        """How many events the pieces hold."""
        return sum(counted.events for counted in self.pieces)


def require_fast_protobuf() -> None:
    """Refuse to work with protobuf's decoder in Python, which is 50 times slower than the one in C.

    Raises:
        Internal: the one in C is not installed.
    """
    if api_implementation.Type() != "upb":
        raise Internal("protobuf is installed without its decoder in C; unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION.")


def take_protobuf(signal: Signal, body: bytes) -> Taken:
    """Take a request in protobuf.

    Raises:
        Undecodable: it is none of this signal.
        PayloadTooLarge: it has more parts than anybody sends.
    """
    if len(body) <= PIECE_BYTES:
        outline = signal.outline.read(body)
        shared = outline.shared + shared_bytes(body)
        if outline.largest + shared + _SHARED_TAGS <= MAX_EVENT_BYTES and outline.records <= PIECE_EVENTS:
            events = signal.events(body, outline.records)
            size = len(body) + events * shared
            if size <= PIECE_BYTES and events <= PIECE_EVENTS:
                return Taken([Counted(compress(body), size, events)] if events else [], Left())
    return _packed(signal, body, None)


def take_json(signal: Signal, body: bytes) -> Taken:
    """Take a request in JSON; the errors are those of `take_protobuf`."""
    packer = Packer(signal.fit, None)
    walk_json(body, signal.request.DESCRIPTOR, signal.path, packer)
    return Taken(_counted(signal, packer.pieces), packer.left)


def take_first(signal: Signal, taken: Taken, room: int) -> Taken:
    """The first records of what was taken, of at most `room` events."""
    kept: list[Counted] = []
    left = taken.left
    for counted in taken.pieces:
        if counted.events > room:
            rest = _packed(signal, decompress(counted.compressed), room)
            kept += rest.pieces
            left.past_cap += rest.left.past_cap
            room = 0
        else:
            kept.append(counted)
            room -= counted.events
    return Taken(kept, left)


def _packed(signal: Signal, body: bytes, room: int | None) -> Taken:
    packer = Packer(signal.fit, room)
    walk(body, signal.path, packer)
    return Taken(_counted(signal, packer.pieces), packer.left)


def _counted(signal: Signal, pieces: list[Piece]) -> list[Counted]:
    """The pieces with their numbers of events, those of none left out."""
    counted = [(piece, signal.events(piece.payload, piece.records)) for piece in pieces]
    return [Counted(compress(piece.payload), piece.size, events) for piece, events in counted if events]

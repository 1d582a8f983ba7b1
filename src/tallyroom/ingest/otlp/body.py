"""Turns a request's body into pieces for the spool, checked but not mapped (rules/events#otlp-records-left-out)."""

from typing import NamedTuple

from google.protobuf.internal import api_implementation

from tallyroom.core.errors import Internal
from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.ingest.otlp.compression import compress, decompress
from tallyroom.ingest.otlp.json_walk import walk_json
from tallyroom.ingest.otlp.pack import PIECE_BYTES, PIECE_EVENTS, LeftRecords, Packer, Piece
from tallyroom.ingest.otlp.protobuf_walk import walk
from tallyroom.ingest.otlp.shared import shared_bytes
from tallyroom.ingest.otlp.signals import Signal

MAX_BODY_BYTES = 67_108_864

_SHARED_TAGS = 100  # more than the tags and lengths of all fields that a record shares


class CountedPiece(NamedTuple):
    """A checked piece: compressed, with its size as in `Piece`, and the number of its events."""

    compressed_payload: bytes
    size: int
    events: int


class TakenPieces(NamedTuple):
    """The part of a request that may be kept.

    Attributes:
        pieces: the pieces, each with at least one event.
        left: the records left out.
    """

    pieces: list[CountedPiece]
    left: LeftRecords

    @property
    def events(self) -> int:
        """The number of events in the pieces."""
        return sum(piece.events for piece in self.pieces)


def require_fast_protobuf() -> None:
    """Refuse to work with protobuf's decoder in Python, which is 50 times slower than the one in C.

    Raises:
        Internal: the decoder in C is not installed.
    """
    if api_implementation.Type() != "upb":
        raise Internal("protobuf is installed without its decoder in C; unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION.")


def take_protobuf(signal: Signal, body: bytes) -> TakenPieces:
    """Read a request in protobuf.

    Raises:
        Undecodable: it is not a request of this signal.
        PayloadTooLarge: it has too many parts.
    """
    if len(body) <= PIECE_BYTES:
        outline = signal.outline.read(body)
        shared_size = outline.shared_size + shared_bytes(body)
        if outline.largest + shared_size + _SHARED_TAGS <= MAX_EVENT_BYTES and outline.records <= PIECE_EVENTS:
            events = signal.events(body, outline.records)
            size = len(body) + events * shared_size
            if size <= PIECE_BYTES and events <= PIECE_EVENTS:
                return TakenPieces([CountedPiece(compress(body), size, events)] if events else [], LeftRecords())
    return _packed(signal, body, None)


def take_json(signal: Signal, body: bytes) -> TakenPieces:
    """Read a request in JSON; this raises the same errors as `take_protobuf`."""
    packer = Packer(signal.fit, None)
    walk_json(body, signal.request.DESCRIPTOR, signal.path, packer)
    return TakenPieces(_counted(signal, packer.pieces), packer.left)


def take_first(signal: Signal, records: TakenPieces, room: int) -> TakenPieces:
    """Return the first of `records`, with at most `room` events."""
    pieces: list[CountedPiece] = []
    left = records.left
    for piece in records.pieces:
        if piece.events > room:
            rest = _packed(signal, decompress(piece.compressed_payload), room)
            pieces += rest.pieces
            left.past_cap += rest.left.past_cap
            room = 0
        else:
            pieces.append(piece)
            room -= piece.events
    return TakenPieces(pieces, left)


def _packed(signal: Signal, body: bytes, room: int | None) -> TakenPieces:
    packer = Packer(signal.fit, room)
    walk(body, signal.path, packer)
    return TakenPieces(_counted(signal, packer.pieces), packer.left)


def _counted(signal: Signal, pieces: list[Piece]) -> list[CountedPiece]:
    """Return the pieces with their numbers of events, without pieces that have none."""
    pairs = [(piece, signal.events(piece.payload, piece.records)) for piece in pieces]
    return [CountedPiece(compress(piece.payload), piece.size, events) for piece, events in pairs if events]

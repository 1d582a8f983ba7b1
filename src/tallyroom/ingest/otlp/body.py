"""Turns a request's body into pieces for the spool, checked but not mapped (rules/events#otlp-records-left-out)."""

from typing import NamedTuple

from google.protobuf.internal import api_implementation

from tallyroom.core.errors import Internal
from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.ingest.otlp.declared_types import count_shared_bytes
from tallyroom.ingest.otlp.pack import (
    MAX_PIECE_BYTES,
    MAX_PIECE_EVENTS,
    LeftOutCounts,
    Packer,
    RequestPiece,
    compress,
    decompress,
)
from tallyroom.ingest.otlp.signals import Signal
from tallyroom.ingest.otlp.walk import walk_json, walk_protobuf

MAX_BODY_BYTES = 67_108_864

_SHARED_TAG_BYTES = 100  # more than the tags and lengths of all fields that a record shares


class CountedPiece(NamedTuple):
    """A checked piece: compressed, with its size as in `RequestPiece`, and the number of its events."""

    compressed_payload: bytes
    byte_count: int
    event_count: int


class CheckedPieces(NamedTuple):
    """The pieces of a request that may be kept, each with at least one event, and the records left out."""

    pieces: list[CountedPiece]
    left_out: LeftOutCounts

    @property
    def event_count(self) -> int:
        """The number of events in the pieces."""
        return sum(piece.event_count for piece in self.pieces)


def require_fast_protobuf() -> None:
    """Raise `Internal` for protobuf's decoder in Python, which is 50 times slower than the one in C."""
    if api_implementation.Type() != "upb":
        raise Internal("protobuf is not using its C decoder; unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION.")


def read_protobuf(signal: Signal, body: bytes) -> CheckedPieces:
    """Read a request in protobuf; raises `Undecodable`, or `PayloadTooLarge` if it has too many parts."""
    if len(body) <= MAX_PIECE_BYTES:
        outline = signal.outline_reader.read(body)
        shared_bytes = outline.max_shared_bytes + count_shared_bytes(body)
        if (
            outline.max_record_bytes + shared_bytes + _SHARED_TAG_BYTES <= MAX_EVENT_BYTES
            and outline.record_count <= MAX_PIECE_EVENTS
        ):
            event_count = signal.count_events(body, outline.record_count)
            byte_count = len(body) + event_count * shared_bytes
            if byte_count <= MAX_PIECE_BYTES and event_count <= MAX_PIECE_EVENTS:
                pieces = [CountedPiece(compress(body), byte_count, event_count)] if event_count else []
                return CheckedPieces(pieces, LeftOutCounts())
    return _pack_pieces(signal, body, None)


def read_json(signal: Signal, body: bytes) -> CheckedPieces:
    """Read a request in JSON; raises the same errors as `read_protobuf`."""
    packer = Packer(signal.fit_record, None)
    walk_json(body, signal.request_class.DESCRIPTOR, signal.record_path, packer)
    return CheckedPieces(_build_counted_pieces(signal, packer.pieces), packer.left_out)


def keep_first_events(signal: Signal, checked_pieces: CheckedPieces, max_events: int) -> CheckedPieces:
    """Return the first pieces, with at most `max_events` events."""
    pieces: list[CountedPiece] = []
    left_out = checked_pieces.left_out
    for piece in checked_pieces.pieces:
        if piece.event_count > max_events:
            fitting_pieces = _pack_pieces(signal, decompress(piece.compressed_payload), max_events)
            pieces += fitting_pieces.pieces
            left_out.past_cap += fitting_pieces.left_out.past_cap
            max_events = 0
        else:
            pieces.append(piece)
            max_events -= piece.event_count
    return CheckedPieces(pieces, left_out)


def _pack_pieces(signal: Signal, body: bytes, max_events: int | None) -> CheckedPieces:
    packer = Packer(signal.fit_record, max_events)
    walk_protobuf(body, signal.record_path, packer)
    return CheckedPieces(_build_counted_pieces(signal, packer.pieces), packer.left_out)


def _build_counted_pieces(signal: Signal, pieces: list[RequestPiece]) -> list[CountedPiece]:
    return [
        CountedPiece(compress(piece.payload), piece.byte_count, event_count)
        for piece in pieces
        if (event_count := signal.count_events(piece.payload, piece.record_count))
    ]

"""Splits a request into pieces for the drain; records that are too large or beyond the monthly cap are counted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.core.zstd import zstd
from tallyroom.ingest.otlp.wire import encode_field

MAX_PIECE_BYTES = 4_000_000
"""The most bytes of a piece, each record counted with everything that it shares; roughly the size of its rows."""
MAX_PIECE_EVENTS = 20_000
"""The most events of a piece, unless one span has more: a record may have only two bytes, but its row has more."""
MAX_SPAN_BYTES = 4_000_000
"""The most bytes of a span with its events, each counted with everything that it shares: they are mapped together."""
_ZSTD_LEVEL = -1  # a fifth of the bytes, in half the time that the spool would take to write the rest


class RequestPiece(NamedTuple):
    """A request with some of another's records; `byte_count` counts each with everything that it shares."""

    payload: bytes
    byte_count: int
    record_count: int


class Record(NamedTuple):
    """The bytes of a record to keep, the number of its events, and the number of events removed from it."""

    payload: bytes
    event_count: int
    removed_event_count: int = 0


@dataclass(slots=True)
class LeftOutCounts:
    """How many records were left out as `too_large` or `past_cap`; `events` counts large events of kept spans."""

    too_large: int = 0
    events: int = 0
    past_cap: int = 0

    @property
    def record_count(self) -> int:
        """The number of records, without span events, which the sender does not count as records."""
        return self.too_large + self.past_cap


@dataclass(slots=True)
class _OpenMessage:
    field_number: int
    own_fields: bytes
    children: bytearray = field(default_factory=bytearray)


class Packer:
    """Fills pieces with records that `fit_record` cuts to a number of bytes; `pieces` is complete at the end."""

    def __init__(self, fit_record: Callable[[bytes, int], Record | None], remaining_event_count: int | None) -> None:
        self._fit_record = fit_record
        self._remaining_event_count = remaining_event_count
        self._open_messages: list[_OpenMessage] = []
        self._shared_bytes = 0
        self._piece_bytes = 0
        self._piece_record_count = 0
        self._piece_event_count = 0
        self.pieces: list[RequestPiece] = []
        self.left_out = LeftOutCounts()

    def open_message(self, field_number: int, own_fields: bytes) -> None:
        """Begin a message that holds records, or messages with records; field 0 is the request itself."""
        self._open_messages.append(_OpenMessage(field_number, own_fields))
        self._shared_bytes += len(own_fields)

    def close_message(self) -> None:
        """End the message."""
        message = self._open_messages.pop()
        self._shared_bytes -= len(message.own_fields)
        if not self._open_messages:
            self._add_piece(message.own_fields + message.children)
        elif message.children:
            payload = message.own_fields + message.children
            self._open_messages[-1].children += encode_field(message.field_number, payload)

    def add_record(self, field_number: int, payload: bytes) -> None:
        """Add a record to the message that was opened last."""
        max_bytes = MAX_EVENT_BYTES - self._shared_bytes
        record = self._fit_record(payload, max_bytes) if max_bytes > 0 else None
        byte_count = 0 if record is None else len(record.payload) + self._shared_bytes * record.event_count
        if record is None or byte_count > MAX_SPAN_BYTES:
            self.left_out.too_large += 1
            return
        if self._remaining_event_count is not None:
            if record.event_count > self._remaining_event_count:
                self._remaining_event_count = 0  # nothing after it either: only the first records are kept
                self.left_out.past_cap += 1
                return
            self._remaining_event_count -= record.event_count
        self.left_out.events += record.removed_event_count
        if self._piece_record_count and (
            self._piece_bytes + byte_count > MAX_PIECE_BYTES
            or self._piece_event_count + record.event_count > MAX_PIECE_EVENTS
        ):
            self._cut_piece()
        self._piece_bytes += byte_count
        self._piece_record_count += 1
        self._piece_event_count += record.event_count
        self._open_messages[-1].children += encode_field(field_number, record.payload)

    def _cut_piece(self) -> None:
        """End a piece in the middle of its messages; the next piece begins with the same messages."""
        encoded_inner = b""
        for message in reversed(self._open_messages):
            message_bytes = message.own_fields + message.children + encoded_inner
            message.children.clear()
            encoded_inner = encode_field(message.field_number, message_bytes) if message.field_number else message_bytes
        self._add_piece(encoded_inner)

    def _add_piece(self, payload: bytes) -> None:
        if self._piece_record_count:
            self.pieces.append(RequestPiece(payload, self._piece_bytes, self._piece_record_count))
        self._piece_bytes = self._piece_record_count = self._piece_event_count = 0


def compress(payload: bytes) -> bytes:
    """Return a payload as it waits for the drain."""
    return zstd.compress(payload, _ZSTD_LEVEL)


def decompress(compressed_payload: bytes) -> bytes:
    """Return the original of a payload from `compress`."""
    return zstd.decompress(compressed_payload)

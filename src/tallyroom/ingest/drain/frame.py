"""A piece of a request as the spool keeps it, with everything that the drain needs to turn it into rows."""

import base64
import logging
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from tallyroom.core.zstd import zstd
from tallyroom.ingest.otlp.compression import decompress
from tallyroom.ingest.otlp.message_types import decode_message
from tallyroom.ingest.otlp.signals import SIGNALS
from tallyroom.storage.spool.row import month_of

_TIME_INDEX = 2  # index of the time in a row
_UNMAPPABLE_TIME = "could not be mapped"

_log = logging.getLogger(__name__)


class Frame(msgspec.Struct, array_like=True, frozen=True):
    """What precedes a payload in the spool.

    Attributes:
        signal: the name of the signal.
        workspace_id, environment: where the events belong.
        received_ms: the time of receipt.
        first_seq: the sequence number of the first event.
        events: the number of events.
        length: the bytes of the compressed payload, which follows after a line feed.
    """

    signal: str
    workspace_id: str
    environment: str
    received_ms: int
    first_seq: int
    events: int
    length: int

    def wrap(self, compressed_payload: bytes) -> bytes:
        """Return the frame with its payload."""
        return b"%s\n%s" % (_encoder.encode(self), compressed_payload)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Frame)

LinesByMonth = dict[int, tuple[int, bytes]]
"""The number of rows of each month, and their lines."""


def map_frames(body: bytes, spool: int) -> LinesByMonth | None:
    """Return the rows of frames by month; None if the bytes are no frames.

    Args:
        body: frames with their payloads.
        spool: the identity of the spool that numbered the rows.
    """
    months: defaultdict[int, list[tuple[int, bytes]]] = defaultdict(list)
    try:
        for frame, payload in _iterate_frames(body):
            for month, rows in _map_frame(frame, payload, spool).items():
                months[month].append(rows)
    except (ValueError, OverflowError, OSError, zstd.ZstdError):  # the header, its time or the payload cannot be read
        return None
    return {
        month: (sum(events for events, _ in parts), b"".join([lines for _, lines in parts]))
        for month, parts in months.items()
    }


class FoundFrame(NamedTuple):
    """A frame in a body: where its payload begins, and where it ends."""

    frame: Frame
    payload_start: int
    stop: int


def find_frame(body: bytes, start: int) -> FoundFrame | None:
    """Return the frame that begins at `start`; None if none does."""
    payload_start = body.find(b"\n", start) + 1
    try:
        frame = _decoder.decode(body[start:payload_start])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    is_possible = frame.events > 0 and 0 < frame.length <= len(body) - payload_start
    return FoundFrame(frame, payload_start, payload_start + frame.length) if is_possible else None


def _iterate_frames(body: bytes) -> Iterator[tuple[Frame, bytes]]:
    offset = 0
    while offset < len(body):
        found_frame = find_frame(body, offset)
        if found_frame is None:
            raise ValueError("no frame")
        offset = found_frame.stop
        yield found_frame.frame, decompress(body[found_frame.payload_start : offset])


def _map_frame(frame: Frame, payload: bytes, spool: int) -> LinesByMonth:
    try:
        months: defaultdict[int, list[list[Any]]] = defaultdict(list)
        for row in _build_rows(frame, payload, spool):
            months[month_of(row[_TIME_INDEX])].append(row)
    except Exception:  # noqa: BLE001 # a fault of the program; it must not hold up the queue forever
        _log.exception("OpenTelemetry could not be mapped")
        return {month_of(frame.received_ms): (frame.events, _build_refused_lines(frame, payload, spool))}
    return {month: (len(rows), _encoder.encode_lines(rows)) for month, rows in sorted(months.items())}


def _build_rows(frame: Frame, payload: bytes, spool: int) -> list[list[Any]]:
    """Return the events as in `storage/spool/row.SpoolRow`, but with properties that are not encoded yet."""
    signal = SIGNALS[frame.signal]
    workspace_id, environment, received_ms = frame.workspace_id, frame.environment, frame.received_ms
    rows = [
        [
            workspace_id,
            environment,
            event.timestamp_ms,
            received_ms,
            spool,
            seq,
            event.name,
            event.actor,
            "",
            event.source,
            event.properties,
            "",
        ]
        for seq, event in enumerate(
            signal.build_occurrences(decode_message(signal.request, payload), received_ms), frame.first_seq
        )
    ]
    if len(rows) != frame.events:
        raise ValueError(f"a frame of {frame.events} events has {len(rows)}")
    return rows


def _build_refused_lines(frame: Frame, payload: bytes, spool: int) -> bytes:
    """Return a line for each event that the store refuses, so that it is put aside; the first has the whole payload."""
    payload_text = base64.b64encode(payload).decode()
    seqs = range(frame.first_seq, frame.first_seq + frame.events)
    head = (frame.workspace_id, frame.environment, _UNMAPPABLE_TIME, frame.received_ms, spool)
    return _encoder.encode_lines(
        [[*head, seq, frame.signal, "", "", "", {"payload": payload_text} if seq == seqs[0] else {}] for seq in seqs]
    )

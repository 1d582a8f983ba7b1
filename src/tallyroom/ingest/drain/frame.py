"""One piece of a request as the spool keeps it, with everything that the drain needs to turn it into rows."""

import base64
import logging
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from tallyroom.core.zstd import zstd
from tallyroom.ingest.otlp.attributes import Properties
from tallyroom.ingest.otlp.declared_types import decode_message
from tallyroom.ingest.otlp.pack import decompress
from tallyroom.ingest.otlp.signals import SIGNALS
from tallyroom.storage.spool.row import mark_narrowed, month_of

_TIME_INDEX = 2  # index of the time in a row
_MAX_EXACT_INTEGER = 2**53  # doubles have all integers up to this one
_UNMAPPABLE_TIME = "could not be mapped"

_log = logging.getLogger(__name__)


class FrameHeader(msgspec.Struct, array_like=True, frozen=True):
    """The header before a payload in the spool; the compressed payload follows after a line feed."""

    signal: str
    workspace_id: str
    environment: str
    received_ms: int
    first_seq: int
    event_count: int
    payload_bytes: int

    def wrap(self, compressed_payload: bytes) -> bytes:
        """Return the frame with its payload."""
        return b"%s\n%s" % (_encoder.encode(self), compressed_payload)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FrameHeader)

LinesByMonth = dict[int, tuple[int, bytes]]
"""The number of rows and their lines, by month."""


def map_frames(body: bytes, spool_id: int) -> LinesByMonth | None:
    """Return the rows of frames by month, numbered by the spool `spool_id`; None if the bytes are not frames."""
    parts_by_month: defaultdict[int, list[tuple[int, bytes]]] = defaultdict(list)
    try:
        for header, payload in _iterate_frames(body):
            for month, rows in _map_frame(header, payload, spool_id).items():
                parts_by_month[month].append(rows)
    except (ValueError, OverflowError, OSError, zstd.ZstdError):  # the header, its time or the payload cannot be read
        return None
    return {
        month: (sum(event_count for event_count, _ in parts), b"".join([lines for _, lines in parts]))
        for month, parts in parts_by_month.items()
    }


class FoundFrame(NamedTuple):
    """A frame in a body: where its payload begins, and where it ends."""

    header: FrameHeader
    payload_start: int
    stop: int


def find_frame(body: bytes, start: int) -> FoundFrame | None:
    """Return the frame that begins at `start`, or None."""
    payload_start = body.find(b"\n", start) + 1
    try:
        header = _decoder.decode(body[start:payload_start])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    is_possible = header.event_count > 0 and 0 < header.payload_bytes <= len(body) - payload_start
    return FoundFrame(header, payload_start, payload_start + header.payload_bytes) if is_possible else None


def _iterate_frames(body: bytes) -> Iterator[tuple[FrameHeader, bytes]]:
    offset = 0
    while offset < len(body):
        found_frame = find_frame(body, offset)
        if found_frame is None:
            raise ValueError("no frame")
        offset = found_frame.stop
        yield found_frame.header, decompress(body[found_frame.payload_start : offset])


def _map_frame(header: FrameHeader, payload: bytes, spool_id: int) -> LinesByMonth:
    try:
        rows_by_month: defaultdict[int, list[list[Any]]] = defaultdict(list)
        for row in _build_rows(header, payload, spool_id):
            rows_by_month[month_of(row[_TIME_INDEX])].append(row)
    except Exception:  # noqa: BLE001 # a bug must not block the queue forever
        _log.exception("OpenTelemetry data could not be mapped")
        return {month_of(header.received_ms): (header.event_count, _build_refused_lines(header, payload, spool_id))}
    return {month: (len(rows), _encoder.encode_lines(rows)) for month, rows in sorted(rows_by_month.items())}


def _build_rows(header: FrameHeader, payload: bytes, spool_id: int) -> list[list[Any]]:
    """Return the events as in `storage/spool/row.SpoolRow`, but with properties that are not encoded yet."""
    signal = SIGNALS[header.signal]
    workspace_id, environment, received_ms = header.workspace_id, header.environment, header.received_ms
    rows = [
        [
            workspace_id,
            environment,
            event.timestamp_ms,
            received_ms,
            spool_id,
            seq,
            event.name,
            event.actor,
            "",
            event.source,
            event.properties,
            mark_narrowed(b"") if _has_wide_integers(event.properties) else None,
        ]
        for seq, event in enumerate(
            signal.build_occurrences(decode_message(signal.request_class, payload), received_ms), header.first_seq
        )
    ]
    if len(rows) != header.event_count:
        raise ValueError(f"a frame of {header.event_count} events has {len(rows)}")
    return rows


def _has_wide_integers(properties: Properties) -> bool:
    """Return whether an integer may be more than its double; the other numbers were sent as doubles."""
    return any(type(value) is int and abs(value) > _MAX_EXACT_INTEGER for value in properties.values())


def _build_refused_lines(header: FrameHeader, payload: bytes, spool_id: int) -> bytes:
    """Return a line per event that the store refuses, to set the event aside; the first has the whole payload."""
    payload_text = base64.b64encode(payload).decode()
    seqs = range(header.first_seq, header.first_seq + header.event_count)
    first_columns = (header.workspace_id, header.environment, _UNMAPPABLE_TIME, header.received_ms, spool_id)
    rows: list[list[Any]] = [[*first_columns, seq, header.signal, "", "", "", {}] for seq in seqs]
    rows[0][-1] = {"payload": payload_text}
    return _encoder.encode_lines(rows)

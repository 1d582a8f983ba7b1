"""Reads the body of an ingest request, checking its type and size; limits apply as sent and again as inflated."""

import zlib
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import Any, NamedTuple, Protocol

from tallyroom.core.errors import PayloadTooLarge, UnsupportedMediaType, ValidationFailed
from tallyroom.core.event_limits import MAX_BODY_BYTES
from tallyroom.core.offload import SideThread
from tallyroom.core.zstd import zstd

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

MAX_STREAMS = 100
"""The most gzip members or zstd frames that a body may have: each takes time, even if it has few bytes."""

_JSON_CONTENT_TYPES = frozenset(
    {b"application/json", b"application/json; charset=utf-8", b"application/json;charset=utf-8"}
)
_UTF8_NAMES = frozenset({"utf-8", "utf8"})

# 8 MiB, the largest window that RFC 9659 allows for a content encoding.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
_DEFLATE_METHOD = 8
_PIECE_BYTES = 16_384

_INFLATED_AT_ONCE_BYTES = 16_384


class ClientGone(Exception):
    """The client closed the connection before its body was complete."""


class _Stream(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Compression(NamedTuple):
    """How to inflate a body: opens a stream, given its first bytes; and the most streams allowed."""

    open_stream: Callable[[bytes], _Stream]
    max_streams: int


def _open_deflate(first_bytes: bytes) -> _Stream:
    """Open deflate with its zlib wrapper, or without one, as some clients send it."""
    has_wrapper = (
        len(first_bytes) > 1
        and first_bytes[0] & 0x0F == _DEFLATE_METHOD
        and (first_bytes[0] << 8 | first_bytes[1]) % 31 == 0
    )
    return zlib.decompressobj(zlib.MAX_WBITS if has_wrapper else -zlib.MAX_WBITS)


_GZIP = Compression(lambda _: zlib.decompressobj(zlib.MAX_WBITS | 16), MAX_STREAMS)
_COMPRESSION_BY_ENCODING: dict[bytes, Compression | None] = {
    b"": None,
    b"identity": None,
    b"gzip": _GZIP,
    b"x-gzip": _GZIP,
    b"deflate": Compression(_open_deflate, 1),
    b"zstd": Compression(lambda _: zstd.ZstdDecompressor(options=_ZSTD_OPTIONS), MAX_STREAMS),
}


def check_media_type(content_type: bytes | None) -> None:
    """Raise `UnsupportedMediaType` unless the media type is JSON in UTF-8."""
    if content_type in _JSON_CONTENT_TYPES:
        return
    media_type, *parameters = (content_type or b"").decode("latin-1").lower().split(";")
    if media_type.strip() != "application/json":
        raise UnsupportedMediaType("The body must be JSON. Send Content-Type: application/json.")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip().strip('"') not in _UTF8_NAMES:
            raise UnsupportedMediaType("The body must be UTF-8. Send Content-Type: application/json.")


async def read_body(
    headers: Mapping[bytes, bytes],
    receive: Receive,
    *,
    max_bytes: int = MAX_BODY_BYTES,
    inflate_thread: SideThread | None = None,
) -> bytes:
    """Read the whole body and return it inflated; `max_bytes` limits it both as sent and inflated.

    Without an `inflate_thread`, even large bodies are inflated on the event loop. Raises `UnsupportedMediaType`, and as
    `receive_body` and `inflate` do.
    """
    compression = find_compression(headers)
    body = await receive_body(headers, receive, max_bytes=max_bytes)
    if compression is None:
        return body
    if inflate_thread is None or len(body) <= _INFLATED_AT_ONCE_BYTES:
        return inflate(body, compression, max_bytes)
    return await inflate_thread.run(inflate, body, compression, max_bytes)


def find_compression(headers: Mapping[bytes, bytes]) -> Compression | None:
    """Return how to inflate the body; None if it is not compressed. Raises `UnsupportedMediaType`."""
    try:
        return _COMPRESSION_BY_ENCODING[headers.get(b"content-encoding", b"").strip().lower()]
    except KeyError:
        raise UnsupportedMediaType(
            "This content encoding is not supported. Send gzip, deflate, zstd, or none.",
            headers={"accept-encoding": "gzip, deflate, zstd"},
        ) from None


async def receive_body(headers: Mapping[bytes, bytes], receive: Receive, *, max_bytes: int) -> bytes:
    """Read the whole body as sent; raises `PayloadTooLarge`, `RequestTimeout`, `Unavailable`, or `ClientGone`."""
    content_length = headers.get(b"content-length", b"")
    if content_length.isdigit() and int(content_length[:20]) > max_bytes:
        raise _build_too_large(max_bytes)
    message = await receive()
    chunk = _read_chunk(message, max_bytes)
    if not message.get("more_body", False):
        return chunk
    body = BytesIO()  # hands over its bytes without a copy: copying a large body would block the event loop for long
    body.write(chunk)
    while message.get("more_body", False):
        message = await receive()
        body.write(_read_chunk(message, max_bytes))
        if body.tell() > max_bytes:
            raise _build_too_large(max_bytes)
    return body.getvalue()


def _read_chunk(message: Message, max_bytes: int) -> bytes:
    if message["type"] == "http.disconnect":
        raise ClientGone
    chunk: bytes = message.get("body", b"")
    if len(chunk) > max_bytes:
        raise _build_too_large(max_bytes)
    return chunk


def _build_too_large(max_bytes: int) -> PayloadTooLarge:
    return PayloadTooLarge(f"The body is larger than {max_bytes} bytes.")


def inflate(compressed_body: bytes, compression: Compression, max_bytes: int) -> bytes:
    """Inflate a body in pieces, so that no bomb costs much; raises `PayloadTooLarge` or `ValidationFailed`."""
    body = BytesIO()  # as above: copying would hold Python's lock
    offset = 0
    stream = compression.open_stream(compressed_body[:2])
    stream_count = 1
    try:
        while offset < len(compressed_body):
            if stream.eof:
                if stream_count == compression.max_streams:
                    reason = f"it has more than {stream_count} compressed streams"
                    raise ValidationFailed.at([], f"cannot be decompressed: {reason}")
                stream = compression.open_stream(compressed_body[:2])
                stream_count += 1
            piece = compressed_body[offset : offset + _PIECE_BYTES]
            body.write(stream.decompress(piece, max_bytes + 1 - body.tell()))
            if body.tell() > max_bytes:
                raise _build_too_large(max_bytes)
            offset += len(piece) - len(stream.unused_data)
    except (zlib.error, zstd.ZstdError, EOFError) as error:
        raise ValidationFailed.at([], f"cannot be decompressed: {error}") from error
    if not stream.eof:
        raise ValidationFailed.at([], "cannot be decompressed: it is truncated")
    return body.getvalue()

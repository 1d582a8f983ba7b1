"""Sends a request and receives its answer by HTTP/1.1, within limits; the C parser handles tiny pieces cheaply."""

import asyncio
import re
import socket
import ssl
import zlib
from contextlib import suppress
from http import HTTPStatus
from typing import Final

import httptools

from tallyroom.core.fetch.byte_stream import ByteStream, PlainStream, TlsStream
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.url import OutboundUrl

MAX_BODY_BYTES: Final = 1_048_576

_MAX_READ_BYTES: Final = 8_192  # the event loop serves others between two of them
_MAX_HEADER_BYTES: Final = 65_536  # also of trailers
_MAX_RECEIVED_BYTES: Final = 4 * MAX_BODY_BYTES  # chunks of a body are sent with their sizes
_GZIP_WINDOW_BITS: Final = 16 + zlib.MAX_WBITS
_DERIVED_HEADERS: Final = frozenset({"accept-encoding", "connection", "content-length", "host", "transfer-encoding"})
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE: Final = re.compile(r"[\t -~]*")
_SECONDS_PATTERN: Final = re.compile(r"[0-9]{1,9}")

TOO_LARGE: Final = "The response is larger than 1 MiB."
INCOMPLETE: Final = "The connection closed before the response was complete."
NOT_HTTP: Final = "The response is not valid HTTP."


def build_head(request: OutboundRequest, url: OutboundUrl) -> bytes:
    """Return the head; raises `FetchFailed` if a header is malformed or follows from the URL and the body."""
    headers = {"Host": url.authority, "User-Agent": "Tallyroom", "Accept": "*/*"}
    for name, value in request.headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value) or name.lower() in _DERIVED_HEADERS:
            raise FetchFailed("The request contains an invalid header.")
        for replaced_name in [field for field in headers if field.lower() == name.lower()]:
            del headers[replaced_name]
        headers[name] = value
    headers |= {"Accept-Encoding": "gzip", "Connection": "close"}
    if request.method == "POST":
        headers["Content-Length"] = str(len(request.body))
    header_lines = [f"{request.method} {url.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*header_lines, "", ""]).encode("ascii")


async def exchange(
    request: OutboundRequest, url: OutboundUrl, connection: socket.socket, tls_context: ssl.SSLContext
) -> OutboundAnswer:
    """Send a request on a connection, close it, and return the answer; raises `FetchFailed` or `OSError`."""
    try:
        stream = await _open_stream(url, connection, tls_context)
        head = build_head(request, url)
        with suppress(ConnectionError):  # an answer may come before the request is read, and may be all that arrives
            await stream.send(head + request.body)
        return await _receive_answer(stream)
    finally:
        connection.close()


async def _open_stream(url: OutboundUrl, connection: socket.socket, tls_context: ssl.SSLContext) -> ByteStream:
    if url.scheme == "http":
        return PlainStream(connection)
    stream = TlsStream(connection, tls_context, url.host)
    await stream.shake_hands()
    return stream


async def _receive_answer(stream: ByteStream) -> OutboundAnswer:
    answer_parser, byte_count = _AnswerParser(), 0
    while not answer_parser.is_complete:
        try:
            data = await stream.receive(_MAX_READ_BYTES)
        except ConnectionError:
            raise FetchFailed(INCOMPLETE) from None
        await asyncio.sleep(0)  # reading data that has already arrived does not wait
        byte_count += len(data)
        if data:
            answer_parser.feed(data)
        else:
            answer_parser.end()
        if answer_parser.failure_message:
            raise FetchFailed(answer_parser.failure_message)
        if byte_count > _MAX_RECEIVED_BYTES or answer_parser.header_byte_count > _MAX_HEADER_BYTES:
            raise FetchFailed(TOO_LARGE)
    return answer_parser.build_answer()


class _AnswerParser:
    """An answer as it arrives; the parser calls the methods that begin with `on_`, which must not raise."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._headers: dict[str, str] = {}
        self._status = 0
        self._body_chunks: list[bytes] = []
        self._body = bytearray()
        self._decompressor: zlib._Decompress | None = None
        self.header_byte_count = 0  # bytes of heads, or of trailers
        self.has_head = False
        self.is_complete = False
        self.failure_message = ""

    def feed(self, data: bytes) -> None:
        self.header_byte_count += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self.is_complete:  # data after a complete answer is ignored
                self.failure_message = self.failure_message or NOT_HTTP
        self._append_body()

    def end(self) -> None:
        """Handle the end of the connection, which also ends an answer that does not state its length."""
        length_headers = {"content-length", "transfer-encoding"} & self._headers.keys()
        if not self.has_head or length_headers:
            self.failure_message = INCOMPLETE
        else:
            self.on_message_complete()

    def build_answer(self) -> OutboundAnswer:
        retry_after = self._headers.get("retry-after", "")
        return OutboundAnswer(
            status=self._status,
            content_type=self._headers.get("content-type", "").partition(";")[0].strip().lower(),
            retry_after_seconds=int(retry_after) if _SECONDS_PATTERN.fullmatch(retry_after) else None,
            body=bytes(self._body),
        )

    def on_message_begin(self) -> None:
        if not self.is_complete:
            self._headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:  # trailers are ignored
            self._headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1").strip())

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if self.is_complete or status < HTTPStatus.OK:
            return
        self._status, self.has_head = status, True
        encoding = self._headers.get("content-encoding", "").lower()
        if encoding in {"gzip", "x-gzip"}:
            self._decompressor = zlib.decompressobj(_GZIP_WINDOW_BITS)
        elif encoding not in {"", "identity"}:
            self.failure_message = "The response uses an unsupported compression."

    def on_body(self, data: bytes) -> None:
        self._body_chunks.append(data)  # there may be very many

    def _append_body(self) -> None:
        data = b"".join(self._body_chunks)
        self._body_chunks.clear()
        if not data or self.failure_message or self.is_complete:
            return
        self.header_byte_count = 0
        remaining_bytes = MAX_BODY_BYTES - len(self._body)
        if self._decompressor is not None:
            data = self._decompress(self._decompressor, data, remaining_bytes + 1)
        if len(data) > remaining_bytes:
            self.failure_message = TOO_LARGE
        else:
            self._body += data

    def on_message_complete(self) -> None:
        self._append_body()
        if self.has_head and not self.failure_message:
            if self._decompressor is not None and self._body and not self._decompressor.eof:
                self.failure_message = INCOMPLETE
            self.is_complete = True

    def _decompress(self, decompressor: "zlib._Decompress", data: bytes, max_bytes: int) -> bytes:
        with suppress(zlib.error):
            output = decompressor.decompress(data, max_bytes)
            if not decompressor.unused_data:
                return output
        self.failure_message = "The response is not valid gzip."
        return b""

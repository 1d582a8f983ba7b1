"""One request and its answer on one connection, by HTTP/1.1, within bounds.

The parser is in C, so that an answer in the tiniest of pieces costs the event loop next to nothing.
"""

import asyncio
import re
import socket
import ssl
import zlib
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Final

import httptools

from tallyroom.core.fetch.byte_stream import ByteStream, PlainStream, TlsStream
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.url import OutboundUrl

MAX_BODY: Final = 1_048_576

_MAX_AT_ONCE: Final = 8_192  # the event loop serves others between two of them
_MAX_HEADS: Final = 65_536  # also of trailers
_MAX_RECEIVED: Final = 4 * MAX_BODY  # pieces of a body have their sizes beside them
_GZIP: Final = 16 + zlib.MAX_WBITS
_FOLLOW: Final = frozenset({"accept-encoding", "connection", "content-length", "host", "transfer-encoding"})
_FIELD_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FIELD_VALUE: Final = re.compile(r"[\t -~]*")
_SECONDS: Final = re.compile(r"[0-9]{1,9}")

TOO_LARGE: Final = "The answer has more than 1 MiB."
INCOMPLETE: Final = "The connection broke off before the end of the answer."
NOT_HTTP: Final = "The answer is not valid HTTP."


def head_of(request: OutboundRequest, url: OutboundUrl) -> bytes:
    """Return the head of the request.

    Raises:
        FetchFailed: a header is none, or follows from the URL and the body.
    """
    fields = {"Host": url.authority, "User-Agent": "Tallyroom", "Accept": "*/*"}
    for name, value in request.headers.items():
        if not _FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value) or name.lower() in _FOLLOW:
            raise FetchFailed("The request has a header that cannot be sent.")
        for other in [field for field in fields if field.lower() == name.lower()]:
            del fields[other]
        fields[name] = value
    fields |= {"Accept-Encoding": "gzip", "Connection": "close"}
    if request.method == "POST":
        fields["Content-Length"] = str(len(request.body))
    lines = [f"{request.method} {url.target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii")


async def exchange(
    request: OutboundRequest, url: OutboundUrl, connection: socket.socket, authorities: ssl.SSLContext
) -> OutboundAnswer:
    """Send a request on a connection, as a request to the host of its URL, and return the answer.

    Args:
        request: what to send.
        url: the URL of the request, read; the certificate is checked for its host.
        connection: leads to one of the addresses of the host; it is closed in the end.
        authorities: the authorities whose certificates are accepted.

    Raises:
        FetchFailed: the request cannot be sent, or the answer is not valid HTTP or has more than 1 MiB.
        OSError: the connection breaks, or the certificate is not valid for the host.
    """
    try:
        stream = await _opened(url, connection, authorities)
        head = head_of(request, url)
        with suppress(ConnectionError):  # an answer may come before the request is read, and may be all that comes
            await stream.send(head + request.body)
        return await _received(stream)
    finally:
        connection.close()


async def _opened(url: OutboundUrl, connection: socket.socket, authorities: ssl.SSLContext) -> ByteStream:
    if url.scheme == "http":
        return PlainStream(connection)
    stream = TlsStream(connection, authorities, url.host)
    await stream.shake_hands()
    return stream


async def _received(stream: ByteStream) -> OutboundAnswer:
    arriving, size = _Arriving(), 0
    while not arriving.complete:
        try:
            data = await stream.receive(_MAX_AT_ONCE)
        except ConnectionError:
            raise FetchFailed(INCOMPLETE) from None
        await asyncio.sleep(0)  # what has arrived already is read without waiting
        size += len(data)
        if data:
            arriving.feed(data)
        else:
            arriving.end()
        if arriving.failure:
            raise FetchFailed(arriving.failure)
        if size > _MAX_RECEIVED or arriving.since_body > _MAX_HEADS:
            raise FetchFailed(TOO_LARGE)
    return arriving.answer()


class _Arriving:
    """An answer as it arrives; the parser calls the methods that begin with `on_`, which must not raise."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._fields: dict[str, str] = {}
        self._status = 0
        self._pieces: list[bytes] = []
        self._body = bytearray()
        self._inflating: zlib._Decompress | None = None
        self.since_body = 0  # bytes of heads, or of trailers
        self.has_head = False
        self.complete = False
        self.failure = ""

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self.since_body += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self.complete:  # what follows after a complete answer is nobody's
                self.failure = self.failure or NOT_HTTP
        self._take_body()

    def end(self) -> None:
        """Take the end of the connection, which is the end of an answer that does not state its length."""
        states_its_length = {"content-length", "transfer-encoding"} & self._fields.keys()
        if not self.has_head or states_its_length:
            self.failure = INCOMPLETE
        else:
            self.on_message_complete()

    def answer(self) -> OutboundAnswer:
        """Return the answer, which is complete."""
        retry_after = self._fields.get("retry-after", "")
        return OutboundAnswer(
            status=self._status,
            content_type=self._fields.get("content-type", "").partition(";")[0].strip().lower(),
            retry_after=int(retry_after) if _SECONDS.fullmatch(retry_after) else None,
            body=bytes(self._body),
        )

    def on_message_begin(self) -> None:
        if not self.complete:
            self._fields = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:  # what comes after the body is not read
            self._fields.setdefault(name.decode("latin-1").lower(), value.decode("latin-1").strip())

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if self.complete or status < HTTPStatus.OK:
            return
        self._status, self.has_head = status, True
        encoding = _encoding(self._fields)
        if encoding in {"gzip", "x-gzip"}:
            self._inflating = zlib.decompressobj(_GZIP)
        elif encoding not in {"", "identity"}:
            self.failure = "The answer is compressed in a way that was not asked for."

    def on_body(self, data: bytes) -> None:
        self._pieces.append(data)  # there may be very many

    def _take_body(self) -> None:
        data = b"".join(self._pieces)
        self._pieces.clear()
        if not data or self.failure or self.complete:
            return
        self.since_body = 0
        room = MAX_BODY - len(self._body)
        if self._inflating is not None:
            data = self._inflated(self._inflating, data, room + 1)
        if len(data) > room:
            self.failure = TOO_LARGE
        else:
            self._body += data

    def on_message_complete(self) -> None:
        self._take_body()
        if self.has_head and not self.failure:
            if self._inflating is not None and self._body and not self._inflating.eof:
                self.failure = INCOMPLETE
            self.complete = True

    def _inflated(self, inflating: "zlib._Decompress", data: bytes, most: int) -> bytes:
        with suppress(zlib.error):
            output = inflating.decompress(data, most)
            if not inflating.unused_data:
                return output
        self.failure = "The answer is not valid gzip."
        return b""


def _encoding(fields: Mapping[str, str]) -> str:
    return fields.get("content-encoding", "").lower()

"""uvicorn's HTTP/1.1 connection, with bounds on what a client may send and on how long it may take.

Every connection has a deadline whenever it is the client's turn: ten seconds for a head, two minutes for a body, half a
minute for a rest between two requests. Nothing that it sends is kept without a bound.
"""

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tallyroom.core.errors import ValidationFailed, error_body
from tallyroom.rest.answer import Header

MAX_HEAD_BYTES = 65_536 + 16_384  # the longest URL that can be parsed, which pictures take, and room for the rest
"""Request line and headers, trailers included; also what may come without being part of anything, such as a trailer
that does not end."""
HEAD_SECONDS = 10.0
BODY_SECONDS = 120.0

_TOO_LARGE = f"The request line and headers are larger than {MAX_HEAD_BYTES} bytes."
_OFFER = frozenset({b"upgrade", b"connection", b"http2-settings"})
_WHITE_SPACE = b" \t"


class _Refused(ValueError):
    """What the client sends is refused; the text says why."""


class Place(Enum):
    """Which part of a request the next bytes belong to."""

    HEAD = auto()
    BODY = auto()
    BETWEEN = auto()


class BoundedProtocol(HttpToolsProtocol):
    """Refuses endless and dawdling requests, believes no trailer, and ignores offers of another protocol."""

    def __init__(self, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self.headers = []
        self.place = Place.HEAD
        self._deadline: asyncio.TimerHandle | None = None
        self._refusal = ""
        self._begins = False  # whether a request begins in the piece that is being read
        self._piece_bytes = 0
        self._head_bytes = 0  # of a head that is not complete, without the piece that it began in
        self._trailer_bytes = 0
        self._silent_bytes = 0  # of a body, since the parser last made something of them

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """A client connected; the time for its first head runs."""
        super().connection_made(transport)
        self._watch()
        self._rest_since = self.loop.time()
        self._rest = self.loop.call_later(self.timeout_keep_alive, self._look_whether_it_rests)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self.stop_watching()
        self._rest.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser, then look whether anything grows without end, and what has to come next in time."""
        self._begins, self._piece_bytes = False, len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            self._ignore_offer(data[offer.args[0] :])
            return
        except httptools.HttpParserError:
            self.send_400_response(self._refusal or "This is no HTTP request.")
            return
        if self.transport.is_closing():
            return
        if self.place is Place.HEAD and not self._begins:
            self._head_bytes += len(data)
        elif self.place is Place.BODY:
            self._silent_bytes += len(data)
        head_is_too_large = self._head_bytes > MAX_HEAD_BYTES or self._has_too_many_headers()
        if head_is_too_large or self._silent_bytes > max(MAX_HEAD_BYTES, len(data)):
            self.send_400_response(_TOO_LARGE)
        elif self._deadline is None:
            self._watch()

    def on_message_begin(self) -> None:
        """Another request begins."""
        self.place, self._begins = Place.HEAD, True
        self._head_bytes = self._trailer_bytes = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer, which is only counted: nobody may believe it."""
        if self.place is not Place.HEAD:
            self._count_trailer(name, value)
            return
        name, value = name.lower(), value.rstrip(_WHITE_SPACE)
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The head is there: the request starts, unless it has to be read again without its offer."""
        self.place = Place.BODY
        self._head_bytes = self._silent_bytes = 0
        self.stop_watching()
        if self._has_too_many_headers():
            self._refuse(_TOO_LARGE)
        hosts = [name for name, _ in self.headers].count(b"host")
        if hosts > 1 or (hosts == 0 and self.parser.get_http_version() != "1.0"):  # RFC 9112, 3.2
            self._refuse("A request has one Host.")
        if not self.parser.should_upgrade():
            self.begin_request()

    def begin_request(self) -> None:
        """Start the request whose head is there."""
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body is there."""
        self._silent_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there; the next bytes begin another."""
        if self.parser.should_upgrade():
            return
        self.stop_watching()
        self.place = Place.BETWEEN
        self._silent_bytes = 0
        self.end_request()

    def end_request(self) -> None:
        """All of the request is there."""
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is out: the next request begins, or a rest.

        As uvicorn has it, but for the timer of the rest: it makes and cancels one for each request, which costs more
        than to note the time.
        """
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self._rest_since = self.loop.time()
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP request in the one error shape, and close; requests before it are answered first."""
        if not self.is_idle and not self._has_broken_body():
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            self.watch_body()
            return
        body = msgspec.json.encode(error_body(ValidationFailed(msg), ""))
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
        )
        self.transport.write(head + body)
        self.transport.close()

    def _has_broken_body(self) -> bool:
        """Whether the one request under way is the one that cannot be read to its end."""
        return self.place is Place.BODY and not self.pipeline and not self.cycle.response_started

    def watch(self, seconds: float, then: Callable[[], object]) -> None:
        """Do `then` after so many seconds, unless the client is in time."""
        self.stop_watching()
        self._deadline = self.loop.call_later(seconds, then)

    def stop_watching(self) -> None:
        """The client was in time."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def watch_body(self) -> None:
        """Give the rest of a body its time."""
        self.watch(BODY_SECONDS, self.transport.close)

    def _watch(self) -> None:
        if self.place is Place.HEAD:
            self.watch(HEAD_SECONDS, self.transport.close)
        elif self.place is Place.BODY:
            self.watch_body()

    def _look_whether_it_rests(self) -> None:
        rests = self.is_idle and self.place is Place.BETWEEN
        left = self.timeout_keep_alive - (self.loop.time() - self._rest_since) if rests else self.timeout_keep_alive
        if left <= 0:
            self.transport.close()
        else:
            self._rest = self.loop.call_later(left, self._look_whether_it_rests)

    def _has_too_many_headers(self) -> bool:
        """Whether a head in one large piece holds more than it may; a smaller piece cannot."""
        return self._piece_bytes > MAX_HEAD_BYTES and sum(len(n) + len(v) for n, v in self.headers) > MAX_HEAD_BYTES

    def _count_trailer(self, name: bytes, value: bytes) -> None:
        self._silent_bytes = 0
        self._trailer_bytes += len(name) + len(value)
        if self._trailer_bytes > MAX_HEAD_BYTES:
            self._refuse(_TOO_LARGE)

    def _refuse(self, reason: str) -> None:
        """Stop the parser."""
        self._refusal = reason
        raise _Refused(reason)

    def _ignore_offer(self, rest: bytes) -> None:
        """Read the request once more without its offer of another protocol.

        A server may ignore the offer (RFC 9110, 7.8), which some clients make with every request. The parser cannot: it
        takes everything after the head for the other protocol.
        """
        method = self.parser.get_method()
        if method == b"CONNECT":
            self.send_400_response("This server is no proxy.")
            return
        closes = any(name == b"connection" and b"close" in value.lower() for name, value in self.headers)
        kept: list[Header] = [(name, value) for name, value in self.headers if name not in _OFFER]
        version = self.parser.get_http_version().encode()
        lines = [b"%s %s HTTP/%s" % (method, self.url, version), *(b"%s: %s" % header for header in kept)]
        if closes:
            lines.append(b"connection: close")
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn's own
        self.data_received(b"\r\n".join([*lines, b"", rest]))

"""The HTTP/1.1 connection: uvicorn's, with bounds on what a client may send before it has said what it wants.

It also has a short way for the usual request to a hot route: a small one whose body comes with its head or right after
it, on a connection with no other request under way. The route's handler is called when all of it is there and answers
when it can; without a task, an event and the ASGI messages around it, that costs half (docs/decisions/0007). Every
other request goes uvicorn's way.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from tallyroom.analytics.answer import MAX_EXCHANGE_BYTES, Answer, Direct, Header, all_headers
from tallyroom.core.errors import ValidationFailed, error_body

MAX_HEAD_BYTES = 65_536
HEAD_SECONDS = 10.0
REST_SECONDS = 0.1
"""How long the short way waits for the rest of a body; the usual way knows what to do about a slow one."""

_UPGRADE = re.compile(rb"\r\nupgrade:", re.IGNORECASE)


class _Place(Enum):
    """Which part of a request the next bytes belong to; between two requests uvicorn counts the idle seconds."""

    HEAD = auto()
    BODY = auto()
    BETWEEN = auto()


class Protocol(HttpToolsProtocol):
    """Refuses endless and dawdling request heads, ignores trailers and offers of another protocol.

    Args:
        direct: handlers of the short way, by (method, path).
        uvicorn: what uvicorn gives every connection.
    """

    def __init__(self, direct: Mapping[tuple[str, str], Direct], **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._direct = {(method.encode(), path.encode()): handler for (method, path), handler in direct.items()}
        self._waiting: Direct | None = None  # the handler of a request whose body is not all there yet
        self._head: list[Header] = []
        self._body = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """A client connected; it has ten seconds to send a request line and headers."""
        super().connection_made(transport)
        self._head_bytes = 0
        self._place = _Place.HEAD
        self._deadline: asyncio.TimerHandle | None = None
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser, and look whether the head grows without end."""
        if self._place is _Place.BODY:
            super().data_received(data)
            return
        if b"pgrade:" in data:
            # The parser would take everything after the head for the other protocol and lose the body. A server may
            # ignore the offer (RFC 9110, 7.8), which some clients make with every request.
            head, end, rest = data.partition(b"\r\n\r\n")
            data = _UPGRADE.sub(b"\r\nx-upgrade:", head) + end + rest
        self._head_bytes += len(data)
        super().data_received(data)
        if self._waiting is not None:
            self._wait_for_the_rest()
        if self._place is not _Place.HEAD or self.transport.is_closing():
            return
        if self._head_bytes > MAX_HEAD_BYTES:
            self.send_400_response(f"The request line and headers are larger than {MAX_HEAD_BYTES} bytes.")
        elif self._deadline is None:
            self._watch_head()

    def on_message_begin(self) -> None:
        """Another request begins."""
        self._place = _Place.HEAD
        self._head_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is there: the request starts, or waits for the rest of the piece that it came in."""
        self._place = _Place.BODY
        self._stop_watching()
        handler = self._direct.get((self.parser.get_method(), self.url))
        if handler is None or not self._is_free():
            super().on_headers_complete()
        else:
            self._waiting, self._head, self._body = handler, self.headers, b""
        # The request keeps its headers; a trailer, which nobody may believe, goes into a list that nobody reads.
        self.headers = []

    def on_body(self, body: bytes) -> None:
        """A piece of the body is there."""
        if self._waiting is None:
            super().on_body(body)
        else:
            self._body += body
            if len(self._body) > MAX_EXCHANGE_BYTES:
                self._go_the_usual_way()

    def on_message_complete(self) -> None:
        """The request is there; the next bytes begin another."""
        self._stop_watching()
        if self._waiting is None:
            super().on_message_complete()
        elif not self._goes_the_short_way(self._waiting):
            self._go_the_usual_way()
            super().on_message_complete()
        self._place = _Place.BETWEEN

    def _is_free(self) -> bool:
        cycle: RequestResponseCycle | _Exchange | None = self.cycle
        return cycle is None or cycle.response_complete

    def _goes_the_short_way(self, handler: Direct) -> bool:
        before, exchange = self.cycle, _Exchange(self, self._head, self._body)
        self.cycle = exchange  # type: ignore[assignment] # has all that the connection asks of it
        if not handler(exchange):
            self.cycle = before
            return False
        self._waiting, self._body = None, b""
        return True

    def _wait_for_the_rest(self) -> None:
        if self.expect_100_continue:
            self._go_the_usual_way()
        else:
            self._deadline = self.loop.call_later(REST_SECONDS, self._go_the_usual_way)

    def _go_the_usual_way(self) -> None:
        self._stop_watching()
        body, self._waiting, self._body = self._body, None, b""
        super().on_headers_complete()
        if body:
            super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP request in the one error shape, and close."""
        body = msgspec.json.encode(error_body(ValidationFailed(msg), ""))
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
        )
        self.transport.write(head + body)
        self.transport.close()

    def _watch_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _NobodyWaits:
    """Stands where uvicorn wakes the task of a request; here is none."""

    @staticmethod
    def set() -> None:
        """Wake nobody."""


class _Exchange:
    """A request on the short way; the connection treats it like uvicorn's own cycle of request and response."""

    message_event: Final = _NobodyWaits

    def __init__(self, connection: Protocol, headers: list[Header], body: bytes) -> None:
        self._connection = connection
        self.client = connection.client[0] if connection.client else ""
        self.headers = headers
        self.body = body
        self.on_answer: Callable[[int], object] = int  # which does nothing with a number
        self.keep_alive = connection.parser.should_keep_alive()
        self.disconnected = False
        self.response_complete = False

    def answer(self, answer: Answer) -> None:
        """Send the answer, and let the connection go on with its next request."""
        connection = self._connection
        if self.disconnected or connection.transport.is_closing():
            return
        pieces = [STATUS_LINE[answer.status]]
        for name, value in (*connection.server_state.default_headers, *all_headers(answer)):
            pieces += (name, b": ", value, b"\r\n")
        pieces += (b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n", answer.body)
        connection.transport.write(b"".join(pieces))
        self.response_complete = True
        self.on_answer(answer.status)
        if not self.keep_alive:
            connection.transport.close()
        connection.on_response_complete()

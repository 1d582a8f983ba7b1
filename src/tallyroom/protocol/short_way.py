"""The short way of a connection, for the usual request to a hot route.

That is a small one whose body comes with its head or right after it, on a connection with no other request under way.
The route's handler is called when all of it is there and answers when it can; without a task, an event and the ASGI
messages around it, that costs half (docs/decisions/0007). Every other request goes uvicorn's way.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from tallyroom.protocol.bounds import BoundedProtocol, Place
from tallyroom.rest.answer import MAX_EXCHANGE_BYTES, Answer, Direct, Header, all_headers

REST_SECONDS = 0.1
"""How long the short way waits for the rest of a body; the usual way knows what to do about a slow one."""


class Protocol(BoundedProtocol):
    """A connection with a short way.

    Args:
        direct: handlers of the short way, by (method, path).
        uvicorn: what uvicorn gives every connection.
    """

    def __init__(self, direct: Mapping[tuple[str, str], Direct], **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._direct = {(method.encode(), path.encode()): handler for (method, path), handler in direct.items()}
        self._waiting: Direct | None = None  # the handler of a request whose body is not all there yet
        self._hurried = False
        self._keep_alive = True
        self._body = bytearray()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, and wait for the rest of a body only for a moment."""
        super().data_received(data)
        if self._waiting is not None and not self.transport.is_closing():
            if self.expect_100_continue:
                self._go_the_usual_way()
            elif self.place is Place.BODY and not self._hurried:
                self._hurried = True
                self.watch(REST_SECONDS, self._go_the_usual_way)

    def begin_request(self) -> None:
        """Start the request, or wait for the rest of it."""
        handler = self._direct.get((self.parser.get_method(), self.url))
        # A client that does not read its answers goes the usual way, which waits for it.
        if handler is None or not self.is_idle or self.flow.write_paused:
            super().begin_request()
        else:
            self._waiting, self._hurried, self._body = handler, False, bytearray()
            self._keep_alive = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        """A piece of the body is there."""
        if self._waiting is None:
            super().on_body(body)
            return
        self._silent_bytes = 0
        self._body += body
        if len(self._body) > MAX_EXCHANGE_BYTES:
            self._go_the_usual_way()

    def end_request(self) -> None:
        """All of the request is there."""
        if self._waiting is None:
            super().end_request()
        elif not self._goes_the_short_way(self._waiting):
            self._go_the_usual_way()
            super().end_request()

    def _goes_the_short_way(self, handler: Direct) -> bool:
        before, exchange = self.cycle, _Exchange(self, self._keep_alive, self.headers, bytes(self._body))
        self.cycle = exchange  # type: ignore[assignment] # has all that the connection asks of it
        if not handler(exchange):
            self.cycle = before
            return False
        self._waiting, self._body = None, bytearray()
        return True

    def _go_the_usual_way(self) -> None:
        body, self._waiting, self._body = bytes(self._body), None, bytearray()
        super().begin_request()
        if body:
            super().on_body(body)
        if self.place is Place.BODY:
            self.watch_body()


class _NobodyWaits:
    """Stands where uvicorn wakes the task of a request; here is none."""

    @staticmethod
    def set() -> None:
        """Wake nobody."""


class _Exchange:
    """A request on the short way; the connection treats it like uvicorn's own cycle of request and response."""

    message_event: Final = _NobodyWaits

    def __init__(self, connection: Protocol, keep_alive: bool, headers: list[Header], body: bytes) -> None:  # noqa: FBT001 # as uvicorn has it
        self._connection = connection
        self.client = connection.client[0] if connection.client else ""
        self.headers = headers
        self.body = body
        self.on_answer: Callable[[int], object] = int  # which does nothing with a number
        self.keep_alive = keep_alive
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

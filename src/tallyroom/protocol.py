"""The HTTP/1.1 connection: uvicorn's, with bounds on what a client may send before it has said what it wants."""

import asyncio
import re

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tallyroom.core.errors import ValidationFailed, error_body

MAX_HEAD_BYTES = 65_536
HEAD_SECONDS = 10.0

_UPGRADE = re.compile(rb"\r\nupgrade:", re.IGNORECASE)


class Protocol(HttpToolsProtocol):
    """Refuses endless and dawdling request heads, ignores trailers and offers of another protocol."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """A client connected; it has ten seconds to send a request line and headers."""
        super().connection_made(transport)
        self._head_bytes = 0
        self._head_is_complete = False
        self._deadline: asyncio.TimerHandle | None = None
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser, and look whether the head grows without end."""
        if self._head_is_complete:
            super().data_received(data)
            return
        if b"pgrade:" in data:
            # The parser would take everything after the head for the other protocol and lose the body. A server may
            # ignore the offer (RFC 9110, 7.8), which some clients make with every request.
            head, end, rest = data.partition(b"\r\n\r\n")
            data = _UPGRADE.sub(b"\r\nx-upgrade:", head) + end + rest
        self._head_bytes += len(data)
        super().data_received(data)
        if not self._waits_for_head():
            return
        if self._head_bytes > MAX_HEAD_BYTES:
            self.send_400_response(f"The request line and headers are larger than {MAX_HEAD_BYTES} bytes.")
        elif self._deadline is None:
            self._watch_head()

    def on_message_begin(self) -> None:
        """Another request begins."""
        self._head_is_complete = False
        self._head_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is there: the request starts."""
        self._head_is_complete = True
        self._stop_watching()
        super().on_headers_complete()
        self.headers = []  # the request keeps its own; a trailer, which nobody may believe, goes into this one

    def on_message_complete(self) -> None:
        """The request is there; the next bytes begin another."""
        super().on_message_complete()
        self._head_is_complete = False
        self._head_bytes = 0

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP request in the one error shape, and close."""
        body = msgspec.json.encode(error_body(ValidationFailed(msg), ""))
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
        )
        self.transport.write(head + body)
        self.transport.close()

    def _waits_for_head(self) -> bool:
        return not self._head_is_complete and not self.transport.is_closing()

    def _watch_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

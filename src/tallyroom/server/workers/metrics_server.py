"""A small HTTP server for `GET /metrics` alone, which the parent of several workers can afford.

It answers one request on each connection, within a time, and a few clients at once: a parent that ran out of files
could start no worker. The server's own connections would bring the web framework along.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from http import HTTPStatus

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from tallyroom.auth.metrics_guard import MetricsGuard

MAX_CLIENTS = 16
"""How many connections may be open at once; any more are closed."""

_MAX_HEAD_BYTES = 16_384
_PATH = b"/metrics"
_METHODS = {b"GET", b"HEAD"}


class MetricsServer:
    """Serves from `open` to `close`.

    Args:
        sockets: where it listens; with none, it does nothing.
        text: what it tells.
        guard: decides whom.
        seconds: how long a client may take altogether.
    """

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        text: Callable[[], Awaitable[bytes]],
        guard: MetricsGuard,
        seconds: float = 10.0,
    ) -> None:
        self._sockets = sockets
        self._text = text
        self._guard = guard
        self._seconds = seconds
        self._servers: list[asyncio.Server] = []
        self._clients = 0

    async def open(self) -> None:
        """Begin to accept."""
        for listener in self._sockets:
            self._servers.append(await asyncio.start_server(self._serve, sock=listener, limit=_MAX_HEAD_BYTES))

    def close(self) -> None:
        """Accept nobody any more."""
        for server in self._servers:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients += 1
        try:
            if self._clients <= MAX_CLIENTS:
                # A client that is slow, has left, or does not stop sending is not waited for.
                with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    async with asyncio.timeout(self._seconds):
                        peer = writer.get_extra_info("peername")
                        head = await reader.readuntil(b"\r\n\r\n")
                        writer.write(await self._answer(head, peer[0] if peer else ""))
                        writer.close()
                        await writer.wait_closed()
        finally:
            self._clients -= 1
            writer.transport.abort()

    async def _answer(self, head: bytes, peer: str) -> bytes:
        first, *fields = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        words = first.split(b" ")
        if len(words) != len(("method", "target", "version")):
            return _whole(HTTPStatus.BAD_REQUEST, b"This is no HTTP request.\n")
        method, target, _ = words
        if target.partition(b"?")[0].removesuffix(b"/") != _PATH:
            return _whole(HTTPStatus.NOT_FOUND, b"Here is nothing but /metrics.\n")
        if method not in _METHODS:
            return _whole(HTTPStatus.METHOD_NOT_ALLOWED, b"/metrics takes GET.\n", "allow: GET, HEAD\r\n")
        if error := self._guard.find_refusal(peer, map(_header, fields)):
            more = "".join(f"{name}: {value}\r\n" for name, value in error.headers.items())
            answer = _whole(HTTPStatus(error.status), f"{error.message}\n".encode(), more)
        else:
            answer = _whole(HTTPStatus.OK, await self._text(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
        return answer if method == b"GET" else answer[: answer.index(b"\r\n\r\n") + 4]


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()


def _whole(status: HTTPStatus, body: bytes, more: str = "", content_type: str = "text/plain; charset=utf-8") -> bytes:
    head = (
        f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: {content_type}\r\ncontent-length: {len(body)}\r\n"
        f"cache-control: no-store\r\nx-content-type-options: nosniff\r\n{more}connection: close\r\n\r\n"
    )
    return head.encode() + body

"""A small HTTP server for `GET /metrics` alone, without the web framework, for the parent of several workers."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from http import HTTPStatus

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from tallyroom.auth.metrics_guard import MetricsGuard

MAX_CLIENTS = 16  # how many connections may be open at the same time; any more are closed
_MAX_HEAD_BYTES = 16_384
_PATH = b"/metrics"
_METHODS = {b"GET", b"HEAD"}


class MetricsServer:
    """Serves from `open` to `close`; does nothing without `sockets`. A client may take `timeout_seconds` in total."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        render_metrics: Callable[[], Awaitable[bytes]],
        guard: MetricsGuard,
        timeout_seconds: float = 10.0,
    ) -> None:
        self._sockets = sockets
        self._render_metrics = render_metrics
        self._guard = guard
        self._timeout_seconds = timeout_seconds
        self._servers: list[asyncio.Server] = []
        self._client_count = 0

    async def open(self) -> None:
        """Start accepting connections."""
        for listener in self._sockets:
            self._servers.append(await asyncio.start_server(self._serve, sock=listener, limit=_MAX_HEAD_BYTES))

    def close(self) -> None:
        """Stop accepting connections."""
        for server in self._servers:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._client_count += 1
        try:
            if self._client_count <= MAX_CLIENTS:
                # Do not wait for a client that is slow, has left, or does not stop sending.
                with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    async with asyncio.timeout(self._timeout_seconds):
                        peer_address = writer.get_extra_info("peername")
                        head = await reader.readuntil(b"\r\n\r\n")
                        writer.write(await self._answer_request(head, peer_address[0] if peer_address else ""))
                        writer.close()
                        await writer.wait_closed()
        finally:
            self._client_count -= 1
            writer.transport.abort()

    async def _answer_request(self, head: bytes, peer_host: str) -> bytes:
        request_line, *header_lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        request_line_parts = request_line.split(b" ")
        if len(request_line_parts) != len(("method", "target", "version")):
            return _build_answer(HTTPStatus.BAD_REQUEST, b"This is not an HTTP request.\n")
        method, target, _ = request_line_parts
        if target.partition(b"?")[0].removesuffix(b"/") != _PATH:
            return _build_answer(HTTPStatus.NOT_FOUND, b"Only /metrics is served here.\n")
        if method not in _METHODS:
            return _build_answer(
                HTTPStatus.METHOD_NOT_ALLOWED, b"/metrics supports only GET.\n", "allow: GET, HEAD\r\n"
            )
        if error := self._guard.find_refusal(peer_host, map(_parse_header, header_lines)):
            extra_headers = "".join(f"{name}: {value}\r\n" for name, value in error.headers.items())
            answer = _build_answer(HTTPStatus(error.status), f"{error.message}\n".encode(), extra_headers)
        else:
            answer = _build_answer(HTTPStatus.OK, await self._render_metrics(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
        return answer if method == b"GET" else answer[: answer.index(b"\r\n\r\n") + 4]


def _parse_header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()


def _build_answer(
    status: HTTPStatus, body: bytes, extra_headers: str = "", content_type: str = "text/plain; charset=utf-8"
) -> bytes:
    head = (
        f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: {content_type}\r\ncontent-length: {len(body)}\r\n"
        f"cache-control: no-store\r\nx-content-type-options: nosniff\r\n{extra_headers}connection: close\r\n\r\n"
    )
    return head.encode() + body

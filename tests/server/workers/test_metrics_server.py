"""One path, for a few clients at once, none of which is waited for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from harness.suite.patience import PATIENCE
from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.core.settings import Settings
from tallyroom.server.protocol.sockets import open_listeners
from tallyroom.server.workers.metrics_server import MAX_CLIENTS, MetricsServer

GET = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"


@asynccontextmanager
async def serving(settings: Settings | None = None, **options: Any) -> AsyncIterator[int]:
    """A server; yields its port."""

    async def text() -> bytes:
        return b"numbers 7\n"

    with open_listeners("127.0.0.1", 0) as sockets:
        server = MetricsServer(sockets, text, MetricsGuard(settings or Settings()), **options)
        await server.open()
        try:
            yield sockets[0].getsockname()[1]
        finally:
            server.close()


async def said(port: int, request: bytes) -> bytes:
    """All that it says until it closes; b"" if it closes at once."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(request)
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()


HEAD_OF_ALL = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4; charset=utf-8\r\ncontent-length: 10\r\n"
    b"cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n"
)


@pytest.mark.parametrize(
    ("request_line", "answer"),
    [
        (b"GET /metrics HTTP/1.1", HEAD_OF_ALL + b"numbers 7\n"),
        (b"GET /metrics/?name=a HTTP/1.0", HEAD_OF_ALL + b"numbers 7\n"),
        (b"HEAD /metrics HTTP/1.1", HEAD_OF_ALL),
    ],
)
async def test_it_tells_the_numbers(request_line: bytes, answer: bytes) -> None:
    async with serving() as port:
        assert await said(port, request_line + b"\r\nAccept: */*\r\n\r\n") == answer


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET / HTTP/1.1", b"404 Not Found"),
        (b"GET /v1/query HTTP/1.1", b"404 Not Found"),
        (b"POST /metrics HTTP/1.1", b"405 Method Not Allowed"),
        (b"hello", b"400 Bad Request"),
        (b"", b"400 Bad Request"),
    ],
)
async def test_anything_else_is_refused(request_line: bytes, status: bytes) -> None:
    async with serving() as port:
        head, _, body = (await said(port, request_line + b"\r\n\r\n")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 " + status + b"\r\n")
    assert b"content-length: %d\r\n" % len(body) in head
    assert (b"allow: GET, HEAD" in head) == status.startswith(b"405")


@pytest.mark.parametrize(
    "request_", [b"", b"GET /metrics HTTP/1.1\r\n", b"GET /metrics HTTP/1.1\r\na: " + b"x" * 20_000]
)
async def test_one_that_sends_no_whole_head_is_hung_up(request_: bytes) -> None:
    async with serving(timeout_seconds=0.1) as port:
        assert await said(port, request_) == b""
        assert (await said(port, GET)).endswith(b"numbers 7\n")


async def test_only_some_are_served_at_once() -> None:
    async with serving(timeout_seconds=PATIENCE) as port:
        connected = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MAX_CLIENTS)]
        assert await said(port, GET) == b""
        connected[0][1].close()
        async with asyncio.timeout(PATIENCE):
            while not (await said(port, GET)).endswith(b"numbers 7\n"):  # noqa: ASYNC110 # until it notices that one left
                await asyncio.sleep(0.01)
        for _, writer in connected:
            writer.close()


TOKEN = "a-token-of-a-scraper"
BEHIND = Settings(base_url="https://tally.example.com")
WITH_TOKEN = Settings(base_url="https://tally.example.com", metrics_token=TOKEN)


@pytest.mark.parametrize(
    ("settings", "header", "status"),
    [
        (Settings(), b"X-Forwarded-For: 127.0.0.1", b"403 Forbidden"),
        (Settings(), b"X-REAL-IP : 127.0.0.1", b"403 Forbidden"),
        (BEHIND, b"Accept: */*", b"403 Forbidden"),
        (WITH_TOKEN, b"Accept: */*", b"401 Unauthorized"),
        (WITH_TOKEN, b"Authorization: Bearer another-token-here", b"401 Unauthorized"),
    ],
)
async def test_a_stranger_is_told_no_numbers(settings: Settings, header: bytes, status: bytes) -> None:
    """As at `/metrics` of a server, whose tests try the rest of the rule (rules/safety#metrics)."""
    async with serving(settings) as port:
        head, _, body = (await said(port, b"GET /metrics HTTP/1.1\r\n" + header + b"\r\n\r\n")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 " + status + b"\r\n")
    assert (b"www-authenticate: Bearer" in head) == status.startswith(b"401")
    assert b"numbers" not in body.replace(b"its numbers to", b"")


async def test_the_token_opens_it() -> None:
    async with serving(WITH_TOKEN) as port:
        request = f"GET /metrics HTTP/1.1\r\nX-Forwarded-For: 192.0.2.7\r\nauthorization: bearer {TOKEN}\r\n\r\n"
        assert (await said(port, request.encode())).endswith(b"numbers 7\n")

"""What happens around the end of a request: bodies that nobody needs, clients that ask first, and broken connections."""

import asyncio
import logging

import pytest

from harness.servers.connection import Scene
from tallyroom.server.protocol.lingering_close import MAX_WASTED_BYTES

EXPECTS = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
GET = b"GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
PIECE = 65_536


def sized(length: int) -> bytes:
    return b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % length


class Unread(Scene):
    """Its application answers without reading the body."""

    async def _read(self, scope: object, receive: object) -> None:
        pass


@pytest.fixture
async def scene() -> Unread:
    return Unread()


async def test_the_rest_of_a_body_is_thrown_away_and_the_connection_goes_on(scene: Unread) -> None:
    await scene.receive(sized(2 * PIECE), bytes(PIECE))
    assert (scene.answered, scene.allowance.held_bytes) == ([b"200"], 0)
    await scene.receive(bytes(PIECE - 1))
    assert (len(scene.connection.cycle.__dict__), scene.allowance.held_bytes) == (0, 0)
    await scene.receive(b"x" + GET)
    assert scene.answered == [b"200", b"200"]


async def test_a_rest_without_a_length_ends_somewhere(scene: Unread) -> None:
    await scene.receive(b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"%x\r\n%b\r\n" % (PIECE, bytes(PIECE))
    await scene.receive(*[chunk] * (MAX_WASTED_BYTES // PIECE))
    assert not scene.transport.over
    await scene.receive(chunk)
    assert (scene.answered, scene.transport.closed) == ([b"200"], True)


async def test_a_rest_that_is_too_long_by_its_own_word_is_not_awaited(scene: Unread) -> None:
    await scene.receive(sized(MAX_WASTED_BYTES + 1))
    assert (scene.answered, scene.transport.ended, scene.transport.closed) == ([b"200"], True, False)
    await scene.receive(*[bytes(PIECE)] * (MAX_WASTED_BYTES // PIECE))
    assert not scene.transport.closed
    await scene.receive(b"x")
    assert scene.transport.closed


async def test_a_broken_rest_is_not_answered_again(scene: Unread) -> None:
    await scene.receive(b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"zz\r\n")
    assert (scene.answered, scene.transport.over) == ([b"200"], True)


async def test_who_is_not_told_to_go_on_is_told_that_the_connection_ends(scene: Unread) -> None:
    await scene.receive(EXPECTS)
    assert (scene.answered, scene.transport.over) == ([b"200"], True)
    assert b"connection: close" in scene.transport.written


async def test_who_is_told_to_go_on_keeps_the_connection() -> None:
    scene = Scene()
    await scene.receive(EXPECTS)
    assert scene.answered == [b"100"]
    await scene.receive(b"body", GET)
    assert (scene.answered, scene.transport.over) == ([b"100", b"200", b"200"], False)
    assert b"connection: close" not in scene.transport.written


async def test_a_reset_is_one_short_line(caplog: pytest.LogCaptureFixture) -> None:
    scene = Scene()
    scene.answers.clear()
    with caplog.at_level(logging.DEBUG):
        await scene.receive(GET)
        scene.transport.close()
        scene.connection.connection_lost(ConnectionResetError(104, "Connection reset by peer"))
        scene.answers.set()
        await asyncio.sleep(0.01)
    [record] = [record for record in caplog.records if record.name.startswith("tallyroom")]
    assert (record.levelname, record.message, record.exc_info) == ("INFO", "clients disconnected", None)
    assert vars(record)["reason"] == "[Errno 104] Connection reset by peer"
    assert vars(record)["connections"] == 1

"""The short way of a connection: which requests take it, and what happens around them, without a server."""

import asyncio

import pytest

from harness.servers.connection import Scene
from tallyroom.rest.answer import MAX_EXCHANGE_BYTES, HttpAnswer
from tallyroom.server.protocol import deadlines, shortcut

DONE = HttpAnswer(202, b"{}", ((b"x-request-id", b"1"),))
DEFAULTS = b"cache-control: no-store\r\nx-content-type-options: nosniff\r\n"


@pytest.fixture
async def scene() -> Scene:
    return Scene()


def request(body: bytes = b"body", *headers: bytes, target: bytes = b"/hot") -> bytes:
    lines = [b"POST " + target + b" HTTP/1.1", b"Host: x", b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


async def test_a_whole_request_goes_the_short_way(scene: Scene) -> None:
    await scene.receive(request(b"body", b"X-Name: Value"))
    [exchange] = scene.short
    assert (exchange.client, exchange.body) == ("10.1.2.3", b"body")
    assert exchange.headers == [(b"host", b"x"), (b"content-length", b"4"), (b"x-name", b"Value")]
    assert scene.transport.written == b""
    told: list[int] = []
    exchange.on_answer = told.append
    exchange.answer(DONE)
    head = b"HTTP/1.1 202 Accepted\r\ndate: today\r\ncontent-type: application/json\r\ncontent-length: 2\r\n"
    assert scene.transport.written == head + b"x-request-id: 1\r\n" + DEFAULTS + b"\r\n{}"
    assert (told, scene.transport.closed, scene.usual) == ([202], False, [])


async def test_the_body_may_come_right_after_the_head(scene: Scene) -> None:
    whole = request(b"body")
    await scene.receive(whole[:-4], whole[-4:-2], whole[-2:])
    assert [exchange.body for exchange in scene.short] == [b"body"]


async def test_a_dawdling_body_goes_the_usual_way(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortcut, "MAX_BODY_REST_SECONDS", 0.0)
    whole = request(b"body")
    await scene.receive(whole[:-3])
    await scene.receive(whole[-3:])
    assert (scene.short, scene.usual, scene.answered) == ([], [b"body"], [b"200"])


@pytest.mark.parametrize(
    "whole",
    [
        request(b"x" * (MAX_EXCHANGE_BYTES + 1)),
        request(b"body", target=b"/hot?a=b"),
        request(b"body", target=b"/cold"),
        request(b"body").replace(b"POST", b"PUT"),
    ],
    ids=["large", "with a query", "another path", "another method"],
)
async def test_every_other_request_goes_the_usual_way(scene: Scene, whole: bytes) -> None:
    await scene.receive(whole)
    assert (scene.short, scene.answered) == ([], [b"200"])
    assert scene.usual == [whole.partition(b"\r\n\r\n")[2]]


async def test_a_client_that_asks_first_is_answered_by_the_usual_way(scene: Scene) -> None:
    whole = request(b"body", b"Expect: 100-continue")
    await scene.receive(whole[:-4])
    assert scene.transport.written == b"HTTP/1.1 100 Continue\r\n\r\n"
    await scene.receive(whole[-4:])
    assert (scene.short, scene.usual) == ([], [b"body"])


async def test_a_request_that_the_handler_declines_goes_the_usual_way(scene: Scene) -> None:
    scene.takes = False
    await scene.receive(request(b"one"))
    await scene.receive(request(b"two"))
    assert (scene.usual, scene.answered) == ([b"one", b"two"], [b"200", b"200"])


async def test_requests_in_a_row_are_answered_in_their_order(scene: Scene) -> None:
    await scene.receive(request(b"one") + request(b"two") + request(b"three", target=b"/cold"))
    assert ([exchange.body for exchange in scene.short], scene.usual, scene.answered) == ([b"one"], [], [])
    scene.short[0].answer(DONE)
    await asyncio.sleep(0.01)
    assert (scene.usual, scene.answered) == ([b"two", b"three"], [b"202", b"200", b"200"])
    await scene.receive(request(b"four"))
    assert scene.short[-1].body == b"four"


async def test_a_trailer_is_no_header(scene: Scene) -> None:
    head = b"POST /hot HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    await scene.receive(head + b"4\r\nbody\r\n0\r\nAuthorization: evil\r\n\r\n")
    [exchange] = scene.short
    assert (exchange.body, [name for name, _ in exchange.headers]) == (b"body", [b"host", b"transfer-encoding"])


async def test_the_last_answer_closes_the_connection(scene: Scene) -> None:
    await scene.receive(request(b"body", b"Connection: close"))
    scene.short[0].answer(DONE)
    assert scene.transport.written.endswith(b"\r\nconnection: close\r\n\r\n{}")
    assert scene.transport.closed


async def test_a_server_that_stops_answers_first(scene: Scene) -> None:
    await scene.receive(request())
    scene.connection.shutdown()
    assert not scene.transport.closed
    scene.short[0].answer(DONE)
    assert (scene.answered, scene.transport.closed) == ([b"202"], True)


async def test_nobody_is_told_what_nobody_hears(scene: Scene) -> None:
    await scene.receive(request())
    told: list[int] = []
    scene.short[0].on_answer = told.append
    scene.connection.connection_lost(None)
    scene.short[0].answer(DONE)
    assert (scene.transport.written, told) == (b"", [])


async def test_a_client_that_leaves_in_the_middle_leaves_nothing_behind(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shortcut, "MAX_BODY_REST_SECONDS", 0.0)
    scene.connection.data_received(request(b"body")[:-2])
    scene.connection.connection_lost(None)
    await asyncio.sleep(0.01)
    assert (scene.short, scene.usual) == ([], [])


async def test_only_a_head_is_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "HEAD_SECONDS", 0.02)
    waiting, silent, dawdling = Scene(), Scene(), Scene()
    await waiting.receive(request())
    await dawdling.receive(request()[:9])
    await asyncio.sleep(0.05)
    assert (waiting.transport.over, silent.transport.over, dawdling.transport.over) == (False, True, True)
    waiting.short[0].answer(DONE)
    await asyncio.sleep(0.05)
    assert not waiting.transport.over
    await waiting.receive(request()[:9])
    await asyncio.sleep(0.05)
    assert waiting.transport.over


async def test_a_client_that_does_not_read_goes_the_usual_way(scene: Scene) -> None:
    scene.connection.pause_writing()
    await scene.receive(request(b"body"))
    assert (scene.short, scene.usual) == ([], [])  # it waits until the client reads
    scene.connection.resume_writing()
    await asyncio.sleep(0.01)
    assert (scene.short, scene.usual, scene.answered) == ([], [b"body"], [b"200"])


async def test_an_old_client_hears_that_the_connection_ends(scene: Scene) -> None:
    await scene.receive(request(b"body", b"Connection: keep-alive").replace(b"HTTP/1.1", b"HTTP/1.0"))
    scene.short[0].answer(DONE)
    assert b"connection: close" in scene.transport.written
    assert scene.transport.closed


async def test_a_trailer_cannot_close_the_connection(scene: Scene) -> None:
    head = b"POST /hot HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    await scene.receive(head + b"4\r\nbody\r\n0\r\nConnection: close\r\n\r\n")
    scene.short[0].answer(DONE)
    assert not scene.transport.closed

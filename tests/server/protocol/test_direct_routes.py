"""A head that a client repeats is not parsed again, and means the same as if it were."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.servers.connection import Scene
from tallyroom.rest.answer import Exchange, HttpAnswer
from tallyroom.server.protocol import direct_routes
from tallyroom.server.protocol.direct_routes import MAX_KNOWN_HEAD_BYTES, DirectRoutes, KnownHead

DONE = HttpAnswer(202, b"{}", ())
HEAD = b"POST /hot HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"


def handle(exchange: Exchange) -> bool:
    del exchange
    return True


def known(body_bytes: int = 4) -> KnownHead:
    return KnownHead(handle, b"/hot", [(b"host", b"x")], body_bytes, is_kept_alive=True)


@pytest.fixture
def routes() -> DirectRoutes:
    return DirectRoutes({("POST", "/hot"): handle})


def test_a_route_is_found_by_method_and_target(routes: DirectRoutes) -> None:
    assert routes.find_handler(b"POST", b"/hot") is handle
    assert routes.find_handler(b"GET", b"/hot") is routes.find_handler(b"POST", b"/hot?a=b") is None


def test_the_same_bytes_are_known_again(routes: DirectRoutes) -> None:
    routes.remember_head(HEAD + b"body", known())
    assert routes.find_head(HEAD + b"else") == known()
    for piece in (HEAD + b"bod", HEAD + b"body ", HEAD, HEAD.replace(b"x", b"y") + b"body", b"", b"\r\n\r\n", b"body"):
        assert routes.find_head(piece) is None


@pytest.mark.parametrize("piece", [HEAD, HEAD + b"bod", HEAD + b"body" + HEAD, b"\r\n\r\n" + HEAD + b"body"])
def test_only_a_whole_request_teaches_a_head(routes: DirectRoutes, piece: bytes) -> None:
    routes.remember_head(piece, known())
    assert routes.find_head(piece) is routes.find_head(HEAD + b"body") is None


def test_heads_are_bounded_in_size_and_number(routes: DirectRoutes, monkeypatch: pytest.MonkeyPatch) -> None:
    large = HEAD.replace(b"Host", b"X: " + bytes(MAX_KNOWN_HEAD_BYTES) + b"\r\nHost")
    routes.remember_head(large + b"body", known())
    assert routes.find_head(large + b"body") is None
    monkeypatch.setattr(direct_routes, "MAX_KNOWN_HEADS", 2)
    pieces = [HEAD.replace(b"x", b"%d" % number) + b"body" for number in range(3)]
    for piece in pieces:
        routes.remember_head(piece, known())
    assert [routes.find_head(piece) is not None for piece in pieces] == [False, False, True]


class _ParserOfNothing:
    def feed_data(self, data: bytes) -> None:
        raise AssertionError(f"parsed again: {data!r}")


async def test_a_repeated_head_is_not_parsed() -> None:
    scene = Scene()
    for body in (b"one.", b"two."):  # of a new connection, only the second request comes between two others
        await scene.receive(HEAD + body)
        scene.short[-1].answer(DONE)
    scene.connection.parser = _ParserOfNothing()  # type: ignore[assignment] # all that it is asked for
    await scene.receive(HEAD + b"more")
    exchange = scene.short[-1]
    assert (exchange.client, exchange.body) == ("10.1.2.3", b"more")
    assert exchange.headers == [(b"host", b"x"), (b"content-length", b"4")]
    assert scene.allowance.held_bytes == len(HEAD) + 4
    exchange.answer(DONE)
    assert (scene.answered, scene.allowance.held_bytes) == ([b"202"] * 3, 0)


async def test_a_handler_may_decline_a_repeated_head() -> None:
    scene = Scene()
    for body in (b"one.", b"two."):
        await scene.receive(HEAD + body)
        scene.short[-1].answer(DONE)
    scene.takes = False
    await scene.receive(HEAD + b"more")
    assert (scene.usual, scene.answered, scene.allowance.held_bytes) == ([b"more"], [b"202", b"202", b"200"], 0)


async def test_a_repeated_head_behind_a_client_that_does_not_read_waits() -> None:
    scene = Scene()
    for body in (b"one.", b"two."):
        await scene.receive(HEAD + body)
        scene.short[-1].answer(DONE)
    scene.connection.pause_writing()
    await scene.receive(HEAD + b"more")
    assert (len(scene.short), scene.usual) == (2, [])
    scene.connection.resume_writing()
    await asyncio.sleep(0.01)
    assert scene.usual == [b"more"]


PIECES = st.lists(
    st.sampled_from(
        [
            *[HEAD + b"body", HEAD + b"\r\n\r\n"] * 6,  # the head that becomes known
            HEAD.replace(b"4", b"0"),
            HEAD.replace(b"4", b"8") + HEAD[:8],
            HEAD.replace(b"Host", b"Connection: Upgrade\r\nUpgrade: x\r\nHost") + b"body",
            HEAD.replace(b"Content-Length: 4", b"Transfer-Encoding: chunked") + b"0\r\n\r\n",
            HEAD.replace(b"Content-Length: 4", b"Transfer-Encoding: chunked") + b"4\r\nbody\r\n0\r\n\r\n",
            HEAD.replace(b"hot", b"cold") + b"body",
            HEAD.replace(b"Host", b"Connection: close\r\nHost") + b"body",
            HEAD.replace(b"1.1", b"1.0") + b"body",
            HEAD + b"body" + HEAD + b"two.",
            HEAD,
            HEAD[:-2],
            b"body",
            b"\r\n",
            b"\r\n" + HEAD + b"body",
        ]
    ),
    max_size=12,
)


async def _serve(pieces: list[bytes], are_answered: list[bool]) -> Any:
    scene, answered_count = Scene(), 0
    for piece, is_answered in zip(pieces, are_answered, strict=False):
        if not scene.transport.over:
            scene.connection.data_received(piece)
        for _ in range(3):
            await asyncio.sleep(0)
        while is_answered and answered_count < len(scene.short) and not scene.transport.over:
            answered_count += 1
            scene.short[answered_count - 1].answer(DONE)
    requests = [(exchange.headers, exchange.body) for exchange in scene.short]
    return requests, scene.asked, scene.transport.written, scene.transport.over, scene.allowance.held_bytes


@given(PIECES, st.lists(st.sampled_from([True, True, False]), min_size=12, max_size=12))
def test_any_pieces_mean_the_same_with_and_without_known_heads(pieces: list[bytes], are_answered: list[bool]) -> None:
    outcome = asyncio.run(_serve(pieces, are_answered))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DirectRoutes, "find_head", lambda _, __: None)
        assert outcome == asyncio.run(_serve(pieces, are_answered))

"""What a connection keeps and how long it waits, without a server."""

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from harness.transport import Transport
from tallyroom.protocol import bounds
from tallyroom.protocol.bounds import MAX_HEAD_BYTES, BoundedProtocol

CHUNKED = b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
OFFER = b"Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"


class Scene:
    def __init__(self, keep_alive: float = 30) -> None:
        self.asked: list[tuple[str, bytes, list[Any]]] = []
        self.answers = asyncio.Event()
        self.answers.set()
        config = uvicorn.Config(self.app, interface="asgi3", log_config=None, proxy_headers=False, ws="none")
        config.load()
        self.connection = BoundedProtocol(config=config, server_state=ServerState(), app_state={})
        self.transport: Any = Transport()
        self.connection.timeout_keep_alive = keep_alive  # type: ignore[assignment] # uvicorn's are whole seconds
        self.connection.connection_made(self.transport)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                break
        self.asked.append((scope["path"], body, scope["headers"]))
        await self.answers.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def receive(self, *pieces: bytes) -> None:
        for piece in pieces:
            if not self.transport.closed:
                self.connection.data_received(piece)
        await asyncio.sleep(0.01)

    @property
    def is_refused(self) -> bool:
        return self.transport.closed and self.transport.written.startswith(b"HTTP/1.1 400 ")


@pytest.fixture
async def scene() -> Scene:
    return Scene()


@pytest.mark.parametrize(
    "pieces",
    [
        [b"GET /" + b"a" * 1000] + [b"a" * 1000] * 90,
        [b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * (MAX_HEAD_BYTES + 1) + b"\r\n\r\n"],
        [b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * MAX_HEAD_BYTES],
        [b"\r\n" * 1000] * 90,
        [b"\r\n" * MAX_HEAD_BYTES],
        [CHUNKED + b"0\r\n"] + [b"a: b\r\n" * 1000] * 90,
        [CHUNKED + b"0\r\na: "] + [b"b" * 1000] * 90,
        [CHUNKED + b"1;"] + [b"e" * 1000] * 90,
    ],
    ids=[
        "target",
        "one header",
        "headers",
        "line breaks",
        "line breaks at once",
        "trailers",
        "one trailer",
        "chunk extension",
    ],
)
async def test_nothing_grows_without_end(scene: Scene, pieces: list[bytes]) -> None:
    await scene.receive(*pieces)
    assert scene.is_refused


async def test_a_body_of_many_pieces_is_no_trailer(scene: Scene) -> None:
    length = 100 * MAX_HEAD_BYTES
    await scene.receive(b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % length, *[b"x" * length])
    await scene.receive(CHUNKED, *[b"4\r\nbody\r\n"] * 20_000, b"0\r\n\r\n")
    assert [len(body) for _, body, _ in scene.asked] == [length, 80_000]


@pytest.mark.parametrize("cut", [0, 30, 90, 110, 131, 132, 133, 134])
async def test_an_offer_of_another_protocol_is_ignored_wherever_it_is_cut(scene: Scene, cut: int) -> None:
    body = b"x\r\nupgrade: h2c\r\n\r\nGET /evil HTTP/1.1\r\nHost: x\r\n\r\n"
    whole = b"POST /a HTTP/1.1\r\n" + OFFER + b"Content-Length: %d\r\n\r\n" % len(body) + body
    await scene.receive(whole[:cut], whole[cut:] + b"GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
    assert [(path, got) for path, got, _ in scene.asked] == [("/a", body), ("/next", b"")]
    assert scene.asked[0][2] == [(b"host", b"x"), (b"content-length", b"%d" % len(body))]


async def test_an_offer_does_not_keep_a_connection_open(scene: Scene) -> None:
    await scene.receive(b"GET /a HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n")
    assert (len(scene.asked), scene.transport.closed) == (1, True)


@pytest.mark.parametrize(
    "head",
    [
        b"CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nAccept: */*\r\n\r\n",
        b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=["proxy", "two hosts", "no host", "two lengths"],
)
async def test_what_can_be_read_in_two_ways_is_refused(scene: Scene, head: bytes) -> None:
    await scene.receive(head)
    assert (scene.asked, scene.is_refused) == ([], True)


@pytest.mark.parametrize("offer", [b"", OFFER.removeprefix(b"Host: x\r\n")])
async def test_http_1_0_needs_no_host(scene: Scene, offer: bytes) -> None:
    await scene.receive(b"GET /a HTTP/1.0\r\n" + offer + b"\r\n")
    assert [path for path, _, _ in scene.asked] == ["/a"]


async def test_white_space_around_a_value_is_not_part_of_it(scene: Scene) -> None:
    await scene.receive(b"GET /a HTTP/1.1\r\nHost: \t x \t \r\n\r\n")
    assert scene.asked[0][2] == [(b"host", b"x")]


async def test_a_request_before_what_is_none_is_answered_first(scene: Scene) -> None:
    scene.answers.clear()
    await scene.receive(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    await scene.receive(b"BREW / HTTP/1.1\r\n\r\n")
    assert (scene.transport.written, scene.transport.paused) == (b"", True)
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert scene.transport.written.startswith(b"HTTP/1.1 200 ")
    assert scene.transport.written.count(b"HTTP/1.1") == 1
    assert scene.transport.closed


async def test_a_body_that_cannot_be_read_is_refused_at_once(scene: Scene) -> None:
    await scene.receive(CHUNKED, b"zz\r\n")
    assert (scene.is_refused, scene.asked) == (True, [])


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [b"GET / HT"],
        [b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"],
        [b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n"],
        [b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HT"],
        [CHUNKED, b"4\r\nbo"],
    ],
    ids=["silent", "a head", "a rest", "a line break", "a second head", "a body"],
)
async def test_it_never_waits_for_ever(monkeypatch: pytest.MonkeyPatch, pieces: list[bytes]) -> None:
    monkeypatch.setattr(bounds, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(bounds, "BODY_SECONDS", 0.05)
    scene = Scene(keep_alive=0.05)
    for piece in pieces:
        await scene.receive(piece)
    assert not scene.transport.closed
    await asyncio.sleep(0.1)
    assert scene.transport.closed

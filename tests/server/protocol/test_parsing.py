"""What a connection keeps and how it reads, without a server."""

import asyncio

import pytest

from harness.servers.connection import Scene
from tallyroom.server.protocol.head import MAX_HEAD_BYTES

CHUNKED = b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
OFFER = b"Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"


def is_refused(scene: Scene) -> bool:
    return scene.transport.over and scene.answered == [b"400"]


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
    assert is_refused(scene)


async def test_a_body_of_many_pieces_is_no_trailer(scene: Scene) -> None:
    length = 100 * MAX_HEAD_BYTES
    await scene.receive(b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % length, *[b"x" * length])
    await scene.receive(CHUNKED, *[b"14\r\n%b\r\n" % bytes(20)] * 20_000, b"0\r\n\r\n")
    assert [len(body) for _, body, _ in scene.asked] == [length, 400_000]


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
    assert (scene.asked, is_refused(scene)) == ([], True)


@pytest.mark.parametrize(
    "coding", [b"gzip, chunked", b"chunked, chunked", b"identity", b"chunked\r\nTransfer-Encoding: gzip", b""]
)
async def test_a_transfer_coding_that_is_not_understood_is_refused(scene: Scene, coding: bytes) -> None:
    await scene.receive(b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: %b\r\n\r\n0\r\n\r\n" % coding)
    assert (scene.asked, is_refused(scene)) == ([], True)


async def test_chunked_may_be_written_in_capitals(scene: Scene) -> None:
    await scene.receive(CHUNKED.replace(b"chunked", b"Chunked") + b"4\r\nbody\r\n0\r\n\r\n")
    assert scene.usual == [b"body"]


@pytest.mark.parametrize("version", [b"0.9", b"2.0", b"1.2", b"3.0"])
async def test_another_version_of_http_is_refused(scene: Scene, version: bytes) -> None:
    await scene.receive(b"GET /a HTTP/%b\r\nHost: x\r\n\r\n" % version)
    assert (scene.asked, is_refused(scene)) == ([], True)


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
    assert scene.transport.written == b""
    scene.answers.set()
    await asyncio.sleep(0.01)
    assert (scene.answered, scene.transport.over) == ([b"200"], True)


async def test_a_body_that_cannot_be_read_is_refused_at_once(scene: Scene) -> None:
    await scene.receive(CHUNKED, b"zz\r\n")
    assert (is_refused(scene), scene.asked) == (True, [])

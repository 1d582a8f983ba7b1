"""Sizes, encodings, slow and vanished clients."""

import asyncio
import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from tallyroom.core.errors import (
    PayloadTooLarge,
    RequestTimeout,
    TallyroomError,
    UnsupportedMediaType,
    ValidationFailed,
)
from tallyroom.ingest.body import MAX_STREAMS, ClientGone, check_media_type, read_body

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b'{"name":"x"}' * 50


def sends(*chunks: bytes, pause: float | None = None, gone: bool = False) -> Callable[[], Awaitable[dict[str, Any]]]:
    """An ASGI channel that brings `chunks`, each after a `pause`, and hangs up instead of ending when `gone`."""
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    if gone:
        messages.append({"type": "http.disconnect"})
    elif messages:
        messages[-1]["more_body"] = False
    waiting = iter(messages)

    async def receive() -> dict[str, Any]:
        if pause is not None:
            await asyncio.sleep(pause)
        return next(waiting)

    return receive


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def encoded(name: bytes) -> dict[bytes, bytes]:
    return {b"content-encoding": name}


@pytest.mark.parametrize("pause", [None, 0.0])
@pytest.mark.parametrize(
    "chunks", [[b""], [TEXT], [TEXT[:1], TEXT[1:]], [b"", TEXT, b""], [bytes([byte]) for byte in TEXT]]
)
async def test_a_plain_body(chunks: list[bytes], pause: float | None) -> None:
    assert await read_body({}, sends(*chunks, pause=pause)) == b"".join(chunks)


async def test_a_message_without_keys_is_an_empty_body() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    assert await read_body({}, receive) == b""


ENCODED = [
    (b"identity", TEXT),
    (b"gzip", gzip.compress(TEXT, mtime=0)),
    (b" GZip ", gzip.compress(TEXT, mtime=0)),
    (b"x-gzip", gzip.compress(TEXT, mtime=0)),
    (b"gzip", gzip.compress(TEXT[:9], mtime=0) + gzip.compress(b"", mtime=0) + gzip.compress(TEXT[9:], mtime=0)),
    (b"deflate", zlib.compress(TEXT)),
    (b"deflate", raw_deflate(TEXT)),
    (b"zstd", zstd.compress(TEXT)),
    (b"zstd", zstd.compress(TEXT[:9]) + zstd.compress(TEXT[9:])),
]


@pytest.mark.parametrize(("name", "data"), ENCODED)
async def test_a_compressed_body(name: bytes, data: bytes) -> None:
    assert await read_body(encoded(name), sends(data)) == TEXT
    assert await read_body(encoded(name), sends(data[:7], data[7:]), max_bytes=len(TEXT)) == TEXT


@pytest.mark.parametrize(("name", "data"), ENCODED[1:])
async def test_a_damaged_body(name: bytes, data: bytes) -> None:
    for broken in (data[:-1], data[: len(data) // 2], data + b"trailing", b"", b"\x00" + data):
        with pytest.raises(ValidationFailed, match="body cannot be decompressed"):
            await read_body(encoded(name), sends(broken))


@pytest.mark.parametrize("name", [b"br", b"compress", b"gzip, gzip", b"gzip,deflate", b"nonsense"])
async def test_other_encodings_are_refused_before_anything_is_read(name: bytes) -> None:
    async def never() -> dict[str, Any]:
        raise AssertionError("the body was read")

    with pytest.raises(UnsupportedMediaType) as caught:
        await read_body({**encoded(name), b"content-length": b"99999999999"}, never)
    assert caught.value.headers["accept-encoding"] == "gzip, deflate, zstd"


async def test_too_long_by_its_own_word_is_refused_unread() -> None:
    async def never() -> dict[str, Any]:
        raise AssertionError("the body was read")

    for length in (b"2097153", b"9" * 5000):
        with pytest.raises(PayloadTooLarge, match="larger than 2097152 bytes"):
            await read_body({b"content-length": length}, never)


@pytest.mark.parametrize("headers", [{}, {b"content-length": b"5"}, {b"content-length": b"x"}])
async def test_too_long_while_it_arrives(headers: dict[bytes, bytes]) -> None:
    assert await read_body(headers, sends(b"a" * 100), max_bytes=100) == b"a" * 100
    assert await read_body(headers, sends(b"a" * 50, b"a" * 50), max_bytes=100) == b"a" * 100
    for chunks in ([b"a" * 101], [b"a" * 50, b"a" * 51], [b"a" * 60] * 1000):
        with pytest.raises(PayloadTooLarge):
            await read_body(headers, sends(*chunks), max_bytes=100)


@pytest.mark.parametrize(
    ("name", "compress"),
    [(b"gzip", gzip.compress), (b"deflate", zlib.compress), (b"zstd", zstd.compress)],
    ids=["gzip", "deflate", "zstd"],
)
async def test_a_bomb_takes_no_memory(name: bytes, compress: Callable[[bytes, int], bytes]) -> None:
    bomb = compress(bytes(100_000_000), 1)
    assert len(bomb) < 2_097_152
    receive = sends(bomb)
    tracemalloc.start()
    try:
        with pytest.raises(PayloadTooLarge):
            await read_body(encoded(name), receive)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


async def test_the_inflated_limit_is_exact() -> None:
    data = gzip.compress(b"a" * 1000, mtime=0)
    assert await read_body(encoded(b"gzip"), sends(data), max_bytes=1000) == b"a" * 1000
    with pytest.raises(PayloadTooLarge):
        await read_body(encoded(b"gzip"), sends(data), max_bytes=999)


@pytest.mark.parametrize(("name", "empty"), [(b"gzip", gzip.compress(b"", mtime=0)), (b"zstd", zstd.compress(b""))])
async def test_a_body_has_a_hundred_streams_at_most(name: bytes, empty: bytes) -> None:
    assert await read_body(encoded(name), sends(empty * MAX_STREAMS)) == b""
    with pytest.raises(ValidationFailed, match="more than 100 compressed streams"):
        await read_body(encoded(name), sends(empty * 90_000))


async def test_a_zstd_frame_cannot_ask_for_a_huge_window() -> None:
    packer = zstd.ZstdCompressor(options={int(zstd.CompressionParameter.window_log): 27})
    with pytest.raises(ValidationFailed, match="cannot be decompressed"):
        await read_body(encoded(b"zstd"), sends(packer.compress(TEXT) + packer.flush()))


@pytest.mark.parametrize("pause", [None, 0.0])
@pytest.mark.parametrize("chunks", [[], [b"a"], [b"a", b"b"]])
async def test_a_client_that_hangs_up(chunks: list[bytes], pause: float | None) -> None:
    with pytest.raises(ClientGone):
        await read_body({}, sends(*chunks, pause=pause, gone=True))
    assert not issubclass(ClientGone, TallyroomError)


@pytest.mark.parametrize("chunks", [[], [b"a"]])
async def test_what_the_connection_does_not_take_comes_out(chunks: list[bytes]) -> None:
    first = sends(*chunks, gone=True)

    async def receive() -> dict[str, Any]:
        message = await first()
        if message["type"] == "http.disconnect":
            raise RequestTimeout("The body did not arrive within 15 seconds.")
        return message

    with pytest.raises(RequestTimeout, match="within 15 seconds"):
        await read_body({}, receive)


async def test_a_cancelled_reader_stops_its_receiver() -> None:
    stopped = asyncio.Event()

    async def receive() -> dict[str, Any]:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return {}

    task = asyncio.create_task(read_body({}, receive))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped.is_set()


@pytest.mark.parametrize(
    "content_type",
    [
        b"application/json",
        b"application/json; charset=utf-8",
        b"Application/JSON;Charset=UTF-8",
        b'application/json ; charset="utf-8"; profile=x',
        b"application/json;",
        b"application/json; charset=utf8",
    ],
)
def test_json_is_taken(content_type: bytes) -> None:
    check_media_type(content_type)


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        b"",
        b"text/plain",
        b"application/jsonl",
        b"text/json",
        b"application/x-www-form-urlencoded",
        b"\xff",
        b"*/*",
    ],
)
def test_other_types_are_refused(content_type: bytes | None) -> None:
    with pytest.raises(UnsupportedMediaType, match="Send Content-Type: application/json"):
        check_media_type(content_type)


def test_other_charsets_are_refused() -> None:
    with pytest.raises(UnsupportedMediaType, match="must be UTF-8"):
        check_media_type(b"application/json; charset=latin-1")


@pytest.mark.parametrize("name", [b"identity", b"gzip"])
async def test_a_large_body_is_never_there_twice(name: bytes) -> None:
    """A copy at the end would keep the event loop, or Python's lock, for as long as the body is large."""
    plain = Random(1).randbytes(8_000_000)
    sent = gzip.compress(plain, 1) if name == b"gzip" else plain
    receive = sends(*[sent[start : start + 65_536] for start in range(0, len(sent), 65_536)])
    tracemalloc.start()
    try:
        body = await read_body(encoded(name), receive, max_bytes=len(sent))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert body == plain
    copies = 2 if name == b"gzip" else 1  # as sent, and inflated
    assert peak < (copies + 0.5) * len(plain)

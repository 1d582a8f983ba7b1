"""gzip for clients that say that they read it."""

import gzip
import random
from collections.abc import AsyncIterator

import pytest

from tallyroom.events.export.compression import accepts_gzip, compress_pieces


@pytest.mark.parametrize(
    "accept",
    [
        "gzip",
        "GZIP",
        "deflate, gzip",
        "gzip;q=1.0",
        "gzip; q=0.5",
        "br;q=1, gzip;q=0.001, *;q=0",
        "gzip, deflate, br, zstd",
    ],
)
def test_who_takes_gzip(accept: str) -> None:
    assert accepts_gzip(accept)


@pytest.mark.parametrize(
    "accept", ["", "identity", "*", "br", "gzip;q=0", "gzip; q=0.0", "gzip;q=0.000", "xgzip", "gzipped"]
)
def test_who_does_not(accept: str) -> None:
    assert not accepts_gzip(accept)


async def pieces(content: list[bytes], error: Exception | None = None) -> AsyncIterator[bytes]:
    for piece in content:
        yield piece
    if error:
        raise error


@pytest.mark.parametrize("content", [[], [b""], [b"a"], [random.Random(1).randbytes(200_000), b"", b"x" * 500_000]])
async def test_the_same_bytes_come_out(content: list[bytes]) -> None:
    packed = [piece async for piece in compress_pieces(pieces(content))]
    assert gzip.decompress(b"".join(packed)) == b"".join(content)


async def test_a_broken_stream_has_no_end() -> None:
    packed = compress_pieces(pieces([b"x" * 1000], OSError("broke")))
    first = await anext(packed)
    with pytest.raises(OSError, match="broke"):
        await anext(packed)
    with pytest.raises(EOFError):
        gzip.decompress(first)

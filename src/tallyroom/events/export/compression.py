"""Compresses a stream with gzip for clients that accept it."""

import asyncio
import zlib
from collections.abc import AsyncIterator

from tallyroom.rest.accept_headers import accepts

_FAST_LEVEL = 1  # half of what the best level saves beyond it would take six times as long
_GZIP_WINDOW_BITS = 31


def accepts_gzip(accept_encoding: str) -> bool:
    """Return True if an `Accept-Encoding` header names gzip without a weight of 0."""
    return accepts(accept_encoding, "gzip")


async def compress_pieces(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the same bytes, compressed off the event loop."""
    compressor = zlib.compressobj(_FAST_LEVEL, zlib.DEFLATED, _GZIP_WINDOW_BITS)
    async for piece in pieces:
        yield await asyncio.to_thread(compressor.compress, piece)
    yield compressor.flush()

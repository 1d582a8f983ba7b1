"""Returns pictures from the cache or from a worker, a limited number at a time (rules/pictures#drawing)."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from cachetools import LRUCache

from tallyroom.core.errors import Unavailable
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.images.messages import Job, Picture
from tallyroom.images.worker_pool import PictureWorkerPool

_MAX_WAITING_COUNT = 64
_CACHE_BYTES = 64_000_000
_ENTRY_BYTES = 500  # memory for a cached picture in addition to its bytes
_KEY_BYTES = 16
_RETRY_SECONDS = 5
_PAUSE_SECONDS = 1.0
_DELAY_STEPS = 32  # clients that are refused together do not come back together

PictureUrl = tuple[str, bytes]  # a path and a query, as sent


class Renderer:
    """The only source of pictures; refusals take `pause_seconds`, so that clients that retry do not hold up others."""

    def __init__(self, pool: PictureWorkerPool, pause_seconds: float = _PAUSE_SECONDS) -> None:
        self._pool = pool
        self._pause_seconds = pause_seconds
        self._waiting_count = self._refusal_count = 0
        self._picture_cache: SharedAnswers[Picture] = SharedAnswers(
            LRUCache(_CACHE_BYTES, getsizeof=_cached_byte_count), finishes_abandoned=False
        )

    async def refuse_if_full(self) -> None:
        """Raise `Unavailable` while too many requests are waiting, after a pause of a varying length."""
        if max(self._waiting_count, self._picture_cache.running_count) >= _MAX_WAITING_COUNT:
            self._refusal_count += 1
            delay_share = self._refusal_count % _DELAY_STEPS / _DELAY_STEPS
            await asyncio.sleep(self._pause_seconds * (1 + delay_share))
            raise Unavailable("Too many pictures are being drawn.", round(_RETRY_SECONDS * (1 + delay_share)))

    @asynccontextmanager
    async def admit_request(self) -> AsyncIterator[None]:
        """Admit a request to the queue for pictures before much of it is read; raise `Unavailable` if it is full."""
        await self.refuse_if_full()
        self._waiting_count += 1
        try:
            yield
        finally:
            self._waiting_count -= 1

    async def render(self, job: Job, url: PictureUrl | None = None) -> Picture:
        """Return the picture of a job, cached by `url` or by content; raise `ValidationFailed` or `Unavailable`."""
        cache_key = await asyncio.to_thread(_job_cache_key, job) if url is None else _url_cache_key(url)
        return await self._picture_cache.get(cache_key, lambda: self._pool.draw(job))

    def get_cached(self, url: PictureUrl) -> Picture | None:
        """Return the cached picture of this path and query; None if there is none."""
        return self._picture_cache.get_cached(_url_cache_key(url))

    async def close(self) -> None:
        """Stop drawing."""
        await self._pool.close()


def _job_cache_key(job: Job) -> bytes:
    """Return the cache key of a job, which takes a millisecond for a large one."""
    return _hash_key(msgspec.msgpack.encode(job))


def _url_cache_key(url: PictureUrl) -> bytes:
    path, query = url
    return _hash_key(b"%b?%b" % (path.encode(), query))


def _hash_key(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=_KEY_BYTES).digest()


def _cached_byte_count(picture: Picture) -> int:
    return len(picture.body) + _ENTRY_BYTES

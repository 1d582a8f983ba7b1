"""Gives pictures: those that are kept, or what a process draws; so many at a time (rules/pictures#drawing)."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from cachetools import LRUCache

from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.images.drawers import Drawers
from tallyroom.images.orders import Drawn, Order, Refused

_MOST_WAITING = 64
_KEPT_BYTES = 64_000_000
_BESIDE_BYTES = 500  # what is kept of a picture besides its bytes
_KEY_BYTES = 16
_RETRY_SECONDS = 5
_PAUSE_SECONDS = 1.0
_SPREAD = 32  # those who are refused together do not come back together

Question = tuple[str, bytes]
"""A path and a query, as sent."""


class Studio:
    """The one place where pictures come from.

    Args:
        drawers: draw them.
        pause_seconds: how long a refusal takes at least, so that who asks again at once does not keep others waiting.
    """

    def __init__(self, drawers: Drawers, pause_seconds: float = _PAUSE_SECONDS) -> None:
        self._drawers = drawers
        self._pause_seconds = pause_seconds
        self._waiting = self._refused = 0
        self._pictures: SharedAnswers[Drawn] = SharedAnswers(LRUCache(_KEPT_BYTES, getsizeof=_size), to_the_end=False)

    async def check_room(self) -> None:
        """Refuse whoever asks for a picture while too many wait.

        Raises:
            Unavailable: too many wait. It comes after a pause, and not at the same moment for all.
        """
        if max(self._waiting, self._pictures.under_way) >= _MOST_WAITING:
            self._refused += 1
            share = self._refused % _SPREAD / _SPREAD
            await asyncio.sleep(self._pause_seconds * (1 + share))
            raise Unavailable("Too many pictures are being drawn.", round(_RETRY_SECONDS * (1 + share)))

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place among those who wait for pictures; to be taken before much of a request is read.

        Raises:
            Unavailable: there is none.
        """
        await self.check_room()
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def picture(self, order: Order, question: Question | None = None) -> Drawn:
        """The picture of an order; with a question, it is kept as the answer to that.

        Raises:
            ValidationFailed: the order asks for no picture.
            Unavailable: it could not be drawn.
        """
        key = await asyncio.to_thread(_key_of_order, order) if question is None else _key_of(question)
        return await self._pictures.get(key, lambda: self._drawn(order))

    def kept(self, question: Question) -> Drawn | None:
        """The picture that was asked for by this path and query before."""
        return self._pictures.kept(_key_of(question))

    async def close(self) -> None:
        """Draw nothing more."""
        await self._drawers.close()

    async def _drawn(self, order: Order) -> Drawn:
        answer = await self._drawers.draw(order)
        if isinstance(answer, Refused):
            raise ValidationFailed(answer.message, details=answer.details)
        return answer


def _key_of_order(order: Order) -> bytes:
    """Its key, which takes a millisecond for a large one."""
    return _key(msgspec.msgpack.encode(order))


def _key_of(question: Question) -> bytes:
    path, query = question
    return _key(b"%b?%b" % (path.encode(), query))


def _key(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=_KEY_BYTES).digest()


def _size(picture: Drawn) -> int:
    return len(picture.body) + _BESIDE_BYTES

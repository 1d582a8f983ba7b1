"""Answers that are kept for a while, and each of which is found once for all who ask at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import Cache, TTLCache

from tallyroom.core.clock import Clock

MOMENT_SECONDS = 30
MOMENT_BYTES = 16_000_000

Answer = TypeVar("Answer")


class SharedAnswers(Generic[Answer]):
    """Answers by what they depend on.

    Args:
        kept: how many are kept and for how long; what does not fit into it is answered and not kept.
    """

    def __init__(self, kept: Cache[Hashable, Answer]) -> None:
        self._kept = kept
        self._under_way: dict[Hashable, asyncio.Task[Answer]] = {}

    @property
    def under_way(self) -> int:
        """How many answers are being found."""
        return len(self._under_way)

    def kept(self, key: Hashable) -> Answer | None:
        """The answer for `key`, if it is kept."""
        return self._kept.get(key)

    async def get(self, key: Hashable, find: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer for `key`: one that is kept, or what `find` answers now. An error is answered and not kept.

        It is found to the end even when the one who asked first leaves: others may wait for it.
        """
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.ensure_future(self._found(key, find))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    async def _found(self, key: Hashable, find: Callable[[], Awaitable[Answer]]) -> Answer:
        answer = await find()
        with suppress(ValueError):  # it is larger than all that may be kept
            self._kept[key] = answer
        return answer

    def _ended(self, key: Hashable, task: "asyncio.Task[Answer]") -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody may be left


def for_a_moment(clock: Clock) -> SharedAnswers[Any]:
    """Answers that are kept for half a minute, so that a page with many visitors asks as one with few."""
    return SharedAnswers(TTLCache(MOMENT_BYTES, MOMENT_SECONDS, clock.monotonic, _written_size))


def _written_size(answer: object) -> int:
    return len(msgspec.json.encode(answer))

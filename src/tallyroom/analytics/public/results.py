"""Answers that are kept for a moment, so that a page with many visitors asks the event store as one with few."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable

import msgspec
from cachetools import TTLCache

from tallyroom.core.clock import Clock
from tallyroom.engine.config import Result

KEPT_SECONDS = 30
KEPT_BYTES = 16_000_000


class Results:
    """Results by what they depend on; each is found once for all who ask at the same time.

    Args:
        clock: decides when a result is too old.
    """

    def __init__(self, clock: Clock) -> None:
        self._kept: TTLCache[Hashable, Result] = TTLCache(KEPT_BYTES, KEPT_SECONDS, clock.monotonic, _size)
        self._under_way: dict[Hashable, asyncio.Task[Result]] = {}

    async def get(self, key: Hashable, find: Callable[[], Awaitable[Result]]) -> Result:
        """The result for `key`: one that is kept, or what `find` answers now. An error is answered and not kept.

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

    async def _found(self, key: Hashable, find: Callable[[], Awaitable[Result]]) -> Result:
        result = await find()
        if _size(result) <= KEPT_BYTES:
            self._kept[key] = result
        return result

    def _ended(self, key: Hashable, task: "asyncio.Task[Result]") -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody may be left


def _size(result: Result) -> int:
    return len(msgspec.json.encode(result))

"""Answers that are kept for a while, and each of which is found once for all who ask at the same time."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import Cache, TTLCache

from tallyroom.core.clock import Clock

MOMENT_SECONDS = 30
MOMENT_BYTES = 16_000_000
_MOST_FAILURES = 10_000

Answer = TypeVar("Answer")


class Failures:
    """Errors that would only come again, at the same cost.

    Args:
        kinds: types of errors.
        kept: how many are kept and for how long; none without it.
    """

    def __init__(self, kinds: tuple[type[Exception], ...], kept: Cache[Hashable, Exception] | None = None) -> None:
        self._kinds = kinds
        self._kept = Cache[Hashable, Exception](0) if kept is None else kept

    def raise_kept(self, key: Hashable) -> None:
        """Raise the error of `key`, if it is kept."""
        if error := self._kept.get(key):
            raise error.with_traceback(None)

    @contextmanager
    def keeping(self, key: Hashable) -> Iterator[None]:
        """Keep the error of `key` that comes out of the block, if it is one to be kept."""
        try:
            yield
        except self._kinds as error:
            self._kept[key] = error
            raise


class SharedAnswers(Generic[Answer]):
    """Answers by what they depend on.

    Args:
        kept: how many are kept and for how long; what does not fit into it is answered and not kept.
        to_the_end: find an answer even when nobody waits for it any more; otherwise it is given up.
        failures: keeps the errors of one type, which are answered again instead of asking again; no other is kept.
    """

    def __init__(
        self, kept: Cache[Hashable, Answer], *, to_the_end: bool = True, failures: "Failures | None" = None
    ) -> None:
        self._kept = kept
        self._failures = failures or Failures(())
        self._to_the_end = to_the_end
        self._waiting: Counter[Hashable] = Counter()
        self._under_way: dict[Hashable, asyncio.Task[Answer]] = {}

    @property
    def under_way(self) -> int:
        """How many answers are being found."""
        return len(self._under_way)

    def kept(self, key: Hashable) -> Answer | None:
        """The answer for `key`, if it is kept."""
        return self._kept.get(key)

    async def get(self, key: Hashable, find: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer for `key`: one that is kept, or what `find` answers now.

        The one who asked first may leave: others may wait for it.
        """
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        self._failures.raise_kept(key)
        task = self._under_way.get(key)
        if task is None or task.cancelling():
            task = asyncio.ensure_future(self._found(key, find))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        self._waiting[key] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key]
                if not self._to_the_end:
                    task.cancel()  # without effect when it is done

    async def _found(self, key: Hashable, find: Callable[[], Awaitable[Answer]]) -> Answer:
        with self._failures.keeping(key):
            answer = await find()
        with suppress(ValueError):  # it is larger than all that may be kept
            self._kept[key] = answer
        return answer

    def _ended(self, key: Hashable, task: "asyncio.Task[Answer]") -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]
        if not task.cancelled():
            task.exception()  # whoever waits has it; nobody may be left


def for_a_moment(clock: Clock, *kept_errors: type[Exception]) -> SharedAnswers[Any]:
    """Answers that are kept for half a minute, so that a page with many visitors asks as one with few.

    So are errors of these types: nobody can have what takes too long begun again and again.
    """
    failures = Failures(kept_errors, TTLCache(_MOST_FAILURES, MOMENT_SECONDS, clock.monotonic))
    return SharedAnswers(TTLCache(MOMENT_BYTES, MOMENT_SECONDS, clock.monotonic, _written_size), failures=failures)


def _written_size(answer: object) -> int:
    return len(msgspec.json.encode(answer))

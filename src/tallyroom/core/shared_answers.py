"""Answers that are kept for a while; each is computed only once for all who ask at the same time."""

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
    """Errors worth keeping, because trying again would cost as much and fail again.

    Args:
        kinds: the types of errors to keep.
        kept: a cache that sets how many errors are kept and for how long; without it, none is.
    """

    def __init__(self, kinds: tuple[type[Exception], ...], kept: Cache[Hashable, Exception] | None = None) -> None:
        self._kinds = kinds
        self._kept = Cache[Hashable, Exception](0) if kept is None else kept

    def raise_kept(self, key: Hashable) -> None:
        """Raise the error kept for `key`, if any."""
        if error := self._kept.get(key):
            raise error.with_traceback(None)

    @contextmanager
    def keeping(self, key: Hashable) -> Iterator[None]:
        """Keep an error that the block raises under `key`, if it is of one of the types to keep."""
        try:
            yield
        except self._kinds as error:
            self._kept[key] = error
            raise


class SharedAnswers(Generic[Answer]):
    """Answers, keyed by what they depend on.

    Args:
        kept: a cache that sets how many answers are kept and for how long; an answer too large for it is not kept.
        to_the_end: finish computing an answer even if nobody waits for it any more; otherwise it is cancelled.
        failures: keeps errors, which are then raised again instead of computing the answer again; by default, none.
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
        """The number of answers that are being computed."""
        return len(self._under_way)

    def kept(self, key: Hashable) -> Answer | None:
        """Return the answer kept for `key`; None if there is none."""
        return self._kept.get(key)

    async def get(self, key: Hashable, find: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer for `key`: the kept one, or what `find` returns now.

        If the first caller is cancelled, the others still get the answer.
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
        with suppress(ValueError):  # the answer is larger than the whole cache
            self._kept[key] = answer
        return answer

    def _ended(self, key: Hashable, task: "asyncio.Task[Answer]") -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]
        if not task.cancelled():
            task.exception()  # marks it as retrieved, as nobody may be left to wait for it


def for_a_moment(clock: Clock, *kept_errors: type[Exception]) -> SharedAnswers[Any]:
    """Keep answers for half a minute, so that a page with many visitors costs no more than one with few.

    Errors of the given types are kept as well, so that nobody can start costly work again and again.
    """
    failures = Failures(kept_errors, TTLCache(_MOST_FAILURES, MOMENT_SECONDS, clock.monotonic))
    return SharedAnswers(TTLCache(MOMENT_BYTES, MOMENT_SECONDS, clock.monotonic, _written_size), failures=failures)


def _written_size(answer: object) -> int:
    return len(msgspec.json.encode(answer))

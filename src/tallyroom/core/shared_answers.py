"""Answers that are kept for a while; each is computed only once for all who ask at the same time."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import Cache, TTLCache

from tallyroom.core.clock import Clock
from tallyroom.core.cluster_answers import AnswerCache, ClusterAnswers

MOMENT_SECONDS = 30
MOMENT_BYTES = 16_000_000
_MAX_FAILURES = 10_000

Answer = TypeVar("Answer")


class Failures:
    """Errors worth keeping, because trying again would cost as much and fail again.

    Args:
        kinds: the types of errors to keep.
        cache: a cache that sets how many errors are kept and for how long; without it, none is.
    """

    def __init__(self, kinds: tuple[type[Exception], ...], cache: Cache[Hashable, Exception] | None = None) -> None:
        self._kinds = kinds
        self._cache = Cache[Hashable, Exception](0) if cache is None else cache

    def raise_kept(self, key: Hashable) -> None:
        """Raise the error kept for `key`, if any."""
        if error := self._cache.get(key):
            raise error.with_traceback(None)

    @contextmanager
    def keeping(self, key: Hashable) -> Iterator[None]:
        """Keep an error that the block raises under `key`, if it is of one of the types to keep."""
        try:
            yield
        except self._kinds as error:
            self._cache[key] = error
            raise


class SharedAnswers(Generic[Answer]):
    """Answers, keyed by what they depend on.

    Args:
        cache: a cache that sets how many answers are kept and for how long; an answer too large for it is not kept.
        to_the_end: finish computing an answer even if nobody waits for it any more; otherwise it is cancelled.
        failures: keeps errors, which are then raised again instead of computing the answer again; by default, none.
        cluster: keeps answers and errors for all workers, in place of `cache` and `failures` unless it is away.
    """

    def __init__(
        self,
        cache: Cache[Hashable, Answer],
        *,
        to_the_end: bool = True,
        failures: "Failures | None" = None,
        cluster: ClusterAnswers[Answer] | None = None,
    ) -> None:
        self._cache = cache
        self._failures = failures or Failures(())
        self._cluster = cluster
        self._to_the_end = to_the_end
        self._waiting: Counter[Hashable] = Counter()
        self._under_way: dict[Hashable, asyncio.Task[Answer]] = {}

    @property
    def under_way(self) -> int:
        """The number of answers that are being computed."""
        return len(self._under_way)

    def kept(self, key: Hashable) -> Answer | None:
        """Return the answer kept for `key`; None if there is none."""
        return self._cache.get(key)

    async def get(self, key: Hashable, find: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer for `key`: the kept one, or what `find` returns now.

        If the first caller is cancelled, the others still get the answer.
        """
        cluster = None if self._cluster is None or self._cluster.is_away else self._cluster
        if cluster is None:
            answer = self._cache.get(key)
            if answer is not None:
                return answer
            self._failures.raise_kept(key)
        task = self._under_way.get(key)
        if task is None or task.cancelling():
            work = self._found(key, find) if cluster is None else cluster.get(key, lambda: self._found(key, find))
            task = asyncio.ensure_future(work)
            self._under_way[key] = task
            task.add_done_callback(lambda answer_task: self._ended(key, answer_task))
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
            self._cache[key] = answer
        return answer

    def _ended(self, key: Hashable, task: "asyncio.Task[Answer]") -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]
        if not task.cancelled():
            task.exception()  # marks it as retrieved, as nobody may be left to wait for it


def for_a_moment(
    clock: Clock,
    kept_error: type[Exception] | None = None,
    *,
    cache: AnswerCache | None = None,
    name: str = "",
    type_: Any = None,
) -> SharedAnswers[Any]:
    """Keep answers for half a minute, so that a page with many visitors costs no more than one with few.

    Args:
        clock: tells how old an answer is.
        kept_error: errors of this type are kept as well, so that nobody can start costly work again and again.
        cache: keeps them for all workers; None if this process serves alone.
        name: tells these answers from others in the cache.
        type_: of the answers.
    """
    cluster: ClusterAnswers[Any] | None = None
    if cache is not None:
        cluster = ClusterAnswers(cache, name, type_, MOMENT_SECONDS, kept_error, MOMENT_SECONDS)
    kept_errors = () if kept_error is None else (kept_error,)
    failures = Failures(kept_errors, TTLCache(_MAX_FAILURES, MOMENT_SECONDS, clock.monotonic))
    own_cache = TTLCache[Hashable, Any](MOMENT_BYTES, MOMENT_SECONDS, clock.monotonic, _written_size)
    return SharedAnswers(own_cache, failures=failures, cluster=cluster)


def _written_size(answer: object) -> int:
    return len(msgspec.json.encode(answer))

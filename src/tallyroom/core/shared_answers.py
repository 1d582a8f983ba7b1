"""Answers that are cached for a while; each is computed only once for all callers at the same time."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import Cache, TTLCache

from tallyroom.core.clock import Clock
from tallyroom.core.cluster_answers import AnswerCache, ClusterAnswers

SHORT_CACHE_SECONDS = 30
SHORT_CACHE_BYTES = 16_000_000
_MAX_CACHED_FAILURES = 10_000

Answer = TypeVar("Answer")


class FailureCache:
    """Errors worth caching, because another attempt would cost as much and fail again; by default, none is."""

    def __init__(
        self, error_types: tuple[type[Exception], ...], cache: Cache[Hashable, Exception] | None = None
    ) -> None:
        self._error_types = error_types
        self._cache = Cache[Hashable, Exception](0) if cache is None else cache

    def raise_cached(self, key: Hashable) -> None:
        """Raise the error cached for `key`, if any."""
        if error := self._cache.get(key):
            raise error.with_traceback(None)

    @contextmanager
    def cache_failure(self, key: Hashable) -> Iterator[None]:
        """Cache an error that the block raises under `key`, if it is of one of the types."""
        try:
            yield
        except self._error_types as error:
            self._cache[key] = error
            raise


class SharedAnswers(Generic[Answer]):
    """Answers, keyed by what they depend on; `cluster_answers` replaces both caches unless it is away.

    Unless `finishes_abandoned`, a computation is cancelled when no caller waits for it.
    """

    def __init__(
        self,
        cache: Cache[Hashable, Answer],
        *,
        finishes_abandoned: bool = True,
        failure_cache: "FailureCache | None" = None,
        cluster_answers: ClusterAnswers[Answer] | None = None,
    ) -> None:
        self._cache = cache
        self._failure_cache = failure_cache or FailureCache(())
        self._cluster_answers = cluster_answers
        self._finishes_abandoned = finishes_abandoned
        self._waiter_count_by_key: Counter[Hashable] = Counter()
        self._task_by_key: dict[Hashable, asyncio.Task[Answer]] = {}

    @property
    def running_count(self) -> int:
        """The number of answers that are being computed."""
        return len(self._task_by_key)

    def get_cached(self, key: Hashable) -> Answer | None:
        """Return the cached answer for `key`, or None."""
        return self._cache.get(key)

    async def get(self, key: Hashable, compute: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer for `key`, computed once: if the first caller is cancelled, the others still get it."""
        cluster_answers = (
            None if self._cluster_answers is None or self._cluster_answers.is_away else self._cluster_answers
        )
        if cluster_answers is None:
            answer = self._cache.get(key)
            if answer is not None:
                return answer
            self._failure_cache.raise_cached(key)
        task = self._task_by_key.get(key)
        if task is None or task.cancelling():
            computation = (
                self._compute(key, compute)
                if cluster_answers is None
                else cluster_answers.get(key, lambda: self._compute(key, compute))
            )
            task = asyncio.ensure_future(computation)
            self._task_by_key[key] = task
            task.add_done_callback(lambda answer_task: self._forget_task(key, answer_task))
        self._waiter_count_by_key[key] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiter_count_by_key[key] -= 1
            if not self._waiter_count_by_key[key]:
                del self._waiter_count_by_key[key]
                if not self._finishes_abandoned:
                    task.cancel()  # without effect when it is done

    async def _compute(self, key: Hashable, compute: Callable[[], Awaitable[Answer]]) -> Answer:
        with self._failure_cache.cache_failure(key):
            answer = await compute()
        with suppress(ValueError):  # the answer is larger than the whole cache
            self._cache[key] = answer
        return answer

    def _forget_task(self, key: Hashable, task: "asyncio.Task[Answer]") -> None:
        if self._task_by_key.get(key) is task:
            del self._task_by_key[key]
        if not task.cancelled():
            task.exception()  # marks it as retrieved, because all callers may have left


def build_short_lived_cache(
    clock: Clock,
    cached_error_type: type[Exception] | None = None,
    *,
    cache: AnswerCache | None = None,
    name: str = "",
    answer_type: Any = None,
) -> SharedAnswers[Any]:
    """Keep answers, and errors of `cached_error_type`, for half a minute; `cache` is shared by all workers."""
    cluster_answers: ClusterAnswers[Any] | None = None
    if cache is not None:
        cluster_answers = ClusterAnswers(
            cache, name, answer_type, SHORT_CACHE_SECONDS, cached_error_type, SHORT_CACHE_SECONDS
        )
    error_types = () if cached_error_type is None else (cached_error_type,)
    failure_cache = FailureCache(error_types, TTLCache(_MAX_CACHED_FAILURES, SHORT_CACHE_SECONDS, clock.monotonic))
    local_cache = TTLCache[Hashable, Any](SHORT_CACHE_BYTES, SHORT_CACHE_SECONDS, clock.monotonic, _json_byte_count)
    return SharedAnswers(local_cache, failure_cache=failure_cache, cluster_answers=cluster_answers)


def _json_byte_count(answer: object) -> int:
    return len(msgspec.json.encode(answer))

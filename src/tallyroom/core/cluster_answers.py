"""Answers that are the same for all workers: computed by one of them, and cached for a while for all."""

import hashlib
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

Answer = TypeVar("Answer")

_KEY_BYTES = 20


class CachedBody(msgspec.Struct, frozen=True, array_like=True):
    """A cached answer as JSON, or, if that is empty, an error's message."""

    answer: bytes = b""
    error: str = ""


class AnswerCache(Protocol):
    """Keeps answers for all workers; it may lose them at any time."""

    @property
    def is_away(self) -> bool:
        """Whether the cache does not answer, so that each worker computes for itself."""

    async def get(self, key: str, compute_body: Callable[[], Awaitable[tuple[bytes, float]]]) -> bytes:
        """Return the value under `key`, or what the first worker to ask computes, with its lifetime in seconds."""

    async def get_cached(self, key: str) -> bytes | None:
        """Return the value cached under `key`; None if there is none, or if the cache is away."""

    async def store(self, key: str, body: bytes, seconds: float) -> None:
        """Cache a value, unless the cache is away."""


class ClusterAnswers(Generic[Answer]):
    """Answers of one type, identified by `name`, for all workers; errors of `failure_type` are cached as well."""

    def __init__(  # what is kept, and for how long
        self,
        cache: AnswerCache,
        name: str,
        answer_type: Any,
        answer_seconds: float,
        failure_type: type[Exception] | None = None,
        failure_seconds: float = 0.0,
    ) -> None:
        self._cache = cache
        self._name = name
        self._decode: Callable[[bytes], Answer] = msgspec.json.Decoder(answer_type).decode
        self._answer_seconds = answer_seconds
        self._failure_type = failure_type
        self._failure_seconds = failure_seconds

    @property
    def is_away(self) -> bool:
        """Whether each worker computes for itself."""
        return self._cache.is_away

    async def get(self, key: Hashable, compute: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return all workers' answer for `key`: the cached one, or what one of them computes now."""
        computed_answers: list[Answer] = []

        async def compute_body() -> tuple[bytes, float]:
            try:
                answer = await compute()
            except Exception as error:
                if self._failure_type is None or not isinstance(error, self._failure_type):
                    raise
                return msgspec.msgpack.encode(CachedBody(error=str(error))), self._failure_seconds
            computed_answers.append(answer)
            return _encode_body(answer), self._answer_seconds

        body = msgspec.msgpack.decode(await self._cache.get(self._cache_key(key), compute_body), type=CachedBody)
        if not body.answer and self._failure_type is not None:
            raise self._failure_type(body.error)
        return computed_answers[0] if computed_answers else self._decode(body.answer)

    async def get_last(self, key: Hashable) -> Answer | None:
        """Return the last answer that any worker passed to `remember`; None if there is none."""
        body = await self._cache.get_cached(f"{self._cache_key(key)}:last")
        return None if body is None else self._decode(msgspec.msgpack.decode(body, type=CachedBody).answer)

    async def remember(self, key: Hashable, answer: Answer, seconds: float) -> None:
        """Share an answer with all workers, to show when there is no new one."""
        await self._cache.store(f"{self._cache_key(key)}:last", _encode_body(answer), seconds)

    def _cache_key(self, key: Hashable) -> str:
        encoded_key = msgspec.msgpack.encode(key, enc_hook=repr)
        return f"{self._name}:{hashlib.blake2b(encoded_key, digest_size=_KEY_BYTES).hexdigest()}"


def _encode_body(answer: object) -> bytes:
    return msgspec.msgpack.encode(CachedBody(answer=msgspec.json.encode(answer)))

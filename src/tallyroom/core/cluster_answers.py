"""Answers that are the same at every worker: computed by one of them, and kept for a while where all find them."""

import hashlib
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

Answer = TypeVar("Answer")

_KEY_BYTES = 20


class CachedBody(msgspec.Struct, frozen=True, array_like=True):
    """An answer as it is kept.

    Attributes:
        answer: the answer as JSON, which some answers hold in part already; empty if there is an error.
        error: the message of an error that a new attempt would only repeat; "" if there is an answer.
    """

    answer: bytes = b""
    error: str = ""


class AnswerCache(Protocol):
    """Keeps answers for all workers; it may lose them at any time."""

    @property
    def is_away(self) -> bool:
        """Whether it does not answer, so that each worker has to help itself."""

    async def get(self, key: str, compute_body: Callable[[], Awaitable[tuple[bytes, float]]]) -> bytes:
        """Return what is kept under `key`, or what the first worker that asks finds.

        Args:
            key: names what the answer depends on.
            compute_body: computes the body, and says for how many seconds to keep it.
        """

    async def get_cached(self, key: str) -> bytes | None:
        """Return what is kept under `key`; None if nothing is, or if the cache is away."""

    async def store(self, key: str, body: bytes, seconds: float) -> None:
        """Keep something, unless the cache is away."""


class ClusterAnswers(Generic[Answer]):
    """Answers of one type at all workers.

    Args:
        cache: keeps them.
        name: tells them from those of other types.
        answer_type: their type, which msgspec reads from JSON.
        answer_seconds: how long to keep an answer.
        failure_type: the type of errors that are kept and raised again, instead of trying anew.
        failure_seconds: how long to keep these.
    """

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
        """Whether each worker has to help itself."""
        return self._cache.is_away

    async def get(self, key: Hashable, compute: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer that all workers have for `key`: the kept one, or what one of them finds now."""
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
        """Return what `remember` was called with last at any worker; None if nothing is known of it."""
        body = await self._cache.get_cached(f"{self._cache_key(key)}:last")
        return None if body is None else self._decode(msgspec.msgpack.decode(body, type=CachedBody).answer)

    async def remember(self, key: Hashable, answer: Answer, seconds: float) -> None:
        """Let all workers know an answer that may be shown when there is no new one."""
        await self._cache.store(f"{self._cache_key(key)}:last", _encode_body(answer), seconds)

    def _cache_key(self, key: Hashable) -> str:
        encoded_key = msgspec.msgpack.encode(key, enc_hook=repr)
        return f"{self._name}:{hashlib.blake2b(encoded_key, digest_size=_KEY_BYTES).hexdigest()}"


def _encode_body(answer: object) -> bytes:
    return msgspec.msgpack.encode(CachedBody(answer=msgspec.json.encode(answer)))

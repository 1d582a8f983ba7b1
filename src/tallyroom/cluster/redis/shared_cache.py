"""Answers that all workers share: one worker computes an answer, and the others wait for it."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tallyroom.cluster.redis.server import LimitsServer, LimitsServerAway
from tallyroom.core.cluster_answers import AnswerCache
from tallyroom.core.peers import Peers

MAX_ANSWER_BYTES = 256_000  # a larger answer is not cached on the server, whose memory is for limits
CLAIM_SECONDS = 2.0  # how long other workers wait for one that ended while it computed an answer

_RENEW_SECONDS = CLAIM_SECONDS / 4
_POLL_SECONDS = 0.05
_ANSWER_STATE, _CLAIM_STATE = 1, 2


class SharedCache(AnswerCache):
    """Answers on the limits server. While it is away, each worker computes its own."""

    def __init__(self, server: LimitsServer, peers: Peers) -> None:
        self._server = server
        self._peers = peers
        self._claim_numbers = itertools.count(1)

    @property
    def is_away(self) -> bool:
        """Whether the server does not answer."""
        return self._server.is_away

    async def get(self, key: str, compute_body: Callable[[], Awaitable[tuple[bytes, float]]]) -> bytes:
        """Like `AnswerCache.get`."""
        answer_and_claim_key = _build_keys(key)
        claimant = f"{self._peers.worker_id()}-{next(self._claim_numbers)}"
        try:
            while True:
                state, body = await self._server.run_script(
                    "claim_answer", answer_and_claim_key, [claimant, round(CLAIM_SECONDS * 1000)]
                )
                if state == _ANSWER_STATE:
                    return bytes(body)
                if state == _CLAIM_STATE:
                    break
                await asyncio.sleep(_POLL_SECONDS)
        except LimitsServerAway:
            return (await compute_body())[0]
        return await self._compute_and_store(answer_and_claim_key, claimant, compute_body)

    async def get_cached(self, key: str) -> bytes | None:
        """Like `AnswerCache.get_cached`."""
        try:
            body: bytes | None = await self._server.read_value(_build_keys(key)[0])
        except LimitsServerAway:
            return None
        return body

    async def store(self, key: str, body: bytes, seconds: float) -> None:
        """Like `AnswerCache.store`."""
        await self._end_claim(_build_keys(key), "", body, seconds)

    async def _compute_and_store(
        self, answer_and_claim_key: list[str], claimant: str, compute_body: Callable[[], Awaitable[tuple[bytes, float]]]
    ) -> bytes:
        renew_task = asyncio.create_task(self._renew_claim(answer_and_claim_key[1], claimant))
        body, keep_seconds = b"", 0.0
        try:
            body, keep_seconds = await compute_body()
        finally:
            renew_task.cancel()
            await asyncio.shield(self._end_claim(answer_and_claim_key, claimant, body, keep_seconds))
        return body

    async def _end_claim(
        self, answer_and_claim_key: list[str], claimant: str, body: bytes, keep_seconds: float
    ) -> None:
        keep_ms = round(keep_seconds * 1000) if len(body) <= MAX_ANSWER_BYTES else 0
        with suppress(LimitsServerAway):  # the claim expires
            await self._server.run_script(
                "end_claim", answer_and_claim_key, [claimant, keep_ms, body if keep_ms else b""]
            )

    async def _renew_claim(self, claim_key: str, claimant: str) -> None:
        with suppress(LimitsServerAway):
            while True:
                await asyncio.sleep(_RENEW_SECONDS)
                await self._server.run_script("renew_claim", [claim_key], [claimant, round(CLAIM_SECONDS * 1000)])


def _build_keys(key: str) -> list[str]:
    """Return the keys of an answer and of the claim to compute it."""
    name = f"tallyroom:answer:{key}"
    return [name, f"{name}:claim"]

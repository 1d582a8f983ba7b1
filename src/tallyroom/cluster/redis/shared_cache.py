"""Answers that all workers share: one of them computes an answer, and the others wait for it."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tallyroom.cluster.redis.server import Away, LimitsServer
from tallyroom.core.cluster_answers import AnswerCache
from tallyroom.core.peers import Peers

MAX_BYTES = 256_000
"""A larger answer is not kept on the server, whose memory is for limits."""

CLAIM_SECONDS = 2.0
"""How long others wait for a worker that has ended while it computed an answer."""

_RENEW_SECONDS = CLAIM_SECONDS / 4
_LOOK_SECONDS = 0.05
_ANSWER, _CLAIM = 1, 2


class SharedCache(AnswerCache):
    """Answers on the server of the limits. While it is away, each worker computes its own.

    Args:
        server: has the answers.
        peers: the workers, of which this is one.
    """

    def __init__(self, server: LimitsServer, peers: Peers) -> None:
        self._server = server
        self._peers = peers
        self._number = itertools.count(1)

    @property
    def is_away(self) -> bool:
        """Whether the server does not answer."""
        return self._server.is_away

    async def get(self, key: str, find: Callable[[], Awaitable[tuple[bytes, float]]]) -> bytes:
        """Like `AnswerCache.get`."""
        keys = _keys_of(key)
        claimant = f"{self._peers.name()}-{next(self._number)}"
        try:
            while True:
                state, body = await self._server.run("claim_answer", keys, [claimant, round(CLAIM_SECONDS * 1000)])
                if state == _ANSWER:
                    return bytes(body)
                if state == _CLAIM:
                    break
                await asyncio.sleep(_LOOK_SECONDS)
        except Away:
            return (await find())[0]
        return await self._computed(keys, claimant, find)

    async def kept(self, key: str) -> bytes | None:
        """Like `AnswerCache.kept`."""
        try:
            body: bytes | None = await self._server.value_of(_keys_of(key)[0])
        except Away:
            return None
        return body

    async def keep(self, key: str, body: bytes, seconds: float) -> None:
        """Like `AnswerCache.keep`."""
        await self._end(_keys_of(key), "", body, seconds)

    async def _computed(
        self, keys: list[str], claimant: str, find: Callable[[], Awaitable[tuple[bytes, float]]]
    ) -> bytes:
        renewing = asyncio.create_task(self._renew(keys[1], claimant))
        body, seconds = b"", 0.0
        try:
            body, seconds = await find()
        finally:
            renewing.cancel()
            await asyncio.shield(self._end(keys, claimant, body, seconds))
        return body

    async def _end(self, keys: list[str], claimant: str, body: bytes, seconds: float) -> None:
        kept_ms = round(seconds * 1000) if len(body) <= MAX_BYTES else 0
        with suppress(Away):  # the claim ends by itself
            await self._server.run("end_claim", keys, [claimant, kept_ms, body if kept_ms else b""])

    async def _renew(self, claim: str, claimant: str) -> None:
        with suppress(Away):
            while True:
                await asyncio.sleep(_RENEW_SECONDS)
                await self._server.run("renew_claim", [claim], [claimant, round(CLAIM_SECONDS * 1000)])


def _keys_of(key: str) -> list[str]:
    """Return the names of an answer and of the claim to compute it."""
    name = f"tallyroom:answer:{key}"
    return [name, f"{name}:claim"]

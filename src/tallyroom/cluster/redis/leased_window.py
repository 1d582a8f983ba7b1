"""A rate limit that all workers share, by permits that each fetches a few at a time (rules/events#rate)."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from tallyroom.cluster.redis.server import Away, LimitsServer
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Window
from tallyroom.storage.limits.sliding_window import SlidingWindow, used_up

LEASE_SECONDS = 1.0
"""How long a permit may be used, from when it was asked for. The script counts on it."""

_MAX_PERMITS = 64
_MAX_CLIENTS = 1000  # in one script


@dataclass(slots=True)
class _Permits:
    """What one worker holds for one client.

    Attributes:
        left: permits that nobody has used.
        second: the server's second that they count in.
        dies_at: when they can no longer be used, or when the server may be asked again after a refusal.
        more_at: when the client may come back, if it was refused.
        lease_size: how many to ask for next time.
        waiting: requests that wait.
        lease: the question to the server, while it is under way.
    """

    left: int = 0
    second: int = 0
    dies_at: float = 0.0
    more_at: float = 0.0
    lease_size: int = 0
    waiting: int = 0
    lease: asyncio.Task[None] | None = None


class LeasedWindow(Window):
    """Counts on the server; while the server is away, in this process, with this worker's share of the limit.

    Args:
        name: the name of the limit in the RateLimit headers and on the server.
        limit_per_minute: the number of requests that a client may make in any 60 seconds; 0 turns the limit off.
        server: has the counts.
        clock: provides the monotonic time.
        peers: the workers that share the limit.
        refusal: the error raised once a client has used up its requests.
        on_fallback: called for each request that is judged by this process alone.
    """

    def __init__(  # what a limit is made of
        self,
        name: str,
        limit_per_minute: int,
        server: LimitsServer,
        clock: Clock,
        peers: Peers,
        refusal: type[RateLimited],
        on_fallback: Callable[[], None],
    ) -> None:
        self._name = name
        self._limit = limit_per_minute
        self._server = server
        self._clock = clock
        self._peers = peers
        self._refusal = refusal
        self._on_fallback = on_fallback
        self._local = SlidingWindow(name, limit_per_minute, clock, refusal)
        self._permits: dict[str, _Permits] = {}
        self._tidying: asyncio.Task[None] | None = None

    def admit_at_once(self, client: str) -> bool:
        """Use a permit that is at hand; return False if the server has to be asked for more."""
        if not self._limit:
            return True
        if self._server.is_away:
            self._on_fallback()
            self._local.limit = max(1, self._limit // self._peers.count())
            return self._local.admit_at_once(client)
        permits, now = self._permits.get(client), self._clock.monotonic()
        if permits is None or now >= permits.dies_at:
            return False
        if permits.left:
            permits.left -= 1
            return True
        if permits.more_at:
            raise used_up(self._refusal, self._name, self._limit, math.ceil(permits.more_at - now))
        return False

    async def admit(self, client: str) -> None:
        """Use a permit, and wait for one if none is at hand."""
        while not self.admit_at_once(client):
            permits = self._permits.setdefault(client, _Permits())
            permits.waiting += 1
            try:
                if permits.lease is None:
                    permits.lease = asyncio.get_running_loop().create_task(self._lease(client, permits))
                await asyncio.shield(permits.lease)
            finally:
                permits.waiting -= 1

    async def close(self) -> None:
        """Give back what is left."""
        if self._tidying is not None:
            self._tidying.cancel()
            with suppress(asyncio.CancelledError):
                await self._tidying
        await self._give_back(list(self._permits.items()))

    async def _lease(self, client: str, permits: _Permits) -> None:
        """Ask the server for permits; those at hand have died, or there are none."""
        await asyncio.sleep(0)  # requests of the same turn are granted together
        asked_at, left = self._clock.monotonic(), permits.left
        permits.lease_size = max(1, permits.lease_size // 2 if left else min(2 * permits.lease_size, _MAX_PERMITS))
        permits.left, permits.more_at = 0, 0.0
        parts = (self._limit, self._peers.count(), max(1, permits.waiting), permits.lease_size, permits.second, left)
        try:
            count, permits.second, wait = await self._server.run("lease", [self._key(client)], parts)
            permits.left, permits.dies_at = count, asked_at + LEASE_SECONDS
            permits.more_at = 0.0 if count else asked_at + wait
        except Away:
            permits.dies_at = 0.0
        finally:
            permits.lease = None
            self._tidy_later()

    def _tidy_later(self) -> None:
        if self._tidying is None:
            self._tidying = asyncio.get_running_loop().create_task(self._tidy())

    async def _tidy(self) -> None:
        """Give back what has died, and forget clients that are silent, until there are none."""
        while self._permits:
            await asyncio.sleep(LEASE_SECONDS)
            now = self._clock.monotonic()
            dead = [
                (client, permits)
                for client, permits in self._permits.items()
                if now >= permits.dies_at and not permits.waiting
            ]
            for client, _ in dead:
                del self._permits[client]
            await self._give_back(dead)
        self._tidying = None

    async def _give_back(self, clients: list[tuple[str, _Permits]]) -> None:
        leftovers = [(self._key(client), permits) for client, permits in clients if permits.left]
        for start in range(0, len(leftovers), _MAX_CLIENTS):
            chunk = leftovers[start : start + _MAX_CLIENTS]
            parts = [part for _, permits in chunk for part in (permits.second, permits.left)]
            with suppress(Away):  # then they stay counted
                await self._server.run("give_back", [key for key, _ in chunk], parts)

    def _key(self, client: str) -> str:
        return f"tallyroom:rate:{self._name}:{client}"

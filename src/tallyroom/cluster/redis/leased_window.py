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

_MOST_PERMITS = 64
_MOST_GIVEN_BACK = 1000  # clients in one script


@dataclass(slots=True)
class _Permits:
    """What one worker holds for one client.

    Attributes:
        left: permits that nobody has used.
        second: the server's second that they count in.
        dies_at: when they can no longer be used, or when the server may be asked again after a refusal.
        more_at: when the client may come back, if it was refused.
        liked: how many to ask for next time.
        needed: requests that wait.
        lease: the question to the server, while it is under way.
    """

    left: int = 0
    second: int = 0
    dies_at: float = 0.0
    more_at: float = 0.0
    liked: int = 0
    needed: int = 0
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
        self._held: dict[str, _Permits] = {}
        self._tidying: asyncio.Task[None] | None = None

    def admit_at_once(self, client: str) -> bool:
        """Use a permit that is at hand; return False if the server has to be asked for more."""
        if not self._limit:
            return True
        if self._server.is_away:
            self._on_fallback()
            self._local.limit = max(1, self._limit // self._peers.count())
            return self._local.admit_at_once(client)
        held, now = self._held.get(client), self._clock.monotonic()
        if held is None or now >= held.dies_at:
            return False
        if held.left:
            held.left -= 1
            return True
        if held.more_at:
            raise used_up(self._refusal, self._name, self._limit, math.ceil(held.more_at - now))
        return False

    async def admit(self, client: str) -> None:
        """Use a permit, and wait for one if none is at hand."""
        while not self.admit_at_once(client):
            held = self._held.setdefault(client, _Permits())
            held.needed += 1
            try:
                if held.lease is None:
                    held.lease = asyncio.get_running_loop().create_task(self._lease(client, held))
                await asyncio.shield(held.lease)
            finally:
                held.needed -= 1

    async def close(self) -> None:
        """Give back what is left."""
        if self._tidying is not None:
            self._tidying.cancel()
            with suppress(asyncio.CancelledError):
                await self._tidying
        await self._give_back(list(self._held.items()))

    async def _lease(self, client: str, held: _Permits) -> None:
        """Ask the server for permits; those at hand have died, or there are none."""
        await asyncio.sleep(0)  # requests of the same turn are granted together
        asked_at, left = self._clock.monotonic(), held.left
        held.liked = max(1, held.liked // 2 if left else min(2 * held.liked, _MOST_PERMITS))
        held.left, held.more_at = 0, 0.0
        parts = (self._limit, self._peers.count(), max(1, held.needed), held.liked, held.second, left)
        try:
            granted, held.second, wait = await self._server.run("lease", [self._key(client)], parts)
            held.left, held.dies_at = granted, asked_at + LEASE_SECONDS
            held.more_at = 0.0 if granted else asked_at + wait
        except Away:
            held.dies_at = 0.0
        finally:
            held.lease = None
            self._tidy_later()

    def _tidy_later(self) -> None:
        if self._tidying is None:
            self._tidying = asyncio.get_running_loop().create_task(self._tidy())

    async def _tidy(self) -> None:
        """Give back what has died, and forget clients that are silent, until there are none."""
        while self._held:
            await asyncio.sleep(LEASE_SECONDS)
            now = self._clock.monotonic()
            dead = [(client, held) for client, held in self._held.items() if now >= held.dies_at and not held.needed]
            for client, _ in dead:
                del self._held[client]
            await self._give_back(dead)
        self._tidying = None

    async def _give_back(self, held: list[tuple[str, _Permits]]) -> None:
        unused = [(self._key(client), permits) for client, permits in held if permits.left]
        for start in range(0, len(unused), _MOST_GIVEN_BACK):
            some = unused[start : start + _MOST_GIVEN_BACK]
            parts = [part for _, permits in some for part in (permits.second, permits.left)]
            with suppress(Away):  # then they stay counted
                await self._server.run("give_back", [key for key, _ in some], parts)

    def _key(self, client: str) -> str:
        return f"tallyroom:rate:{self._name}:{client}"

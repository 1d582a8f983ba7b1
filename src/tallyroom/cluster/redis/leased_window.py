"""A rate limit that all workers share. Each worker fetches a few permits at a time (rules/events#rate)."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from tallyroom.cluster.redis.server import LimitsServer, LimitsServerAway
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import RateLimit
from tallyroom.storage.limits.sliding_window import SlidingWindow, build_refusal

LEASE_SECONDS = 1.0  # how long a permit may be used after it was requested; the script relies on it

_MAX_PERMITS = 64
_MAX_CLIENTS_PER_SCRIPT = 1000


@dataclass(slots=True)
class _Permits:
    """What one worker holds for one client."""

    left_count: int = 0  # unused permits
    server_second: int = 0  # the second on the server's clock in which they count
    expires_at: float = 0.0  # when they expire, or when the server may be asked again after a refusal
    retry_at: float = 0.0  # when a refused client may come back
    lease_permit_count: int = 0  # how many to request next time
    waiting_request_count: int = 0
    lease_task: asyncio.Task[None] | None = None


class LeasedWindow(RateLimit):
    """Counts on the server; while the server is away, in this process, with this worker's share of the limit.

    `name` appears in the RateLimit headers and on the server. `limit_per_minute` is for any 60 seconds, 0 for no limit.
    `on_fallback` is called for each request that this process decides alone.
    """

    def __init__(
        self,
        name: str,
        limit_per_minute: int,
        server: LimitsServer,
        clock: Clock,
        peers: Peers,
        refusal_type: type[RateLimited],
        on_fallback: Callable[[], None],
    ) -> None:
        self._name = name
        self._limit_per_minute = limit_per_minute
        self._server = server
        self._clock = clock
        self._peers = peers
        self._refusal_type = refusal_type
        self._on_fallback = on_fallback
        self._local_window = SlidingWindow(name, limit_per_minute, clock, refusal_type)
        self._permits_by_client: dict[str, _Permits] = {}
        self._expiry_task: asyncio.Task[None] | None = None

    def admit_at_once(self, client: str) -> bool:
        """Use a permit that is available; return False if the server has to be asked for more."""
        if not self._limit_per_minute:
            return True
        if self._server.is_away:
            self._on_fallback()
            self._local_window.limit = max(1, self._limit_per_minute // self._peers.worker_count())
            return self._local_window.admit_at_once(client)
        permits, now = self._permits_by_client.get(client), self._clock.monotonic()
        if permits is None or now >= permits.expires_at:
            return False
        if permits.left_count:
            permits.left_count -= 1
            return True
        if permits.retry_at:
            retry_seconds = math.ceil(permits.retry_at - now)
            raise build_refusal(self._refusal_type, self._name, self._limit_per_minute, retry_seconds)
        return False

    async def admit(self, client: str) -> None:
        """Use a permit, and wait for one if none is available."""
        while not self.admit_at_once(client):
            permits = self._permits_by_client.setdefault(client, _Permits())
            permits.waiting_request_count += 1
            try:
                if permits.lease_task is None:
                    permits.lease_task = asyncio.get_running_loop().create_task(self._request_lease(client, permits))
                await asyncio.shield(permits.lease_task)
            finally:
                permits.waiting_request_count -= 1

    async def close(self) -> None:
        """Return unused permits to the server."""
        if self._expiry_task is not None:
            self._expiry_task.cancel()
            with suppress(asyncio.CancelledError):
                await self._expiry_task
        await self._give_back(list(self._permits_by_client.items()))

    async def _request_lease(self, client: str, permits: _Permits) -> None:
        """Request permits from the server, because there are none or they have expired."""
        await asyncio.sleep(0)  # combine the requests of one event-loop turn
        asked_at, leftover_count = self._clock.monotonic(), permits.left_count
        last_count = permits.lease_permit_count
        permits.lease_permit_count = max(1, last_count // 2 if leftover_count else min(2 * last_count, _MAX_PERMITS))
        permits.left_count, permits.retry_at = 0, 0.0
        arguments = (
            self._limit_per_minute,
            self._peers.worker_count(),
            max(1, permits.waiting_request_count),
            permits.lease_permit_count,
            permits.server_second,
            leftover_count,
        )
        try:
            permit_count, permits.server_second, wait_seconds = await self._server.run_script(
                "lease", [self._build_key(client)], arguments
            )
            permits.left_count, permits.expires_at = permit_count, asked_at + LEASE_SECONDS
            permits.retry_at = 0.0 if permit_count else asked_at + wait_seconds
        except LimitsServerAway:
            permits.expires_at = 0.0
        finally:
            permits.lease_task = None
            if self._expiry_task is None:
                self._expiry_task = asyncio.get_running_loop().create_task(self._expire_permits())

    async def _expire_permits(self) -> None:
        """Return expired permits and forget idle clients, until there are none."""
        while self._permits_by_client:
            await asyncio.sleep(LEASE_SECONDS)
            now = self._clock.monotonic()
            expired_permits = [
                (client, permits)
                for client, permits in self._permits_by_client.items()
                if now >= permits.expires_at and not permits.waiting_request_count
            ]
            for client, _ in expired_permits:
                del self._permits_by_client[client]
            await self._give_back(expired_permits)
        self._expiry_task = None

    async def _give_back(self, client_permits: list[tuple[str, _Permits]]) -> None:
        unused_permits = [
            (self._build_key(client), permits) for client, permits in client_permits if permits.left_count
        ]
        for start in range(0, len(unused_permits), _MAX_CLIENTS_PER_SCRIPT):
            chunk = unused_permits[start : start + _MAX_CLIENTS_PER_SCRIPT]
            arguments = [argument for _, permits in chunk for argument in (permits.server_second, permits.left_count)]
            with suppress(LimitsServerAway):  # the permits stay counted
                await self._server.run_script("give_back", [key for key, _ in chunk], arguments)

    def _build_key(self, client: str) -> str:
        return f"tallyroom:rate:{self._name}:{client}"

"""The limits of one of several workers."""

from contextlib import AsyncExitStack

from tallyroom.cluster.redis.leased_window import LeasedWindow
from tallyroom.cluster.redis.server import LimitsServer
from tallyroom.cluster.redis.shared_attempts import SharedAttempts
from tallyroom.cluster.redis.shared_cache import SharedCache
from tallyroom.cluster.redis.shared_entries import SharedEntries
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Limits


class SharedLimits(Limits):
    """Limits that hold across all workers, no matter which of them a client reaches."""

    def __init__(self, dsn: str, clock: Clock, peers: Peers) -> None:
        self._server = LimitsServer(dsn)
        self._clock = clock
        self._peers = peers
        self._exit_stack = AsyncExitStack()
        self._exit_stack.push_async_callback(self._server.close)

    @property
    def is_away(self) -> bool:
        """Whether this process decides alone, because the server does not answer."""
        return self._server.is_away

    def create_rate_limit(
        self, name: str, limit_per_minute: int, refusal_type: type[RateLimited] = RateLimited
    ) -> LeasedWindow:
        """Return a rate limit."""
        server, clock, peers, on_fallback = self._server, self._clock, self._peers, self._note_fallback
        rate_limit = LeasedWindow(name, limit_per_minute, server, clock, peers, refusal_type, on_fallback)
        self._exit_stack.push_async_callback(rate_limit.close)
        return rate_limit

    def create_attempt_limits(self) -> SharedAttempts:
        """Return the limits on attempts."""
        return SharedAttempts(self._server, self._clock, self._peers, self._note_fallback)

    def create_newest_entries(self, name: str, max_entries: int) -> SharedEntries:
        """Return lists of at most `max_entries` entries for each topic."""
        entries = SharedEntries(name, max_entries, self._server)
        self._exit_stack.push_async_callback(entries.close)
        return entries

    def answer_cache(self) -> SharedCache:
        """Return the cache that all workers share."""
        return SharedCache(self._server, self._peers)

    async def close(self) -> None:
        """Write pending entries, return unused permits, and close all connections."""
        await self._exit_stack.aclose()

    def _note_fallback(self) -> None:
        self.fallback_count += 1

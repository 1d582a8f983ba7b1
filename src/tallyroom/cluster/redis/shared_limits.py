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
    """Limits that hold over all workers, whichever of them a client reaches.

    Args:
        dsn: the server.
        clock: provides the monotonic time.
        peers: the workers that share the limits.

    Raises:
        TallyroomError: `dsn` names no Redis or Valkey server.
    """

    def __init__(self, dsn: str, clock: Clock, peers: Peers) -> None:
        self._server = LimitsServer(dsn)
        self._clock = clock
        self._peers = peers
        self._closing = AsyncExitStack()
        self._closing.push_async_callback(self._server.close)

    @property
    def is_away(self) -> bool:
        """Whether this process judges alone, because the server does not answer."""
        return self._server.is_away

    def window(self, name: str, limit_per_minute: int, refusal: type[RateLimited] = RateLimited) -> LeasedWindow:
        """Return a rate limit."""
        window = LeasedWindow(
            name, limit_per_minute, self._server, self._clock, self._peers, refusal, self._note_fallback
        )
        self._closing.push_async_callback(window.close)
        return window

    def attempts(self) -> SharedAttempts:
        """Return the limits on attempts."""
        return SharedAttempts(self._server, self._clock, self._peers, self._note_fallback)

    def newest_entries(self, name: str, keep: int) -> SharedEntries:
        """Return lists of at most `keep` entries for each topic."""
        entries = SharedEntries(name, keep, self._server)
        self._closing.push_async_callback(entries.close)
        return entries

    def answers(self) -> SharedCache:
        """Return what keeps answers for all workers."""
        return SharedCache(self._server, self._peers)

    async def close(self) -> None:
        """Write what waits, give back what is left, and close all connections."""
        await self._closing.aclose()

    def _note_fallback(self) -> None:
        self.fallbacks += 1

"""Limits on attempts that all workers share (rules/people#guessing)."""

from collections.abc import Awaitable, Callable, Iterable

from tallyroom.cluster.redis.server import Away, LimitsServer, Part
from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Attempt, Attempts
from tallyroom.storage.limits.local import LocalAttempts


class SharedAttempts(Attempts):
    """Leaky buckets on the server; while it is away, in this process, where an attempt counts once for each worker.

    What makes a limit less strict is noted in this process, too.

    Args:
        server: has the buckets.
        clock: provides the monotonic time.
        peers: the workers that share the buckets.
        on_fallback: called for each request that is judged by this process alone.
    """

    def __init__(self, server: LimitsServer, clock: Clock, peers: Peers, on_fallback: Callable[[], None]) -> None:
        self._server = server
        self._peers = peers
        self._local = LocalAttempts(clock)
        self._on_fallback = on_fallback

    async def take(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts, or none."""
        parts: list[Part] = []
        for attempt in attempts:
            parts += (attempt.allotment.size, attempt.allotment.seconds)
        try:
            number, wait = await self._server.run("take_attempts", _keys(attempts), parts)
        except Away:
            self._on_fallback()
            self._local.sharers = self._peers.count()
            return await self._local.take(*attempts)
        return (attempts[number - 1], float(wait)) if number else None

    async def give_back(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""
        await self._local.give_back(attempt)
        await _at_best(self._server.run("give_back_attempt", _keys([attempt]), [attempt.allotment.seconds]))

    async def clear(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""
        await self._local.clear(*attempts)
        await _at_best(self._server.run("clear_attempts", _keys(attempts)))


def _keys(attempts: Iterable[Attempt]) -> list[str]:
    return [f"tallyroom:attempts:{attempt.allotment.name}:{attempt.key.hex()}" for attempt in attempts]


async def _at_best(call: Awaitable[object]) -> None:
    """Wait for what may fail: a limit then stays stricter than it has to be."""
    try:
        await call
    except Away:
        return

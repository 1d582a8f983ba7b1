"""Limits on attempts that all workers share (rules/people#guessing)."""

from collections.abc import Awaitable, Callable, Iterable

from tallyroom.cluster.redis.server import LimitsServer, LimitsServerAway, ScriptArgument
from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Attempt, AttemptLimits
from tallyroom.storage.limits.local import LocalAttemptLimits


class SharedAttempts(AttemptLimits):
    """Leaky buckets on the server; while it is away, in this process, where an attempt counts once for each worker.

    Whatever loosens a limit is also recorded in this process. `on_fallback` is called for each request that this
    process decides alone.
    """

    def __init__(self, server: LimitsServer, clock: Clock, peers: Peers, on_fallback: Callable[[], None]) -> None:
        self._server = server
        self._peers = peers
        self._local_attempts = LocalAttemptLimits(clock)
        self._on_fallback = on_fallback

    async def count_attempts(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts, or none; see `AttemptLimits.count_attempts`."""
        arguments: list[ScriptArgument] = []
        for attempt in attempts:
            arguments += (attempt.allotment.burst, attempt.allotment.leak_seconds)
        try:
            attempt_number, wait_seconds = await self._server.run_script(
                "take_attempts", _build_keys(attempts), arguments
            )
        except LimitsServerAway:
            self._on_fallback()
            self._local_attempts.process_count = self._peers.worker_count()
            return await self._local_attempts.count_attempts(*attempts)
        return (attempts[attempt_number - 1], float(wait_seconds)) if attempt_number else None

    async def undo_attempt(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""
        await self._local_attempts.undo_attempt(attempt)
        await _ignore_away(
            self._server.run_script("give_back_attempt", _build_keys([attempt]), [attempt.allotment.leak_seconds])
        )

    async def clear_attempts(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""
        await self._local_attempts.clear_attempts(*attempts)
        await _ignore_away(self._server.run_script("clear_attempts", _build_keys(attempts)))


def _build_keys(attempts: Iterable[Attempt]) -> list[str]:
    return [f"tallyroom:attempts:{attempt.allotment.name}:{attempt.key.hex()}" for attempt in attempts]


async def _ignore_away(request: Awaitable[object]) -> None:
    """Wait for a request that may fail: a limit then stays stricter than it has to be."""
    try:
        await request
    except LimitsServerAway:
        return

"""Limits on attempts that all workers share (rules/people#guessing)."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from tallyroom.cluster.redis.server import LimitsServer, LimitsServerAway
from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Attempt, AttemptLimits
from tallyroom.storage.limits.local import LocalAttemptLimits


class SharedAttempts(AttemptLimits):
    """Leaky buckets on the server; while it is away, in this process, where an attempt counts once for each worker.

    Anything that loosens a limit is also recorded in this process.
    """

    def __init__(self, server: LimitsServer, clock: Clock, peers: Peers, on_fallback: Callable[[], None]) -> None:
        self._server = server
        self._peers = peers
        self._local_attempts = LocalAttemptLimits(clock)
        self._on_fallback = on_fallback

    async def count_attempts(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts, or none; see `AttemptLimits.count_attempts`."""
        allotments = [attempt.allotment for attempt in attempts]
        arguments = [value for allotment in allotments for value in (allotment.burst, allotment.leak_seconds)]
        try:
            reply = await self._server.run_script("take_attempts", _build_keys(attempts), arguments)
        except LimitsServerAway:
            self._on_fallback()
            self._local_attempts.process_count = self._peers.worker_count()
            return await self._local_attempts.count_attempts(*attempts)
        attempt_number, wait_seconds = reply
        return (attempts[attempt_number - 1], float(wait_seconds)) if attempt_number else None

    async def undo_attempt(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""
        await self._local_attempts.undo_attempt(attempt)
        keys, arguments = _build_keys([attempt]), [attempt.allotment.leak_seconds]
        with suppress(LimitsServerAway):  # the limit then stays stricter than it has to be
            await self._server.run_script("give_back_attempt", keys, arguments)

    async def clear_attempts(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""
        await self._local_attempts.clear_attempts(*attempts)
        with suppress(LimitsServerAway):  # as above
            await self._server.run_script("clear_attempts", _build_keys(attempts))


def _build_keys(attempts: Iterable[Attempt]) -> list[str]:
    return [f"tallyroom:attempts:{attempt.allotment.name}:{attempt.key.hex()}" for attempt in attempts]

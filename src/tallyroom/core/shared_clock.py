"""The clock by which workers on several hosts agree which one does what, and until when."""

from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers

MAX_CLOCK_SKEW_MS: Final = 5_000
"""The most that this clock may differ between two workers: the time that an answer of the database may take."""


class SharedClock:
    """The database's clock, if there is one; otherwise the machine's."""

    def __init__(self, clock: Clock, peers: Peers) -> None:
        self._clock = clock
        self._peers = peers

    def ahead_ms(self) -> int:
        """Return how many ms the machine's clock is ahead of the database's; negative if behind, 0 if unknown."""
        database_ms = self._peers.now_ms()
        return 0 if database_ms is None else self._clock.now_ms() - database_ms

    def now_ms(self) -> int:
        """Wall clock in milliseconds since 1970-01-01 UTC."""
        database_ms = self._peers.now_ms()
        return self._clock.now_ms() if database_ms is None else database_ms

    def monotonic(self) -> float:
        """Monotonic time of this machine in seconds."""
        return self._clock.monotonic()

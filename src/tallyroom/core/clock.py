"""The injected clock: nothing else in the project reads the machine's time."""

import time
from typing import Protocol


class Clock(Protocol):
    """The interface through which components read the time."""

    def now_ms(self) -> int:
        """Wall clock in milliseconds since 1970-01-01 UTC."""

    def monotonic(self) -> float:
        """Monotonic time in seconds, for limits, timeouts and durations."""


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Wall clock in milliseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Monotonic time in seconds."""
        return time.monotonic()

"""The time, injected: nothing else in the project asks the machine what time it is."""

import time
from typing import Protocol


class Clock(Protocol):
    """What a component may know about time."""

    def now_ms(self) -> int:
        """Wall clock in milliseconds since 1970-01-01 UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go backwards; for limits, timeouts and durations."""
        ...


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Wall clock in milliseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go backwards."""
        return time.monotonic()

"""The clock that every part is given."""

import time
from typing import Protocol


class Clock(Protocol):
    """Wall time in milliseconds since 1970, and seconds that only move forward."""

    def now_ms(self) -> int:
        """Return the wall time."""
        ...

    def monotonic(self) -> float:
        """Return the seconds."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        """Return the wall time."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return the seconds since an arbitrary moment."""
        return time.monotonic()

"""The times of events: read from the clock once for each event, and never before the previous one."""

import time
from collections.abc import Callable


def iso_time(moment_ms: int) -> str:
    """Return milliseconds since 1970 as ``2026-11-20T12:00:00.000Z``."""
    second, millisecond = divmod(moment_ms, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(second))}.{millisecond:03}Z"


class Timestamps:
    """Gives each event its time. The caller holds the lock that also decides the order of events."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._newest_ms = 0
        self._second = -1
        self._second_text = ""

    def next(self) -> str:
        """Return the current time, or the previous event's if the clock was set back."""
        self._newest_ms = max(self._now_ms(), self._newest_ms)
        second, millisecond = divmod(self._newest_ms, 1000)
        if second != self._second:
            self._second = second
            self._second_text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        return f"{self._second_text}.{millisecond:03}Z"

"""Releases the memory of a flood of requests, which neither Python nor the C library does by itself."""

import asyncio
import ctypes
import gc
from collections.abc import Callable, Sequence
from typing import Final

DELAYS_SECONDS: Final = (1.0, 5.0, 20.0)  # the waits before each attempt: the tasks that answer a flood end gradually


class MemoryRelief:
    """Triggers the release of memory, no more often than it helps; used only on the event loop."""

    def __init__(self, release_memory: Callable[[], object], delays_seconds: Sequence[float] = DELAYS_SECONDS) -> None:
        self._release_memory = release_memory
        self._delays_seconds = delays_seconds
        self._remaining_delays: list[float] = []
        self._timer: asyncio.TimerHandle | None = None

    def schedule(self) -> None:
        """Release memory after a moment, and again later; calling this again restarts the later times."""
        first_delay, *self._remaining_delays = self._delays_seconds
        if self._timer is None:
            self._start_timer(first_delay)

    def _start_timer(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._release_now)

    def _release_now(self) -> None:
        self._timer = None
        asyncio.get_running_loop().run_in_executor(None, self._release_memory)
        if self._remaining_delays:
            self._start_timer(self._remaining_delays.pop(0))


def release_memory() -> None:
    """Collect garbage, and return free pages to the system if the C library can (glibc)."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def freeze_objects() -> None:
    """Exclude all current objects from garbage collections: with 50,000 bots, each would block for 0.1 seconds."""
    gc.collect(1)
    gc.freeze()

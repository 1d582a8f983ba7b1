"""Gives back the memory that a flood of requests took, which neither Python nor the C library does on its own."""

import asyncio
import ctypes
import gc
from collections.abc import Callable, Sequence
from typing import Final

DELAYS_SECONDS: Final = (1.0, 5.0, 20.0)
"""How long to wait before each attempt: the tasks that answer a flood end little by little."""


class MemoryRelief:
    """Triggers giving memory back, no more often than it helps; used only on the event loop.

    Args:
        release_memory: gives memory back; called in a thread.
        delays_seconds: how long to wait before each call.
    """

    def __init__(self, release_memory: Callable[[], object], delays_seconds: Sequence[float] = DELAYS_SECONDS) -> None:
        self._release_memory = release_memory
        self._delays_seconds = delays_seconds
        self._remaining_delays: list[float] = []
        self._timer: asyncio.TimerHandle | None = None

    def schedule(self) -> None:
        """Give memory back after a moment, and again later; calling this again restarts the later times."""
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
    """Collect garbage, and return free pages to the system where the C library can (glibc)."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def freeze_objects() -> None:
    """Take everything that is in memory now out of later searches for garbage.

    With the half million objects of 50,000 bots, each search of everything holds up the event loop for a tenth of a
    second. What is no longer used is freed all the same, unless its parts refer to each other in a circle: such garbage
    is looked for now among young objects, where it usually is, and stays in memory if it is older.
    """
    gc.collect(1)
    gc.freeze()

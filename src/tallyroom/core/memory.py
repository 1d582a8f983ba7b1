"""Gives the memory back that a flood of requests took: neither Python nor the C library does it by itself."""

import asyncio
import ctypes
import gc
from collections.abc import Callable
from typing import Final

SETTLE_SECONDS: Final = 1.0
"""How long after a flood, so that what answered it has ended."""


class Relief:
    """Asks for memory to be given back, not more often than it helps; used on the event loop only.

    Args:
        give_back: does it, in a thread.
        seconds: how long after it was asked for.
    """

    def __init__(self, give_back: Callable[[], object], seconds: float = SETTLE_SECONDS) -> None:
        self._give_back = give_back
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def soon(self) -> None:
        """Give memory back after a moment."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._now)

    def _now(self) -> None:
        self._timer = None
        asyncio.get_running_loop().run_in_executor(None, self._give_back)


def give_back() -> None:
    """Collect garbage, and return free pages to the system where the C library can (glibc)."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

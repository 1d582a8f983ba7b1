"""Gives the memory back that a flood of requests took: neither Python nor the C library does it by itself."""

import asyncio
import ctypes
import gc
from collections.abc import Callable, Sequence
from typing import Final

AFTER_SECONDS: Final = (1.0, 5.0, 20.0)
"""How long to wait before each time: what answered a flood ends little by little."""


class Relief:
    """Has memory given back, not more often than it helps; used on the event loop only.

    Args:
        give_back: does it, in a thread.
        after_seconds: how long to wait before it, each time.
    """

    def __init__(self, give_back: Callable[[], object], after_seconds: Sequence[float] = AFTER_SECONDS) -> None:
        self._give_back = give_back
        self._after_seconds = after_seconds
        self._left: list[float] = []
        self._timer: asyncio.TimerHandle | None = None

    def soon(self) -> None:
        """Give memory back after a moment, and again later; to ask once more begins the later ones anew."""
        first, *self._left = self._after_seconds
        if self._timer is None:
            self._wait(first)

    def _wait(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._now)

    def _now(self) -> None:
        self._timer = None
        asyncio.get_running_loop().run_in_executor(None, self._give_back)
        if self._left:
            self._wait(self._left.pop(0))


def give_back() -> None:
    """Collect garbage, and return free pages to the system where the C library can (glibc)."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

"""Runs work that takes more than a few milliseconds outside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from tallyroom.core.errors import Unavailable

P = ParamSpec("P")
R = TypeVar("R")

_RETRY_AFTER_SECONDS = 1


class SideThread:
    """One thread for one kind of work, so that a client who sends a lot of it delays only this kind."""

    def __init__(self, name: str, max_waiting: int) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._max_waiting = max_waiting
        self._waiting_count = 0

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run `work` in the thread and return its result; raises `Unavailable` if too many jobs are waiting."""
        if self._waiting_count >= self._max_waiting:
            raise Unavailable("Too many requests are queued. Try again shortly.", _RETRY_AFTER_SECONDS)
        self._waiting_count += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(*args, **kwargs))
        finally:
            self._waiting_count -= 1

    async def close(self) -> None:
        """Wait for the current job; jobs that have not begun are cancelled."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)

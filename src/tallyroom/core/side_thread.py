"""Work that takes more than a few milliseconds, beside the event loop, which has others to serve meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from tallyroom.core.errors import Unavailable

P = ParamSpec("P")
R = TypeVar("R")

_RETRY_AFTER = 1


class SideThread:
    """One thread for one kind of work. So whoever sends a lot of it waits for themselves, and for nobody else.

    One, because it is work in Python: a second thread would get nothing done sooner, and the event loop would have to
    wait for both.

    Args:
        name: of the thread.
        most_waiting: work that may wait for it.
    """

    def __init__(self, name: str, most_waiting: int) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What `work` returns.

        Raises:
            Unavailable: too much waits.
        """
        if self._waiting >= self._most_waiting:
            raise Unavailable("Too many others wait for the same. Ask again.", _RETRY_AFTER)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(*args, **kwargs))
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Wait for what is being done; what has not begun is given up."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)

"""Whether the client of a request still waits for the answer; work that is worthless without it can be given up."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PRESENCE_KEY = "presence"
"""Where the state of a request has its `Presence`."""


class Presence:
    """The presence of one client; used on one event loop."""

    def __init__(self) -> None:
        self._has_left = False
        self._dependent_tasks: set[asyncio.Task[Any]] = set()

    def leave(self) -> None:
        """Note that the client has left, and cancel every task that requires it."""
        self._has_left = True
        for task in self._dependent_tasks:
            task.cancel()

    @contextmanager
    def cancel_on_leave(self) -> Iterator[None]:
        """Cancel the current task when the client leaves during a block, or has left before."""
        task = asyncio.current_task()
        if self._has_left or task is None:
            raise asyncio.CancelledError
        self._dependent_tasks.add(task)
        try:
            yield
        finally:
            self._dependent_tasks.discard(task)

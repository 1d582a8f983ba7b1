"""Whether a request's client still waits for the answer; if not, work that only it needs can be cancelled."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PRESENCE_KEY = "presence"
"""The key of the `Presence` in the state of a request."""


class Presence:
    """The presence of one client; used on one event loop."""

    def __init__(self) -> None:
        self._has_left = False
        self._dependent_tasks: set[asyncio.Task[Any]] = set()

    def leave(self) -> None:
        """Record that the client has left, and cancel every task that requires it."""
        self._has_left = True
        for task in self._dependent_tasks:
            task.cancel()

    @contextmanager
    def cancel_on_leave(self) -> Iterator[None]:
        """Cancel the current task if the client leaves during a block, or has left before."""
        task = asyncio.current_task()
        if self._has_left or task is None:
            raise asyncio.CancelledError
        self._dependent_tasks.add(task)
        try:
            yield
        finally:
            self._dependent_tasks.discard(task)

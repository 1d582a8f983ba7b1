"""The reserve of a parent: a process that has loaded the program before any worker needs it.

Loading is most of a start, so a worker that ended serves again much sooner.
"""

import asyncio
import signal
from collections.abc import Sequence

from tallyroom.server.workers.child_process import ChildProcess

_FILL_SECONDS = 2.0


class Reserve:
    """At most one child without an assignment; `descriptors` are for any assignment."""

    def __init__(self, command: Sequence[str], descriptors: Sequence[int]) -> None:
        self._command = command
        self._descriptors = descriptors
        self._child: ChildProcess | None = None
        self._fill_timer: asyncio.TimerHandle | None = None

    def fill_soon(self) -> None:
        """Start a child in reserve after a moment, so that it does not compete with workers that start."""
        if self._fill_timer is not None:
            self._fill_timer.cancel()
        self._fill_timer = asyncio.get_running_loop().call_later(_FILL_SECONDS, self._fill)

    def _fill(self) -> None:
        if self._child is None or self._child.end_task.done():
            self._child = self._start_child()

    def take_child(self) -> ChildProcess:
        """Return the child in reserve, or a new one if there is none."""
        child, self._child = self._child, None
        return self._start_child() if child is None or child.end_task.done() else child

    async def empty(self) -> None:
        """End the child in reserve, as when the program may have changed."""
        if self._fill_timer is not None:
            self._fill_timer.cancel()
        child, self._child = self._child, None
        if child is not None:
            child.send_signal(signal.SIGKILL)
            await child.end_task

    def _start_child(self) -> ChildProcess:
        return ChildProcess(self._command, self._descriptors)

"""The reserve of a parent: a process that has loaded the program before any worker needs it.

Loading is most of a start, so a worker that ended serves again much sooner.
"""

import signal
from collections.abc import Sequence

from tallyroom.server.workers.child_process import ChildProcess


class Reserve:
    """At most one child without an assignment; `descriptors` are for any assignment."""

    def __init__(self, command: Sequence[str], descriptors: Sequence[int]) -> None:
        self._command = command
        self._descriptors = descriptors
        self._child: ChildProcess | None = None

    def fill(self) -> None:
        """Start a child in reserve, unless there is one."""
        if self._child is None or self._child.end_task.done():
            self._child = self._start_child()

    def take_child(self) -> ChildProcess:
        """Return the child in reserve, or a new one if there is none."""
        child, self._child = self._child, None
        return self._start_child() if child is None or child.end_task.done() else child

    async def empty(self) -> None:
        """End the child in reserve, as when the program may have changed."""
        child, self._child = self._child, None
        if child is not None:
            child.send_signal(signal.SIGKILL)
            await child.end_task

    def _start_child(self) -> ChildProcess:
        return ChildProcess(self._command, self._descriptors)

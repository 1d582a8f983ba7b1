"""The reserve of a parent: processes that have loaded the program before any worker needs them.

Loading is most of a start, so a worker that ended serves again much sooner.
"""

import asyncio
import signal
from collections.abc import Sequence

from tallyroom.server.workers.child_process import ChildProcess

_FILL_SECONDS = 2.0
_MAX_SIZE = 2  # more workers of a host seldom end before the reserve is filled again


class Reserve:
    """A child without an assignment for each worker, but at most two; `descriptors` are for any assignment."""

    def __init__(self, command: Sequence[str], descriptors: Sequence[int], worker_count: int) -> None:
        self._command = command
        self._descriptors = descriptors
        self._size = min(worker_count, _MAX_SIZE)
        self._children: list[ChildProcess] = []
        self._fill_timer: asyncio.TimerHandle | None = None

    def fill_soon(self) -> None:
        """Start a child in reserve after a moment, so that it does not compete with workers that start."""
        if self._fill_timer is not None:
            self._fill_timer.cancel()
        self._fill_timer = asyncio.get_running_loop().call_later(_FILL_SECONDS, self._fill)

    def _fill(self) -> None:
        """Start one of the missing children now, and the others after it."""
        self._remove_ended()
        if len(self._children) < self._size:
            self._children.append(self._start_child())
            self.fill_soon()

    def take_child(self) -> ChildProcess:
        """Return the child that has been in reserve the longest, or a new one if there is none."""
        self._remove_ended()
        return self._children.pop(0) if self._children else self._start_child()

    async def empty(self) -> None:
        """End the children in reserve, as when the program may have changed."""
        if self._fill_timer is not None:
            self._fill_timer.cancel()
        children, self._children = self._children, []
        for child in children:
            child.send_signal(signal.SIGKILL)
        await asyncio.gather(*(child.end_task for child in children))

    def _remove_ended(self) -> None:
        self._children = [child for child in self._children if not child.end_task.done()]

    def _start_child(self) -> ChildProcess:
        return ChildProcess(self._command, self._descriptors)

"""What happens to open pipelines when their process forks or ends."""

import atexit
import os
import sys
import threading
import time
from typing import Protocol

_EXIT_BUDGET = 2.0  # seconds, for all pipelines together


class Pipeline(Protocol):
    """What is open and runs a thread."""

    def close(self, timeout: float) -> bool:
        """Send what is left, and leave the rest to the next process."""
        ...

    def abandon(self) -> None:
        """Leave everything to the parent."""
        ...


class _Process:
    """The open pipelines of this process, and the lock under which one is opened."""

    def __init__(self) -> None:
        self.pipelines: set[Pipeline] = set()
        self.opening = threading.RLock()


_process = _Process()


def opening_lock() -> threading.RLock:
    """Return the lock under which pipelines open and modules are imported late.

    A fork waits for it: the child has no thread that would finish what it copied half done, an import for example.
    """
    return _process.opening


def register(pipeline: Pipeline) -> None:
    """Close the pipeline when the process ends, and abandon it in every child that the process forks."""
    _process.pipelines.add(pipeline)
    multiprocessing = sys.modules.get("multiprocessing.util")
    if multiprocessing is not None:  # its child processes skip `atexit`
        multiprocessing.Finalize(None, _close_all, exitpriority=10)


def unregister(pipeline: Pipeline) -> None:
    """Forget a pipeline that has been closed."""
    _process.pipelines.discard(pipeline)


def _close_all() -> None:
    deadline = time.monotonic() + _EXIT_BUDGET
    for pipeline in list(_process.pipelines):
        pipeline.close(max(0, deadline - time.monotonic()))


def _begin_fork() -> None:
    _process.opening.acquire()


def _end_fork() -> None:
    _process.opening.release()


def _restart_in_child() -> None:
    global _process  # a fork copies the module, whose locks may be held by threads that are not copied
    pipelines, _process = _process.pipelines, _Process()
    for pipeline in pipelines:
        pipeline.abandon()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_begin_fork,
        after_in_parent=_end_fork,
        after_in_child=_restart_in_child,
    )

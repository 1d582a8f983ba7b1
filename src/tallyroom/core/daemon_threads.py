"""Threads that never keep a process from ending."""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_Work = Callable[[], None]


class DaemonThreads:
    """Up to `max_threads` threads; unlike with `ThreadPoolExecutor`, Python does not wait for them on exit."""

    def __init__(self, max_threads: int, name: str, initialize: Callable[[], object] = lambda: None) -> None:
        self._work_queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._initialize = initialize
        self._name = name
        self._max_threads = max_threads
        self._threads: list[threading.Thread] = []
        self._idle_threads = threading.Semaphore(0)
        self._lock = threading.Lock()

    def submit(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        """Run `work` in one of the threads; the future gets its result or error."""
        future: Future[R] = Future()
        self._work_queue.put(lambda: _complete_future(future, lambda: work(*args, **kwargs)))
        with self._lock:
            if not self._idle_threads.acquire(blocking=False) and len(self._threads) < self._max_threads:
                self._threads.append(self._start_thread())
        return future

    def close(self, timeout_seconds: float) -> bool:
        """Let the threads finish within `timeout_seconds`; return whether all did. The others run on."""
        deadline = time.monotonic() + timeout_seconds
        for _ in self._threads:
            self._work_queue.put(None)
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _start_thread(self) -> threading.Thread:
        thread = threading.Thread(target=self._run, name=f"{self._name}_{len(self._threads)}", daemon=True)
        thread.start()
        return thread

    def _run(self) -> None:
        self._initialize()
        while (work := self._work_queue.get()) is not None:
            work()
            self._idle_threads.release()


def _complete_future(future: "Future[Any]", work: Callable[[], object]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 # the future's caller gets it
        future.set_exception(error)
    else:
        future.set_result(result)

"""The thread that sends, and those who send in its place where threads do not run."""

import threading
import time
from collections.abc import Callable

_LONGEST_WAIT = 60.0  # seconds
_START_PATIENCE = 0.2  # seconds until a thread that was started should run


class Worker:
    """Runs steps in a daemon thread, which starts with the first `wake`.

    Args:
        step: does one piece of work and returns the seconds until the next.
        on_end: called once, after the last step.
    """

    def __init__(self, step: Callable[[], float], on_end: Callable[[], object]) -> None:
        self._step = step
        self._on_end = on_end
        self._turn = threading.Lock()
        self._wakeup = threading.Event()
        self._progress = threading.Condition()
        self._runs = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_stopping = False
        self._has_ended = False

    def wake(self) -> None:
        """Let the thread take a step now."""
        if self._thread is None or not self._thread.is_alive():
            self._start()
        self._wakeup.set()

    def wait_for(self, is_reached: Callable[[], bool], timeout: float) -> bool:
        """Wait until the steps have reached something; take them here if the thread does not run."""
        deadline = time.monotonic() + timeout
        self.wake()
        can_run = self._runs.wait(min(_START_PATIENCE, timeout))
        while not is_reached():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return False
            if can_run:
                with self._progress:
                    if not is_reached():
                        self._progress.wait(min(remaining, _START_PATIENCE))
            else:
                time.sleep(min(remaining, self._take_step()))
        return True

    def stop(self, timeout: float) -> None:
        """Take no more steps; a step in progress ends by itself."""
        self._is_stopping = True
        self._wakeup.set()
        thread = self._thread
        if thread is not None and self._runs.is_set() and thread is not threading.current_thread():
            thread.join(timeout)
        elif self._turn.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._turn.release()

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="tallyroom-client", daemon=True)
        try:
            self._thread = thread
            thread.start()
        except RuntimeError:  # the interpreter is ending, or there are too many threads
            self._thread = None

    def _run(self) -> None:
        self._runs.set()
        while not self._is_stopping:
            self._wakeup.clear()
            delay = self._take_step()
            with self._progress:
                self._progress.notify_all()
            if delay > 0 and not self._is_stopping:
                self._wakeup.wait(min(delay, _LONGEST_WAIT))
        with self._turn:
            self._end()

    def _take_step(self) -> float:
        with self._turn:
            return 0 if self._has_ended else self._step()

    def _end(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._on_end()

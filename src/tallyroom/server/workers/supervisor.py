"""Keeps one child running: whenever it ends without being asked to, the next one is started."""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.server.workers.child_process import ChildProcess
from tallyroom.server.workers.messages import Assignment, Heartbeat, refusal_of

MAX_FAILURES = 3
"""How often in succession a child may fail before nobody believes that the next start will help."""

_FIRST_PAUSE, _MAX_PAUSE = 0.5, 30.0
_MAX_PAUSE_OF_WAITING = 3.0  # an outage may be over at any moment, and the start itself takes seconds
_MAX_PAUSE_OF_LEFT = 600.0  # such as that of a spool that was adopted, and whose directory is still there
_STEADY_SECONDS = 2.0  # a child that served for less has failed, too

_log = logging.getLogger(__name__)


class Supervisor:
    """Looks after one data directory and the child on it.

    Args:
        assignment: what the child is to do.
        command: starts it.
        on_failure: called after each failure.
        on_loss: called with the last heartbeat of a child that was killed, so that nobody waits for it.

    Attributes:
        serves: set while the child serves.
        has_begun: set once a child serves, or so many have failed that a start no longer waits for this worker.
        failures: how often in succession a child has failed; of one that has ever served, without kills. Starts that
            fail because a server does not answer are none, unless the directory is new: its settings may be wrong.
        reason: why the last one failed.
        restarts: how often a child ended without being asked to, so that another was started.
    """

    def __init__(
        self,
        assignment: Assignment,
        command: Sequence[str],
        on_failure: Callable[["Supervisor"], object],
        on_loss: Callable[[Heartbeat], object],
    ) -> None:
        self.serves = asyncio.Event()
        self.has_begun = asyncio.Event()
        self.failures = 0
        self.reason = ""
        self.restarts = 0
        self._assignment = assignment
        self._command = command
        self._on_failure = on_failure
        self._on_loss = on_loss
        self._child: ChildProcess | None = None
        self._successor: _Running | None = None
        self._is_replacing = self._has_served = False
        self._early_ends = 0
        self._stopping = asyncio.Event()

    @property
    def name(self) -> str:
        """What logs call the child."""
        return self._assignment.name

    @property
    def data(self) -> Path:
        """The data directory of the child."""
        return self._assignment.settings.data_dir

    @property
    def is_to_serve(self) -> bool:
        """Whether the child is to take requests."""
        return bool(self._assignment.sockets)

    @property
    def is_owned(self) -> bool:
        """Whether the last child found that somebody had signed up."""
        return self._child is not None and self._child.last.is_owned

    @property
    def is_refused(self) -> bool:
        """Whether the last child said that it cannot start, for a reason that does not pass."""
        return self._child is not None and bool(self._child.last.refusal) and not self._is_waiting(self._child)

    @property
    def is_hopeless(self) -> bool:
        """Whether nobody believes any more that the next start will help."""
        return self.failures >= MAX_FAILURES and not self.serves.is_set()

    async def run(self) -> None:
        """Keep a child running until `stop`."""
        while not self._stopping.is_set():
            child, task = self._successor or self._start()
            self._successor, self._child = None, child
            await task
            self._assignment = msgspec.structs.replace(self._assignment, accept_loss=False)
            if not self._is_succeeded():
                self.serves.clear()
            is_steady = _was_steady(child)
            if is_steady:
                self.failures = self._early_ends = 0
            if child.code and child.last.worker:
                self._on_loss(child.last)
            if not self._stopping.is_set() and not self._is_replacing:
                self.restarts += 1
                self._note(child)
                if not is_steady:
                    await self._fail(child)
            self._is_replacing = False
        if self._successor is not None:
            await self._successor.task

    def _is_succeeded(self) -> bool:
        """Return whether the successor of a child that has ended serves already."""
        return self._successor is not None and self._successor.child.served_at is not None

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask the child to stop, and start no other."""
        self._stopping.set()
        for child in (self._child, self._successor and self._successor.child):
            if child is not None:
                child.send(number)

    async def replace(self) -> bool:
        """Start another child, let the present one hand over once that is prepared, and return when it serves.

        As long as a server does not answer, the present one serves on, and another is tried now and then.

        Returns:
            False, and the present child stays, if the other one cannot start for a reason that does not pass.
        """
        while self._child is not None and self.serves.is_set() and not self._stopping.is_set():
            preparation = asyncio.Event()
            successor = self._successor = self._start(preparation)
            await _first_of(preparation.wait(), successor.task)
            if self._child is successor.child or preparation.is_set():
                await self._hand_over(successor)
                return True
            self._successor = None
            reason = successor.child.last.refusal or f"It ended with status {successor.child.code}."
            _log.error("a worker cannot be replaced, and stays", extra={"child": self.name, "reason": reason})
            if not successor.child.last.is_passing:
                return False
            await self._pause(_MAX_PAUSE_OF_WAITING)
        return True

    async def _hand_over(self, successor: "_Running") -> None:
        if self._child is not None and self._child is not successor.child:  # it has not ended by itself meanwhile
            self._is_replacing = True
            self.serves.clear()
            self._child.hand_over()
        await self.serves.wait()

    def _start(self, preparation: asyncio.Event | None = None) -> "_Running":
        """Start a child; if `preparation` is given, as the successor of the present one, that sets it."""
        child = ChildProcess(self.name, self._command, self._serve, preparation.set if preparation else lambda: None)
        assignment = msgspec.structs.replace(self._assignment, is_successor=preparation is not None)
        return _Running(child, asyncio.create_task(self._run_child(child, assignment)))

    async def _run_child(self, child: ChildProcess, assignment: Assignment) -> None:
        try:
            await child.run(assignment)
        except OSError as error:  # there is no memory for another process, or no file for a pipe
            child.last = refusal_of(f"Worker {self.name} cannot be started: {error.strerror}.")

    def _serve(self) -> None:
        self.serves.set()
        self.has_begun.set()
        self._has_served = True
        role = "serves" if self.is_to_serve else "serves nobody, and answers for what its spool has accepted"
        _log.info("a worker %s", role, extra={"child": self.name})

    def _note(self, child: ChildProcess) -> None:
        """Log how the child ended."""
        self.reason = child.last.refusal or f"Worker {self.name} ended with status {child.code}."
        _log.error("a worker ended", extra={"child": self.name, "status": child.code, "reason": self.reason})

    async def _fail(self, child: ChildProcess) -> None:
        """Count a child that ended early, and wait before the next start."""
        self._early_ends += 1
        by_itself = not self._has_served or child.code is None or child.code >= 0  # and not by a signal
        if by_itself and not self._is_waiting(child):
            self.failures += 1
            if self.is_refused or self.is_hopeless:
                self.has_begun.set()
            self._on_failure(self)
        pause = min(self._longest_pause(child), _FIRST_PAUSE * 2 ** (self._early_ends - 1))
        await self._pause(pause)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    def _longest_pause(self, child: ChildProcess) -> float:
        if self._is_waiting(child):
            return _MAX_PAUSE_OF_WAITING
        return _MAX_PAUSE if self.is_to_serve else _MAX_PAUSE_OF_LEFT

    def _is_waiting(self, child: ChildProcess) -> bool:
        """Return whether the child could not start because a server does not answer that has answered before."""
        return child.last.is_passing and (self.data / SPOOL_FILE).exists()


class _Running(NamedTuple):
    """A child, and the task that ends with it."""

    child: ChildProcess
    task: asyncio.Task[None]


def _was_steady(child: ChildProcess) -> bool:
    """Return whether a child that has ended served for a while."""
    return child.served_at is not None and asyncio.get_running_loop().time() - child.served_at > _STEADY_SECONDS


async def _first_of(waiting: Coroutine[Any, Any, object], task: asyncio.Task[None]) -> None:
    """Return when one of them has ended; only the first is given up."""
    waiter = asyncio.ensure_future(waiting)
    try:
        await asyncio.wait([waiter, task], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiter.cancel()

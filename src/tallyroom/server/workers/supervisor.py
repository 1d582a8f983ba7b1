"""Keeps one child running: whenever it ends unexpectedly, the next one is started."""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.server.workers.child_process import ChildProcess
from tallyroom.server.workers.messages import Assignment, Heartbeat
from tallyroom.server.workers.reserve import Reserve

MAX_FAILURES = 3  # after this many consecutive failures, another start is not expected to help
_FIRST_PAUSE, _MAX_PAUSE = 0.5, 30.0
_MAX_PAUSE_IN_OUTAGE = 3.0  # an outage may end at any moment, and the start itself takes seconds
_MAX_PAUSE_AFTER_KILL = 1.0  # a signal says nothing about the next start, and senders wait for this worker
_MAX_PAUSE_OF_LEFTOVER = 600.0  # for example, an adopted spool whose directory still exists
_STEADY_SECONDS = 2.0  # a child that served for less has failed, too

_log = logging.getLogger(__name__)


class Supervisor:
    """Looks after one data directory and the child on it.

    `begun_event` is set once a child serves, or so many have failed that a start no longer waits for this worker. Kills
    of a child that has served do not count as failures, nor do starts while a server does not answer, unless the
    directory is new. `on_loss` gets the last heartbeat of a killed child, so that no worker waits for it.
    """

    def __init__(
        self,
        assignment: Assignment,
        reserve: Reserve,
        on_failure: Callable[["Supervisor"], object],
        on_loss: Callable[[Heartbeat], object],
    ) -> None:
        self.serving_event = asyncio.Event()
        self.begun_event = asyncio.Event()
        self.failure_count = 0
        self.failure_reason = ""
        self.restart_count = 0
        self._assignment = assignment
        self._reserve = reserve
        self._on_failure = on_failure
        self._on_loss = on_loss
        self._child: ChildProcess | None = None
        self._successor: ChildProcess | None = None
        self._is_replacing = self._has_served = False
        self._early_end_count = 0
        self._stop_event = asyncio.Event()

    @property
    def name(self) -> str:
        """The child's name in logs."""
        return self._assignment.name

    @property
    def data_dir(self) -> Path:
        """The data directory of the child."""
        return self._assignment.settings.data_dir

    @property
    def takes_requests(self) -> bool:
        """Whether the child is supposed to accept requests."""
        return bool(self._assignment.sockets)

    @property
    def is_owned(self) -> bool:
        """Whether the last child found that someone had signed up."""
        return self._child is not None and self._child.last_heartbeat.is_owned

    @property
    def is_refused(self) -> bool:
        """Whether the last child reported a permanent reason why it cannot start."""
        return (
            self._child is not None
            and bool(self._child.last_heartbeat.refusal)
            and not self._is_waiting_for_server(self._child)
        )

    @property
    def is_hopeless(self) -> bool:
        """Whether the next start is not expected to help."""
        return self.failure_count >= MAX_FAILURES and not self.serving_event.is_set()

    async def run(self) -> None:
        """Keep a child running until `stop`."""
        while not self._stop_event.is_set():
            child = self._successor or self._start_child()
            self._successor, self._child = None, child
            await child.end_task
            self._assignment = msgspec.structs.replace(self._assignment, accept_loss=False)
            if not self._is_successor_serving():
                self.serving_event.clear()
            is_steady = _was_steady(child)
            if is_steady:
                self.failure_count = self._early_end_count = 0
            if child.exit_code and child.last_heartbeat.worker:
                self._on_loss(child.last_heartbeat)
            if not self._stop_event.is_set() and not self._is_replacing:
                self.restart_count += 1
                self._log_end(child)
                if not is_steady:
                    await self._count_early_end(child)
            self._is_replacing = False
        if self._successor is not None:
            await self._successor.end_task

    def _is_successor_serving(self) -> bool:
        return self._successor is not None and self._successor.served_at is not None

    def stop(self, signal_number: signal.Signals = signal.SIGTERM) -> None:
        """Ask the child to stop, and start no other."""
        self._stop_event.set()
        for child in (self._child, self._successor):
            if child is not None:
                child.send_signal(signal_number)

    async def replace(self) -> bool:
        """Start another child, let the current one hand over once it is prepared, and return when it serves.

        While a server does not answer, the current child continues. Return False if the other one cannot start for a
        permanent reason.
        """
        if self._child is not None and self._child.exit_code is None and self._is_waiting_for_server(self._child):
            self._is_replacing = True
            self._child.send_signal(signal.SIGTERM)
        while self._child is not None and self.serving_event.is_set() and not self._stop_event.is_set():
            prepared_event = asyncio.Event()
            successor = self._successor = self._start_child(prepared_event)
            await _wait_for_first(prepared_event.wait(), successor.end_task)
            if self._child is successor or prepared_event.is_set():
                await self._hand_over(successor)
                return True
            self._successor = None
            reason = successor.last_heartbeat.refusal or f"It exited with status {successor.exit_code}."
            _log.error("a worker cannot be replaced, and keeps running", extra={"child": self.name, "reason": reason})
            if not successor.last_heartbeat.is_passing:
                return False
            await self._pause(_MAX_PAUSE_IN_OUTAGE)
        return True

    async def _hand_over(self, successor: ChildProcess) -> None:
        if self._child is not None and self._child is not successor:  # it has not ended by itself meanwhile
            self._is_replacing = True
            self.serving_event.clear()
            self._child.hand_over()
        await self.serving_event.wait()

    def _start_child(self, prepared_event: asyncio.Event | None = None) -> ChildProcess:
        """Start a child; if `prepared_event` is given, as the successor of the current one, which sets it."""
        child = self._reserve.take_child()
        assignment = msgspec.structs.replace(self._assignment, is_successor=prepared_event is not None)
        child.assign(assignment, self._note_serving, prepared_event.set if prepared_event else lambda: None)
        return child

    def _note_serving(self) -> None:
        self.serving_event.set()
        self.begun_event.set()
        self._has_served = True
        self._reserve.fill_soon()
        role = "serves" if self.takes_requests else "serves no requests, and delivers its spool"
        _log.info("a worker %s", role, extra={"child": self.name})

    def _log_end(self, child: ChildProcess) -> None:
        self.failure_reason = (
            child.last_heartbeat.refusal or f"Worker {self.name} exited with status {child.exit_code}."
        )
        _log.error(
            "a worker ended", extra={"child": self.name, "status": child.exit_code, "reason": self.failure_reason}
        )

    async def _count_early_end(self, child: ChildProcess) -> None:
        """Count a child that ended early, and wait before the next start."""
        self._early_end_count += 1
        ended_by_itself = not self._has_served or child.exit_code is None or child.exit_code >= 0  # and not by a signal
        if ended_by_itself and not self._is_waiting_for_server(child):
            self.failure_count += 1
            if self.is_refused or self.is_hopeless:
                self.begun_event.set()
            self._on_failure(self)
        pause = min(self._find_max_pause(child), _FIRST_PAUSE * 2 ** (self._early_end_count - 1))
        await self._pause(pause)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stop_event.wait()

    def _find_max_pause(self, child: ChildProcess) -> float:
        if self._is_waiting_for_server(child):
            return _MAX_PAUSE_IN_OUTAGE
        if self._has_served and child.exit_code is not None and child.exit_code < 0:
            return _MAX_PAUSE_AFTER_KILL
        return _MAX_PAUSE if self.takes_requests else _MAX_PAUSE_OF_LEFTOVER

    def _is_waiting_for_server(self, child: ChildProcess) -> bool:
        """Return whether the child cannot start because a server that has answered before does not answer."""
        return child.last_heartbeat.is_passing and (self.data_dir / SPOOL_FILE).exists()


def _was_steady(child: ChildProcess) -> bool:
    return child.served_at is not None and asyncio.get_running_loop().time() - child.served_at > _STEADY_SECONDS


async def _wait_for_first(coroutine: Coroutine[Any, Any, object], task: asyncio.Task[None]) -> None:
    """Return when one of them has ended; only the coroutine is cancelled."""
    waiter = asyncio.ensure_future(coroutine)
    try:
        await asyncio.wait([waiter, task], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiter.cancel()

"""Limits how long the server waits for a client (rules/safety#slow-clients)."""

import asyncio
from collections.abc import Callable
from typing import Protocol

HEAD_SECONDS = 10.0
SMALL_BODY_SECONDS = 15.0
"""For a body of at most `SMALL_BODY_BYTES`, and for that many bytes of a body without a stated length."""
BODY_SECONDS = 45.0
LINGER_SECONDS = 2.0  # how long a client has to read its answer after the server has stopped listening to it
UNTAKEN_SECONDS = 30.0  # how long bytes may wait for a client that takes none of them
SILENT_SECONDS = 1.0
"""How long an answer may make no progress if its client sends nothing more: most such clients have left."""


class Deadline:
    """A timer for what has to arrive next."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether the timer is running."""
        return self._timer is not None

    def start(self, seconds: float, on_timeout: Callable[[], object]) -> None:
        """Call `on_timeout` after `seconds`, unless stopped."""
        self.stop()
        self._timer = self._loop.call_later(seconds, self._expire, on_timeout)

    def stop(self) -> None:
        """Stop the timer, because the client was in time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self, on_timeout: Callable[[], object]) -> None:
        self._timer = None
        on_timeout()


class WrittenBytes(Protocol):
    """What was written to a connection."""

    written_bytes: int


class WriteFlow(Protocol):
    """Whether the client takes what is written."""

    write_paused: bool


class SilenceDeadline:
    """Closes a connection whose client sends nothing more once nothing is written: if it had left, it would reset."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, backlog: WrittenBytes, flow: WriteFlow, on_timeout: Callable[[], object]
    ) -> None:
        self._deadline = Deadline(loop)
        self._backlog, self._flow, self._on_timeout = backlog, flow, on_timeout
        self._written_bytes = 0

    def start(self) -> None:
        """Start the timer, because the client sends nothing more."""
        self._deadline.start(SILENT_SECONDS, self._check)

    def stop(self) -> None:
        """Stop the timer, because the connection is closed."""
        self._deadline.stop()

    def _check(self) -> None:
        if self._backlog.written_bytes > self._written_bytes or self._flow.write_paused:
            self._written_bytes = self._backlog.written_bytes
            self.start()
        else:
            self._on_timeout()


class IdleDeadline:
    """Closes a connection that is idle for too long; one timer for its life costs less than one per request."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        max_idle_seconds: float,
        is_idle: Callable[[], bool],
        on_timeout: Callable[[], object],
    ) -> None:
        self._loop = loop
        self._max_idle_seconds = max_idle_seconds
        self._is_idle = is_idle
        self._on_timeout = on_timeout
        self.start()
        self._timer = loop.call_later(max_idle_seconds, self._check)

    def start(self) -> None:
        """Note that an answer was sent."""
        self._idle_since = self._loop.time()

    def stop(self) -> None:
        """Stop the timer, because the connection is closed."""
        self._timer.cancel()

    def _check(self) -> None:
        seconds_left = (
            self._max_idle_seconds - (self._loop.time() - self._idle_since)
            if self._is_idle()
            else self._max_idle_seconds
        )
        if seconds_left <= 0:
            self._on_timeout()
        else:
            self._timer = self._loop.call_later(seconds_left, self._check)

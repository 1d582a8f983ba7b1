"""Limits how long a client may take when it is its turn (rules/safety#slow-clients)."""

import asyncio
from collections.abc import Callable
from typing import Protocol

HEAD_SECONDS = 10.0
SMALL_BODY_SECONDS = 15.0
"""For a body of at most `SMALL_BODY_BYTES`, and for that many bytes of a body that does not state its length."""
BODY_SECONDS = 45.0
LINGER_SECONDS = 2.0
"""How long a client that the server no longer listens to has to read its answer."""

UNTAKEN_SECONDS = 30.0
"""How long something may wait to be taken by a client that takes nothing of it."""

SILENT_SECONDS = 1.0
"""How long an answer may make no progress if its client sends nothing more: most such clients have left."""


class Deadline:
    """A timer for what has to arrive next."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether the timer is running."""
        return self._timer is not None

    def set(self, seconds: float, then: Callable[[], object]) -> None:
        """Call `then` after `seconds`, unless the client is in time."""
        self.stop()
        self._timer = self._loop.call_later(seconds, self._pass, then)

    def stop(self) -> None:
        """Stop the timer, because the client was in time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _pass(self, then: Callable[[], object]) -> None:
        self._timer = None
        then()


class WrittenBytes(Protocol):
    """What was written to a connection."""

    written_bytes: int


class WriteFlow(Protocol):
    """Whether the client takes what is written."""

    write_paused: bool


class SilenceDeadline:
    """Closes a connection whose client sends nothing more once nothing is written for a while.

    A client that had left would have answered to anything written with a reset.

    Args:
        loop: the event loop.
        backlog: counts what is written.
        flow: tells whether the client takes it.
        then: called when nothing was written.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, backlog: WrittenBytes, flow: WriteFlow, then: Callable[[], object]
    ) -> None:
        self._deadline = Deadline(loop)
        self._backlog, self._flow, self._then = backlog, flow, then
        self._written_bytes = 0

    def begin(self) -> None:
        """Look from now on, because the client sends nothing more."""
        self._deadline.set(SILENT_SECONDS, self._look)

    def stop(self) -> None:
        """Stop the timer, because the connection is over."""
        self._deadline.stop()

    def _look(self) -> None:
        if self._backlog.written_bytes > self._written_bytes or self._flow.write_paused:
            self._written_bytes = self._backlog.written_bytes
            self.begin()
        else:
            self._then()


class RestDeadline:
    """Closes a connection that rests for too long between an answer and the next request.

    It has one timer for the life of the connection: creating and cancelling one for each request would cost more than
    noting the time.

    Args:
        loop: the event loop.
        seconds: the longest rest.
        rests: tells whether no request is under way.
        then: called at the end of the longest rest.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        seconds: float,
        rests: Callable[[], bool],
        then: Callable[[], object],
    ) -> None:
        self._loop = loop
        self._seconds = seconds
        self._rests = rests
        self._then = then
        self.begin()
        self._timer = loop.call_later(seconds, self._look)

    def begin(self) -> None:
        """Note that an answer was sent."""
        self._since = self._loop.time()

    def stop(self) -> None:
        """Stop the timer, because the connection is over."""
        self._timer.cancel()

    def _look(self) -> None:
        left = self._seconds - (self._loop.time() - self._since) if self._rests() else self._seconds
        if left <= 0:
            self._then()
        else:
            self._timer = self._loop.call_later(left, self._look)

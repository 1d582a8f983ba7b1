"""How long a client may take, whenever it is its turn (rules/safety#slow-clients)."""

import asyncio
from collections.abc import Callable

HEAD_SECONDS = 10.0
SMALL_BODY_SECONDS = 15.0
"""For a body of at most `SMALL_BODY_BYTES`, and for so many bytes of one that does not tell its length."""
BODY_SECONDS = 45.0
LINGER_SECONDS = 2.0
"""How long a client that is not listened to any more has for reading its answer."""

SILENT_SECONDS = 1.0
"""How long the answer to a client that sends nothing more may make no progress: most such clients have left."""


class Deadline:
    """One timer: what has to come next in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether something is waited for."""
        return self._timer is not None

    def set(self, seconds: float, then: Callable[[], object]) -> None:
        """Do `then` after so many seconds, unless the client is in time."""
        self.stop()
        self._timer = self._loop.call_later(seconds, self._pass, then)

    def stop(self) -> None:
        """The client was in time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _pass(self, then: Callable[[], object]) -> None:
        self._timer = None
        then()


class Rest:
    """The time between an answer and the next request, after which a connection is closed.

    One timer for as long as the connection lasts: to make and cancel one for each request costs more than to note the
    time.

    Args:
        loop: the event loop.
        seconds: longest rest.
        rests: whether no request is under way.
        then: what to do at its end.
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
        """An answer is out."""
        self._since = self._loop.time()

    def stop(self) -> None:
        """The connection is over."""
        self._timer.cancel()

    def _look(self) -> None:
        left = self._seconds - (self._loop.time() - self._since) if self._rests() else self._seconds
        if left <= 0:
            self._then()
        else:
            self._timer = self._loop.call_later(left, self._look)

"""Calls a function again and again on the event loop of a bot."""

import asyncio
from collections.abc import Callable


class Ticker:
    """Starts with the first call of `start` and ends with the loop, for which it is no reason to go on."""

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self._seconds = seconds
        self._function = function
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin on the running loop; a second call changes nothing."""
        if self._timer is None:
            self._wait()

    def stop(self) -> None:
        """Call the function no more, until `start` is called again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._tick)

    def _tick(self) -> None:
        self._wait()
        self._function()

"""Turns of the event loop: all connections together take a limited number of chunks in each, then others get theirs."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

MAX_CHUNKS: Final = 8_192
"""The most chunks per turn for all connections: about two milliseconds. Bodies that state their length have none."""


class Turns:
    """The chunks left in this turn, and the queue of those who wait for another; used only on the event loop."""

    def __init__(self) -> None:
        self._left = MAX_CHUNKS
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_next_asked = False

    @property
    def is_over(self) -> bool:
        """Whether the chunks of this turn are used up."""
        return self._left <= 0

    def spend(self, chunks: int) -> None:
        """Note that `chunks` chunks were taken."""
        self._left -= chunks
        self._ask_for_next()

    def wait(self, then: Callable[[], object]) -> None:
        """Call `then` in a later turn, after those who are already waiting."""
        self._waiting.append(then)
        self._ask_for_next()

    def _ask_for_next(self) -> None:
        if not self._is_next_asked:
            self._is_next_asked = True
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        self._left, self._is_next_asked = MAX_CHUNKS, False
        while self._waiting and not self.is_over:
            self._waiting.popleft()()
        if self._waiting:
            self._ask_for_next()

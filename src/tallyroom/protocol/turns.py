"""Turns of the event loop: all connections together take so many chunks in one, and then others are heard."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

MOST_CHUNKS: Final = 8_192
"""What all connections together take in one turn: about two milliseconds. Bodies that tell their length have none."""


class Turns:
    """What is left of this turn, and who waits for another, in order; used on the event loop only."""

    def __init__(self) -> None:
        self._left = MOST_CHUNKS
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_next_asked = False

    @property
    def is_over(self) -> bool:
        """Whether this turn has had its chunks."""
        return self._left <= 0

    def spend(self, chunks: int) -> None:
        """So many chunks were taken."""
        self._left -= chunks
        self._ask_for_next()

    def wait(self, then: Callable[[], object]) -> None:
        """Do `then` in a later turn, behind those who wait already."""
        self._waiting.append(then)
        self._ask_for_next()

    def _ask_for_next(self) -> None:
        if not self._is_next_asked:
            self._is_next_asked = True
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        self._left, self._is_next_asked = MOST_CHUNKS, False
        while self._waiting and not self.is_over:
            self._waiting.popleft()()
        if self._waiting:
            self._ask_for_next()

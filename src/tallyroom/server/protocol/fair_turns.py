"""Turns of the event loop, in each of which all connections together process a limited number of chunks."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

MAX_CHUNKS: Final = 8_192
"""The most chunks per turn for all connections: about two milliseconds. Bodies with a stated length have none."""


class ChunkTurns:
    """The chunks left in this turn, and the queue for later turns; used only on the event loop."""

    def __init__(self) -> None:
        self._remaining_chunks = MAX_CHUNKS
        self._queue: deque[Callable[[], object]] = deque()
        self._is_next_scheduled = False

    @property
    def is_over(self) -> bool:
        """Whether the chunks of this turn are used up."""
        return self._remaining_chunks <= 0

    def spend(self, chunk_count: int) -> None:
        """Note that `chunk_count` chunks were processed."""
        self._remaining_chunks -= chunk_count
        self._schedule_next()

    def enqueue(self, callback: Callable[[], object]) -> None:
        """Call `callback` in a later turn, after the callbacks already in the queue."""
        self._queue.append(callback)
        self._schedule_next()

    def _schedule_next(self) -> None:
        if not self._is_next_scheduled:
            self._is_next_scheduled = True
            asyncio.get_running_loop().call_soon(self._begin_turn)

    def _begin_turn(self) -> None:
        self._remaining_chunks, self._is_next_scheduled = MAX_CHUNKS, False
        while self._queue and not self.is_over:
            self._queue.popleft()()
        if self._queue:
            self._schedule_next()

"""Lets a question wait for what the other workers of the host have acknowledged (rules/questions#fresh-answers).

What they have acknowledged and not delivered is in their spools, which this process can read: so it waits for those
that stand still, too, and an idle neighbor costs one look. Those that are behind are asked to hurry, by a byte in a
pipe that each worker has in its directory.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.spool.onlooker import Onlooker

HURRY_PIPE = "hurry"

_LOOK_SECONDS = 0.005
_HURRIED_SECONDS = 0.5

CaughtUp = Callable[[float], Awaitable[bool]]


class Neighbors:
    """The other workers of the host.

    Args:
        own: the data directory of this worker.
        others: those of the others.
        caught_up: waits for what this worker has acknowledged.
    """

    def __init__(self, own: Path, others: Sequence[Path], caught_up: CaughtUp) -> None:
        self._pipe = own / HURRY_PIPE
        self._others = [(Onlooker(other / SPOOL_FILE), other / HURRY_PIPE) for other in others]
        self._caught_up = caught_up
        self._hurried: asyncio.Task[bool] | None = None

    def listen(self) -> None:
        """Begin to hurry when a neighbor asks for it."""
        self._pipe.unlink(missing_ok=True)
        os.mkfifo(self._pipe, 0o600)
        # Open for writing as well, so that the pipe does not end with each neighbor that has written.
        pipe = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)
        asyncio.get_running_loop().add_reader(pipe, self._hear, pipe)

    async def caught_up(self, seconds: float) -> bool:
        """Wait until everything that any worker of the host has acknowledged before this call is in the store.

        Returns:
            False if that takes over `seconds`.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        behind = [(spool, last, pipe) for spool, pipe in self._others if (last := spool.last_waiting())]
        for _, _, pipe in behind:
            _hurry(pipe)
        if not await self._caught_up(seconds):
            return False
        while behind := [each for each in behind if each[0].has_waiting(each[1])]:
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    def close(self) -> None:
        """Look at nobody any more."""
        for spool, _ in self._others:
            spool.close()

    def _hear(self, pipe: int) -> None:
        with suppress(BlockingIOError):
            os.read(pipe, 4096)
        if self._hurried is None or self._hurried.done():
            self._hurried = asyncio.ensure_future(self._caught_up(_HURRIED_SECONDS))


def _hurry(pipe: Path) -> None:
    with suppress(OSError):  # nobody is there, or has been asked more often than it could read
        to = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(to, b".")
        finally:
            os.close(to)

"""Lets a question wait for what the other workers of the host have acknowledged (rules/questions#fresh-answers).

What they have acknowledged and not delivered is in their spools, which this process can read: so it waits for those
that stand still, too, and an idle neighbor costs one look. A byte sent to the socket in a worker's directory asks that
worker to hurry. A program that reads every file there, such as a backup, skips a socket and would wait at a named pipe.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.operations.control_socket.wire import shorten_socket_path
from tallyroom.storage.spool.read_only_spool import ReadOnlySpool

HURRY_SOCKET = "hurry"

_LOOK_SECONDS = 0.005
_HURRIED_SECONDS = 0.5

CaughtUp = Callable[[float], Awaitable[bool]]


class Neighbors:
    """The other workers of the host.

    Args:
        own: the data directory of this worker.
        neighbors: those of the others.
        caught_up: waits for what this worker has acknowledged.
    """

    def __init__(self, own: Path, neighbors: Sequence[Path], caught_up: CaughtUp) -> None:
        self._own = own / HURRY_SOCKET
        self._neighbors = [(ReadOnlySpool(folder / SPOOL_FILE), folder / HURRY_SOCKET) for folder in neighbors]
        self._to_others = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._to_others.settimeout(0)
        self._to_own: socket.socket | None = None
        self._caught_up = caught_up
        self._hurried: asyncio.Task[bool] | None = None

    def listen(self) -> None:
        """Begin to hurry when a neighbor asks for it."""
        self._own.unlink(missing_ok=True)
        self._to_own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._to_own.settimeout(0)
        with shorten_socket_path(self._own) as name:
            self._to_own.bind(name)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._to_own, self._hear, self._to_own)

    async def caught_up(self, seconds: float) -> bool:
        """Wait until everything that any worker of the host has acknowledged before this call is in the store.

        Returns:
            False if that takes over `seconds`.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        behind = [(spool, last, path) for spool, path in self._neighbors if (last := spool.read_last_id())]
        for _, _, path in behind:
            self._hurry(path)
        if not await self._caught_up(seconds):
            return False
        while behind := [neighbor for neighbor in behind if neighbor[0].has_waiting(neighbor[1])]:
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    def close(self) -> None:
        """Look at nobody any more."""
        for spool, _ in self._neighbors:
            spool.close()
        self._to_others.close()
        if self._to_own is not None:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._to_own)
            self._to_own.close()

    def _hurry(self, path: Path) -> None:
        with suppress(OSError), shorten_socket_path(path) as name:  # nobody listens, or has been asked often enough
            self._to_others.sendto(b".", name)

    def _hear(self, own: socket.socket) -> None:
        with suppress(BlockingIOError):
            while True:
                own.recv(1)
        if self._hurried is None or self._hurried.done():
            self._hurried = asyncio.ensure_future(self._caught_up(_HURRIED_SECONDS))

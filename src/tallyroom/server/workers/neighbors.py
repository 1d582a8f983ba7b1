"""Lets a question wait for what the other workers of the host have acknowledged (rules/questions#fresh-answers).

It reads their spools, so it also waits for workers that hang. A byte to the socket in a worker's directory asks that
worker to hurry; a backup of the directory would block on a named pipe.
"""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.ingest.drain.awaited import build_awaited
from tallyroom.operations.control_socket.wire import shorten_socket_path
from tallyroom.storage.event_store.reader import CatchUp
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.read_only_spool import ReadOnlySpool

HURRY_SOCKET = "hurry"

_POLL_SECONDS = 0.005
_HURRY_SECONDS = 0.5


class Neighbors:
    """The other workers of the host; `wait_caught_up` waits for what this worker has acknowledged."""

    def __init__(self, own_dir: Path, neighbor_dirs: Sequence[Path], wait_caught_up: CatchUp) -> None:
        self._own_socket_path = own_dir / HURRY_SOCKET
        self._socket_path_by_spool = {
            ReadOnlySpool(folder / SPOOL_FILE): folder / HURRY_SOCKET for folder in neighbor_dirs
        }
        self._sending_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sending_socket.settimeout(0)
        self._receiving_socket: socket.socket | None = None
        self._wait_own_caught_up = wait_caught_up
        self._hurry_task: asyncio.Task[bool] | None = None

    def listen(self) -> None:
        """Start hurrying when a neighbor asks for it."""
        self._own_socket_path.unlink(missing_ok=True)
        self._receiving_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._receiving_socket.settimeout(0)
        with shorten_socket_path(self._own_socket_path) as name:
            self._receiving_socket.bind(name)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._receiving_socket, self._on_hurry_request, self._receiving_socket)

    async def wait_caught_up(
        self, timeout_seconds: float, from_ms: int | None = None, scope: Scope | None = None
    ) -> bool:
        """Wait until the store has all that the host's workers have acknowledged; False after `timeout_seconds`.

        `from_ms` and `scope` narrow down what is waited for, as in `EventReader.catch_up`.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_seconds
        awaited_by_spool = {
            spool: build_awaited(last_id, from_ms, scope)
            for spool in self._socket_path_by_spool
            if (last_id := spool.read_last_id())
        }
        for spool in awaited_by_spool:
            self._ask_to_hurry(self._socket_path_by_spool[spool])
        if not await self._wait_own_caught_up(timeout_seconds, from_ms, scope):
            return False
        first_id_by_spool = dict.fromkeys(awaited_by_spool, 0)
        while first_id_by_spool := {
            spool: next_id
            for spool, first_id in first_id_by_spool.items()
            if (next_id := spool.find_awaited(awaited_by_spool[spool], first_id)) is not None
        }:
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_POLL_SECONDS)
        return True

    def close(self) -> None:
        """Close the socket and the neighbors' spools."""
        for spool in self._socket_path_by_spool:
            spool.close()
        self._sending_socket.close()
        if self._receiving_socket is not None:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._receiving_socket)
            self._receiving_socket.close()

    def _ask_to_hurry(self, socket_path: Path) -> None:
        # If it fails, no one listens, or enough requests are pending.
        with suppress(OSError), shorten_socket_path(socket_path) as name:
            self._sending_socket.sendto(b".", name)

    def _on_hurry_request(self, receiving_socket: socket.socket) -> None:
        with suppress(BlockingIOError):
            while True:
                receiving_socket.recv(1)
        if self._hurry_task is None or self._hurry_task.done():
            self._hurry_task = asyncio.ensure_future(self._wait_own_caught_up(_HURRY_SECONDS, None, None))

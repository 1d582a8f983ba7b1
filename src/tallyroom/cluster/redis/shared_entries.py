"""Lists of the newest entries across all workers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from tallyroom.cluster.redis.server import LimitsServer, LimitsServerAway, ScriptArgument
from tallyroom.storage.limits.limits import NewestEntries
from tallyroom.storage.limits.local import LocalNewestEntries

LIST_TTL_SECONDS = 7 * 24 * 3600  # how long a list is kept after its last entry

_GATHER_SECONDS = 0.25
_MAX_TOPICS = 50  # in one script, with up to 100 entries each


class SharedEntries(NewestEntries):
    """Lists on the server, written a few times a second, and the last entries of this process in its memory.

    While the server is away, the lists contain only this process's entries, which are not written later.
    """

    def __init__(self, name: str, max_entries: int, server: LimitsServer) -> None:
        self._name = name
        self._max_entries = max_entries
        self._server = server
        self._own_entries = LocalNewestEntries(max_entries)
        self._unwritten_entries = LocalNewestEntries(max_entries)
        self._write_task: asyncio.Task[None] | None = None

    def add(self, topic: str, entry: bytes) -> None:
        """Add an entry, which is written to the server a moment later."""
        self._own_entries.add(topic, entry)
        self._unwritten_entries.add(topic, entry)
        if self._write_task is None:
            self._write_task = asyncio.get_running_loop().create_task(self._write_soon())

    async def list_newest(self, topic: str) -> Sequence[bytes]:
        """Return the entries of a topic from all workers, newest first."""
        await self.write_waiting()
        try:
            return await self._server.read_list(self._build_key(topic))
        except LimitsServerAway:
            return await self._own_entries.list_newest(topic)

    async def write_waiting(self) -> None:
        """Write pending entries, if the server accepts them."""
        waiting_lists = list(self._unwritten_entries.pop_all().items())
        for start in range(0, len(waiting_lists), _MAX_TOPICS):
            chunk = waiting_lists[start : start + _MAX_TOPICS]
            arguments: list[ScriptArgument] = [self._max_entries, LIST_TTL_SECONDS]
            for _, entries in chunk:
                arguments += (len(entries), *entries)
            with suppress(LimitsServerAway):
                await self._server.run_script("add_entries", [self._build_key(topic) for topic, _ in chunk], arguments)

    async def close(self) -> None:
        """Write pending entries."""
        if self._write_task is not None:
            self._write_task.cancel()
            with suppress(asyncio.CancelledError):
                await self._write_task
        await self.write_waiting()

    async def _write_soon(self) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        self._write_task = None  # entries added during the write wait for the next one
        await self.write_waiting()

    def _build_key(self, topic: str) -> str:
        return f"tallyroom:newest:{self._name}:{topic}"

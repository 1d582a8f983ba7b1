"""Lists of what came last at any worker."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from tallyroom.cluster.redis.server import Away, LimitsServer, Part
from tallyroom.storage.limits.limits import NewestEntries
from tallyroom.storage.limits.local import LocalEntries

LASTING_SECONDS = 7 * 24 * 3600
"""How long a list lasts after its last entry."""

_GATHER_SECONDS = 0.25
_MAX_TOPICS = 50  # in one script, with up to 100 entries each


class SharedEntries(NewestEntries):
    """Lists on the server, written a few times a second, and the last entries of this process in its memory.

    While the server is away, the lists are those of this process; what it did not take is not written later.

    Args:
        name: the name of the lists on the server.
        keep: the most entries of a list.
        server: has the lists.
    """

    def __init__(self, name: str, keep: int, server: LimitsServer) -> None:
        self._name = name
        self._keep = keep
        self._server = server
        self._own = LocalEntries(keep)
        self._waiting = LocalEntries(keep)
        self._writing: asyncio.Task[None] | None = None

    def add(self, topic: str, entry: bytes) -> None:
        """Add an entry, which is written a moment later."""
        self._own.add(topic, entry)
        self._waiting.add(topic, entry)
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write_soon())

    async def newest(self, topic: str) -> Sequence[bytes]:
        """Return the entries of a topic from all workers, newest first."""
        await self.write()
        try:
            return await self._server.list_of(self._key(topic))
        except Away:
            return await self._own.newest(topic)

    async def write(self) -> None:
        """Write what waits, if the server takes it."""
        lists = list(self._waiting.take_all().items())
        for start in range(0, len(lists), _MAX_TOPICS):
            chunk = lists[start : start + _MAX_TOPICS]
            parts: list[Part] = [self._keep, LASTING_SECONDS]
            for _, entries in chunk:
                parts += (len(entries), *entries)
            with suppress(Away):
                await self._server.run("add_entries", [self._key(topic) for topic, _ in chunk], parts)

    async def close(self) -> None:
        """Write what waits."""
        if self._writing is not None:
            self._writing.cancel()
            with suppress(asyncio.CancelledError):
                await self._writing
        await self.write()

    async def _write_soon(self) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        self._writing = None  # what is added from now on waits for the next time
        await self.write()

    def _key(self, topic: str) -> str:
        return f"tallyroom:newest:{self._name}:{topic}"

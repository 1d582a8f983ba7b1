"""Tells the other workers that events were removed from answers, or are shown again."""

from collections.abc import Awaitable, Callable

from tallyroom.storage.event_store.writer import Writer


class Removals:
    """Events that were hidden, shown, erased or lost.

    `read_peer_version` changes with other workers' removals; `read_cluster_version` is the same number for all workers,
    or None while unknown here. `announce_removal` returns when all workers know.
    """

    def __init__(
        self,
        writer: Writer,
        read_peer_version: Callable[[], int],
        announce_removal: Callable[[], Awaitable[None]],
        read_cluster_version: Callable[[], int | None] = lambda: None,
        worker_id: str = "",
    ) -> None:
        self._writer = writer
        self.read_peer_version = read_peer_version
        self._announce_removal = announce_removal
        self._read_cluster_version = read_cluster_version
        self._worker_id = worker_id
        self._announced_generation = -1  # a previous process may have died before it announced

    def local_version(self) -> tuple[int, int]:
        """Return numbers that never recur after a removal by any worker; an answer may be cached under them."""
        return self._writer.removal_generation, self.read_peer_version()

    def cluster_version(self) -> tuple[int | str, ...]:
        """Return a value that never recurs after a removal, and is the same for all workers once all is announced."""
        is_announced = self._announced_generation == self._writer.removal_generation
        if is_announced and (version := self._read_cluster_version()) is not None:
            return (version,)
        return self._worker_id, *self.local_version()

    async def announce(self) -> None:
        """Tell all workers of this one's removals, and wait until they know; after `Unavailable`, call again."""
        generation = self._writer.removal_generation
        if generation != self._announced_generation:
            await self._announce_removal()
            self._announced_generation = max(self._announced_generation, generation)

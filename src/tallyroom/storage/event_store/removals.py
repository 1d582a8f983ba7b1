"""Tells the other workers that events were taken away from answers, or brought back."""

from collections.abc import Awaitable, Callable

from tallyroom.storage.event_store.writer import Writer


class Removals:
    """Events that were hidden, shown, erased or lost.

    Args:
        writer: the event store.
        read_peer_version: returns a number that moves when another worker may have taken something away.
        announce_removal: lets all workers know, and returns when they do.
        read_cluster_version: returns the number of the last removal, by which all workers call it; None while this
            worker may not have heard of it.
        worker_id: names this process among them.

    Attributes:
        read_peer_version: as above.
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
        self._announced_generation = -1  # nobody knows what this worker did before it died

    def local_version(self) -> tuple[int, int]:
        """Return numbers that never come back after a removal, whoever made it; an answer may be kept for them."""
        return self._writer.removal_generation, self.read_peer_version()

    def cluster_version(self) -> tuple[int | str, ...]:
        """Return a value that never comes back after a removal, and that all workers have if nothing is untold."""
        if (
            self._announced_generation == self._writer.removal_generation
            and (version := self._read_cluster_version()) is not None
        ):
            return (version,)
        return self._worker_id, *self.local_version()

    async def announce(self) -> None:
        """Return when all workers know of everything that this one has taken away or brought back until now.

        Raises:
            Unavailable: not all of them may know; the next call tells them.
        """
        generation = self._writer.removal_generation
        if generation != self._announced_generation:
            await self._announce_removal()
            self._announced_generation = max(self._announced_generation, generation)

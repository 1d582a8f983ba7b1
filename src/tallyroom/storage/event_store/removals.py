"""Tells the other workers that events were taken away from answers, or brought back."""

from collections.abc import Awaitable, Callable

from tallyroom.storage.event_store.writer import Writer


class Removals:
    """Events that were hidden, shown, erased or lost.

    Args:
        writer: the event store.
        by_others: returns a number that moves when another worker may have taken something away.
        count: lets all workers know, and returns when they do.
        known_by_all: returns the number of the last removal, by which all workers call it; None while this worker may
            not have heard of it.
        worker: names this process among them.

    Attributes:
        by_others: as above.
    """

    def __init__(
        self,
        writer: Writer,
        by_others: Callable[[], int],
        count: Callable[[], Awaitable[None]],
        known_by_all: Callable[[], int | None] = lambda: None,
        worker: str = "",
    ) -> None:
        self._writer = writer
        self.by_others = by_others
        self._count = count
        self._known_by_all = known_by_all
        self._worker = worker
        self._told = -1  # nobody knows what this worker did before it died

    def numbers(self) -> tuple[int, int]:
        """Return numbers that never come back after a removal, whoever made it; an answer may be kept for them."""
        return self._writer.generation, self.by_others()

    def cluster_number(self) -> tuple[int | str, ...]:
        """Return a value that never comes back after a removal, and that all workers have if nothing is untold."""
        if self._told == self._writer.generation and (number := self._known_by_all()) is not None:
            return (number,)
        return self._worker, *self.numbers()

    async def tell(self) -> None:
        """Return when all workers know of everything that this one has taken away or brought back until now.

        Raises:
            Unavailable: not all of them may know; the next call tells them.
        """
        generation = self._writer.generation
        if generation != self._told:
            await self._count()
            self._told = max(self._told, generation)

"""Readers that nobody uses at the moment."""

import threading

from tallyroom.store.connection import SealedReader


class Idle:
    """Keeps readers open for the next query that needs one of their kind; to open one takes 20 ms.

    Args:
        most: how many; beyond that, the one that waited longest is closed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._readers: list[SealedReader] = []
        self._turn = threading.Lock()

    def take(self, block_rows: int | None) -> SealedReader | None:
        """The newest reader with such blocks; None without one."""
        with self._turn:
            found = next((each for each in reversed(self._readers) if each.block_rows == block_rows), None)
            if found is not None:
                self._readers.remove(found)
            return found

    def put(self, reader: SealedReader) -> None:
        """Keep a reader."""
        with self._turn:
            self._readers.append(reader)
            spare = self._readers.pop(0) if len(self._readers) > self._most else None
        if spare is not None:
            spare.close()

    def close(self) -> None:
        """Close them all."""
        with self._turn:
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()

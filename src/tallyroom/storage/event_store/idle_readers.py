"""Readers that are not in use."""

import threading

from tallyroom.storage.event_store.backend.backend import ReadLimits, SealedReader


class IdleReaders:
    """Keeps idle readers open for the next query that needs one of their kind; opening one takes 20 ms.

    Args:
        most: the most readers to keep; beyond that, the one that has been idle longest is closed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._readers: list[SealedReader] = []
        self._turn = threading.Lock()

    def take(self, limits: ReadLimits) -> SealedReader | None:
        """Take the most recently used reader with these limits; None if there is none."""
        with self._turn:
            reader = next((reader for reader in reversed(self._readers) if reader.limits == limits), None)
            if reader is not None:
                self._readers.remove(reader)
            return reader

    def put(self, reader: SealedReader) -> None:
        """Put a reader back."""
        with self._turn:
            self._readers.append(reader)
            spare = self._readers.pop(0) if len(self._readers) > self._most else None
        if spare is not None:
            spare.close()

    def close(self) -> None:
        """Close all idle readers."""
        with self._turn:
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()

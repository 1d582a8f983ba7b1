"""Readers that are not in use."""

import threading

from tallyroom.storage.event_store.backend.backend import ReadLimits, SealedReader


class IdleReaders:
    """Keeps the `max_count` last used readers open for queries with the same limits; opening one takes 20 ms."""

    def __init__(self, max_count: int) -> None:
        self._max_count = max_count
        self._readers: list[SealedReader] = []
        self._lock = threading.Lock()

    def take(self, limits: ReadLimits) -> SealedReader | None:
        """Take the most recently used reader with these limits; None if there is none."""
        with self._lock:
            reader = next((reader for reader in reversed(self._readers) if reader.limits == limits), None)
            if reader is not None:
                self._readers.remove(reader)
            return reader

    def put(self, reader: SealedReader) -> None:
        """Put a reader back."""
        with self._lock:
            self._readers.append(reader)
            oldest_reader = self._readers.pop(0) if len(self._readers) > self._max_count else None
        if oldest_reader is not None:
            oldest_reader.close()

    def close(self) -> None:
        """Close all idle readers."""
        with self._lock:
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()

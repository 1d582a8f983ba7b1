"""Opens the event store where it is: in the data directory."""

from pathlib import Path

from tallyroom.core.data_directory import STORE_FOLDER
from tallyroom.store.backend.backend import Backend
from tallyroom.store.backend.embedded.backend import EmbeddedBackend


def embedded_backend(data: Path) -> Backend:
    """Return the event store of a data directory; nothing is opened yet."""
    return EmbeddedBackend(data / STORE_FOLDER)

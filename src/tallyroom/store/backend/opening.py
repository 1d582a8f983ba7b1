"""Opens the event store where the settings say that it is: in the data directory, or on a ClickHouse server."""

from pathlib import Path

from tallyroom.core.data_directory import STORE_FOLDER
from tallyroom.core.event_server import EventServer
from tallyroom.store.backend.backend import Backend
from tallyroom.store.backend.embedded.backend import EmbeddedBackend


def embedded_backend(data: Path) -> Backend:
    """Return the event store of a data directory; nothing is opened yet."""
    return EmbeddedBackend(data / STORE_FOLDER)


def open_backend(data: Path, server: EventServer | None) -> Backend:
    """Return the event store on a server, or the one of the data directory; nothing is opened yet.

    Args:
        data: the data directory.
        server: the server; None if the data directory has the events.
    """
    if server is None:
        return embedded_backend(data)
    from tallyroom.store.backend.server.backend import ServerBackend  # noqa: PLC0415 # most servers never load it

    return ServerBackend(server)

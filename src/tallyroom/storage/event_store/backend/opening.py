"""Opens the event store named by the settings: in the data directory, or on a ClickHouse server."""

from pathlib import Path
from typing import TYPE_CHECKING

from tallyroom.core.data_directory import STORE_FOLDER
from tallyroom.core.settings import Settings
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS, Backend, ReadLimits
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend

if TYPE_CHECKING:
    from tallyroom.storage.event_store.backend.server.backend import ServerBackend


def embedded_backend(data_folder: Path) -> Backend:
    """Return the event store of a data directory; nothing is opened yet."""
    return EmbeddedBackend(data_folder / STORE_FOLDER)


def open_backend(settings: Settings) -> Backend:
    """Return the event store of a server with these settings; nothing is opened yet."""
    server = settings.event_server
    if server is None:
        return embedded_backend(settings.data_dir)
    return load_server_backend()(server, question_limits(settings))


def load_server_backend() -> type["ServerBackend"]:
    """Load what only an event store on a server needs."""
    from tallyroom.storage.event_store.backend.server.backend import ServerBackend  # noqa: PLC0415 # most servers never load it

    return ServerBackend


def question_limits(settings: Settings) -> ReadLimits:
    """Return the limits of one query of a question."""
    return ReadLimits(
        seconds=settings.query_seconds, memory_bytes=settings.query_memory_bytes, max_rows=MAX_RESULT_ROWS
    )

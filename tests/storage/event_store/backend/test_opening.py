"""The settings say where the events are."""

from pathlib import Path

from tallyroom.core.settings import Settings
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.backend.server.backend import ServerBackend


def test_without_a_server_the_data_directory_has_them(tmp_path: Path) -> None:
    found = open_backend(Settings(data=str(tmp_path)))
    assert isinstance(found, EmbeddedBackend)
    assert found.folder == tmp_path / "events"


def test_with_a_server_the_data_directory_has_none(tmp_path: Path) -> None:
    found = open_backend(
        Settings(data=str(tmp_path), events_dsn="clickhouse://writes@store/tally", events_reader="reads")
    )
    assert isinstance(found, ServerBackend)
    assert found.folder is None

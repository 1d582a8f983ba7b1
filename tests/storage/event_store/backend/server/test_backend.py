"""What is found on a server, and the stamp that stays there."""

from contextlib import closing

import pytest

from harness.servers.events_server import FrontServer
from harness.stores.event_store import LIMITS, event, fresh_scope, opened_store
from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.backend import FoundStore
from tallyroom.storage.event_store.backend.server.backend import ServerBackend
from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client
from tallyroom.storage.event_store.backend.server.requirements import EventServerUnusable
from tallyroom.storage.event_store.migrate import TablesMissing, migrate
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.stamp import Stamp


@pytest.fixture
def server(events_server: FrontServer) -> EventServer:
    return events_server.fresh()


@pytest.mark.long
def test_an_empty_database_is_no_store(server: EventServer) -> None:
    backend = ServerBackend(server, LIMITS)
    assert backend.inspect_store() == FoundStore(absence="is empty")
    assert backend.count_events() == 0


def test_a_database_of_something_else_is_no_store(server: EventServer) -> None:
    with closing(ServerConnection(open_writing_client(server))) as connection:
        connection.query("CREATE TABLE theirs (n UInt64) ENGINE = MergeTree ORDER BY n", {})
    assert ServerBackend(server, LIMITS).inspect_store() == FoundStore(absence="has no tables")


@pytest.mark.long
def test_a_store_is_found_with_its_newest_stamp(server: EventServer) -> None:
    backend = ServerBackend(server, LIMITS)
    with opened_store(backend) as store:
        assert backend.inspect_store() == FoundStore()
        store.insert([event(fresh_scope()) for _ in range(3)])
    for stamp in (Stamp("a", 9), Stamp("b", 1), Stamp("b", 2)):
        backend.write_stamp(stamp)
        assert backend.inspect_store() == FoundStore(stamp=stamp)
    assert ServerBackend(server, LIMITS).count_events() == 3


def test_nothing_moves_it(server: EventServer) -> None:
    assert not ServerBackend(server, LIMITS).is_astray()
    assert ServerBackend(server, LIMITS).folder is None


def test_a_table_that_was_dropped_is_not_made_anew(server: EventServer) -> None:
    with closing(Writer(ServerBackend(server, LIMITS))) as writer:
        migrate(writer)
        writer.command("DROP TABLE hidden_events")
        with pytest.raises(TablesMissing, match="Restore it from a backup of the server"):
            migrate(writer)


def test_a_server_that_is_away_is_refused_in_words(events_server: FrontServer) -> None:
    backend = ServerBackend(events_server.server("default")._replace(port=1), LIMITS)
    for ask in (backend.inspect_store, backend.open_store):
        with pytest.raises(EventServerUnusable, match="does not respond"):
            ask()

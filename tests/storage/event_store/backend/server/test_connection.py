"""A block counts once, whatever the network does, and an error says whose it is."""

import socket
import time
from contextlib import closing
from typing import Any

import pytest

from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault
from harness.stores.event_store import EventStore, event, fresh_scope, lines
from tallyroom.core.event_server import Login
from tallyroom.storage.event_store.backend.server.client import _pool
from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.lost_connections import LOST_MS

EVENTS = "INSERT INTO events"


def body_of(scope: Scope, events: int = 3) -> bytes:
    return lines([event(scope, actor="ann", label="Ann") for _ in range(events)])


def inserted(store: EventStore, body: bytes, token: str) -> list[StoreError]:
    """Insert, as often as it takes; returns what failed before."""
    errors: list[StoreError] = []
    while len(errors) < 9:
        try:
            store.writer.insert_events(body, token)
        except StoreError as error:
            errors.append(error)
        else:
            return errors
    raise AssertionError(errors)


def counted(store: EventStore, scope: Scope) -> tuple[int, int]:
    """How many events a scope has, and how many actors with a label."""
    [[labels]] = store.select("SELECT uniqExact(actor) FROM actor_labels WHERE {scope}", scope)
    return store.count(scope), int(labels)


@pytest.mark.long
def test_a_block_is_inserted_once_by_its_token(served_store: EventStore) -> None:
    scope = fresh_scope()
    body = body_of(scope)
    for _ in range(3):
        served_store.writer.insert_events(body, scope.workspace_id)
    assert counted(served_store, scope) == (3, 1)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["lost", "refused", "cut", "cut answer", "unavailable"])
def test_a_block_goes_again_after_a_fault_of_the_network(
    served_store: EventStore, events_server: FrontServer, kind: str
) -> None:
    scope = fresh_scope()
    body = body_of(scope)
    events_server.let(Fault(kind=kind, on=EVENTS, times=3))  # type: ignore[arg-type] # one of them
    assert not any(error.blames_rows for error in inserted(served_store, body, scope.workspace_id))
    assert counted(served_store, scope) == (3, 1)


@pytest.mark.long
def test_a_block_that_arrives_after_it_went_again_counts_once(
    served_store: EventStore, events_server: FrontServer
) -> None:
    scope = fresh_scope()
    body = body_of(scope)
    events_server.let(Fault(kind="late", on=EVENTS, seconds=0.5))
    inserted(served_store, body, scope.workspace_id)
    time.sleep(1)  # until the first has arrived, of which nothing tells
    assert counted(served_store, scope) == (3, 1)


def test_rows_that_cannot_be_read_are_blamed(served_store: EventStore) -> None:
    scope = fresh_scope()
    with pytest.raises(StoreError) as refused:
        served_store.writer.insert_events(body_of(scope) + b'{"a":1}\n', scope.workspace_id)
    assert refused.value.blames_rows
    assert served_store.count(scope) == 0


@pytest.mark.long
def test_rows_that_break_off_on_their_way_are_not_blamed(served_store: EventStore) -> None:
    scope = fresh_scope()
    body = body_of(scope)
    for end in range(1, len(body) - 2, len(body) // 23):
        with pytest.raises(StoreError) as refused:
            served_store.writer.insert_events(body[:end], f"{scope.workspace_id}-{end}")
        assert not refused.value.blames_rows, body[:end]
    assert served_store.count(scope) == 0


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ("Code: 241. DB::Exception: Memory limit exceeded", True),
        ("Code: 252. DB::Exception: Too many parts", True),
        ("Code: 33. DB::Exception: Cannot read all data", True),
        ("Code: 60. DB::Exception: Unknown table", False),
    ],
)
def test_an_error_keeps_its_code(
    served_store: EventStore, events_server: FrontServer, said: str, *, passes: bool
) -> None:
    events_server.let(Fault(kind="failed", on=EVENTS, text=said))
    with pytest.raises(StoreError, match=said[10:]) as refused:
        served_store.writer.insert_events(body_of(fresh_scope()), "t")
    assert (refused.value.is_transient, refused.value.blames_rows) == (passes, False)


def test_an_error_tells_no_password(events_server: FrontServer) -> None:
    server = events_server.server("default")._replace(writer=Login("writes", "hidden"))
    with pytest.raises(StoreError) as refused:
        ServerConnection(open_writing_client(server))
    assert refused.value.code == 516
    assert "hidden" not in str(refused.value)


def test_nobody_there_is_an_error_of_the_store(events_server: FrontServer) -> None:
    with pytest.raises(StoreError) as refused:
        ServerConnection(open_writing_client(events_server.server("default")._replace(port=1)))
    assert refused.value.code == 0


def test_a_deletion_answers_when_it_is_done(events_server: FrontServer) -> None:
    with closing(ServerConnection(open_writing_client(events_server.fresh()))) as connection:
        connection.query("CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n", {})
        connection.query("INSERT INTO kept SELECT number FROM numbers(1000)", {})
        connection.query("ALTER TABLE kept DELETE WHERE n < {n:UInt64}", {"n": 400})
        assert connection.query("SELECT count() FROM kept", {}) == "600\n"


def test_a_writer_goes_on_after_the_server_was_away(served_store: EventStore, events_server: FrontServer) -> None:
    scope = fresh_scope()
    events_server.let(Fault(kind="unavailable", times=2))
    with pytest.raises(StoreError):
        served_store.writer.insert_events(body_of(scope), scope.workspace_id)
    events_server.let()
    served_store.writer.insert_events(body_of(scope), scope.workspace_id)
    assert served_store.count(scope) == 3


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_a_connection_through_which_nothing_comes_is_given_up(events_server: FrontServer) -> None:
    server = events_server.fresh()
    with closing(ServerConnection(open_writing_client(server))) as connection:
        connection.query("SELECT 1", {})
        kept: Any = _pool.connection_from_url(f"http://{server.host}:{server.port}")._get_conn()
        assert kept.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == LOST_MS
        assert kept.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        kept.close()

"""The sealed reader only reads, within its limits, and its answer is whole or an error."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault
from harness.stores.event_store import EventStore, event, fresh_scope
from harness.suite.patience import PATIENCE, until
from tallyroom.storage.event_store.backend.backend import SealedReader
from tallyroom.storage.event_store.errors import StoreError, StoreUnavailable

LONG = "SELECT sum(cityHash64(number)) FROM numbers(1000000000000)"


SLOW = " UNION ALL ".join(["SELECT toUInt64(sum(sleepEachRow(0.1))) AS n FROM events WHERE {scope}"] * 40)


class Number(msgspec.Struct):
    n: int


@pytest.fixture
def sealed(served_store: EventStore) -> Iterator[SealedReader]:
    with closing(served_store.sealed()) as reader:
        yield reader


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO schema_migrations (version) VALUES (99)",
        "CREATE TABLE made (n UInt8) ENGINE = Memory",
        "DROP TABLE events",
        "TRUNCATE TABLE events",
        "ALTER TABLE events DELETE WHERE true",
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
        "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
        "SELECT 1 SETTINGS max_result_rows = 0",
        "SELECT 1 SETTINGS readonly = 0",
    ],
)
def test_it_refuses_everything_but_reading(sealed: SealedReader, sql: str) -> None:
    with pytest.raises(StoreError):
        sealed.query(sql, {})


@pytest.mark.long
@pytest.mark.parametrize(
    ("limits", "sql", "code"),
    [
        ({"rows": 10}, "SELECT number AS n FROM numbers(11)", 396),
        ({"seconds": 1}, LONG, 159),
        ({"memory_bytes": 20_000_000}, "SELECT length(groupArray(number)) FROM numbers(100000000)", 241),
    ],
)
def test_its_limits_hold(served_store: EventStore, limits: dict[str, int], sql: str, code: int) -> None:
    with closing(served_store.sealed(**limits)) as reader, pytest.raises(StoreError) as refused:
        reader.query(sql, {})
    assert (refused.value.code, refused.value.is_transient) == (code, True)


@pytest.mark.parametrize("kind", ["cut answer", "lost", "refused", "unavailable"])
def test_an_answer_is_whole_or_an_error(sealed: SealedReader, events_server: FrontServer, kind: str) -> None:
    events_server.let(Fault(kind=kind, on="SELECT number", times=9))  # type: ignore[arg-type] # one of them
    with pytest.raises(StoreError) as refused:
        sealed.query("SELECT number FROM numbers(1000)", {})
    assert not refused.value.blames_rows


async def test_a_question_that_nobody_waits_for_is_stopped_by_its_id(
    served_store: EventStore, events_server: FrontServer
) -> None:
    scope, reader = fresh_scope(), served_store.reader
    served_store.insert([event(scope)])
    events_server.asked()
    question = asyncio.create_task(reader.fetch_rows(SLOW, scope, {}, Number))
    await until(lambda: any(said.startswith("SELECT toUInt64") for said in events_server.asked()))
    question.cancel()
    await until(lambda: reader.slots.running_count == 0)
    assert reader.cancellations.stuck_count == 0
    assert any(said.startswith("KILL QUERY WHERE query_id = ") for said in events_server.asked())


@pytest.mark.long
def test_a_server_that_hangs_is_given_up(served_store: EventStore, events_server: FrontServer) -> None:
    with closing(served_store.sealed(seconds=1)) as reader:
        events_server.let(Fault(kind="slow", on="SELECT 1", seconds=PATIENCE))
        with pytest.raises(StoreError, match="timed out"):
            reader.query("SELECT 1", {})


async def test_a_server_that_is_away_is_named_so(served_store: EventStore, events_server: FrontServer) -> None:
    events_server.let(Fault(kind="unavailable", times=50))
    with pytest.raises(StoreUnavailable, match="The event store does not respond"):
        await served_store.reader.fetch_rows("SELECT count() AS n FROM events WHERE {scope}", fresh_scope(), {}, Number)

"""One start at a time, and what each leaves for the next."""

import threading
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest

from tallyroom.cluster.postgresql import start_record
from tallyroom.cluster.postgresql.start_record import PostgresqlStartRecord
from tallyroom.cluster.postgresql.worker_registry import SpoolTaken
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.record import NextEpoch, RegisteredSpool
from tallyroom.storage.metadata.stamp import MetadataStamp
from tallyroom.storage.stamp import Stamp

NEW = Stamp("installation", 0)


def record(dsn: str, name: str = "a") -> PostgresqlStartRecord:
    return PostgresqlStartRecord(dsn, "host", f"/{name}")


def start(dsn: str, stamp: Stamp, spool: int, name: str = "a", *, losses: tuple[tuple[int, str], ...] = ()) -> None:
    with record(dsn, name).begin_epoch(NextEpoch(stamp, losses, spool)):
        pass


def test_a_database_without_tables_holds_nothing(dsn_of_nothing: str) -> None:
    found = record(dsn_of_nothing).read_metadata()
    assert found == (None, (0, 0), {}, ("host", "/a"), None)


def test_what_starts_leave(dsn: str) -> None:
    start(dsn, NEW, 7)
    interrupted = NextEpoch(Stamp("installation", 1), [(5, "a key")], 8)
    with pytest.raises(ZeroDivisionError), record(dsn, "b").begin_epoch(interrupted):
        raise ZeroDivisionError  # whatever cuts a start short
    found = record(dsn).read_metadata()
    assert found.stamp == MetadataStamp("installation", 1, 2)
    assert found.spools == {
        7: RegisteredSpool(7, "host", "/a", 1, None, "live"),
        8: RegisteredSpool(8, "host", "/b", 0, 2, "live"),
    }
    start(dsn, Stamp("installation", 1), 8, "b")
    assert record(dsn).read_metadata().stamp == MetadataStamp("installation", 2, None)
    assert record(dsn).read_metadata().spools[8] == RegisteredSpool(8, "host", "/b", 2, None, "live")


def test_a_directory_with_another_spool_has_lost_the_first(dsn: str) -> None:
    start(dsn, NEW, 7)
    assert record(dsn).read_metadata().missing_spool == RegisteredSpool(7, "host", "/a", 1, None, "live")
    assert record(dsn, "b").read_metadata().missing_spool is None
    start(dsn, Stamp("installation", 1), 8)
    found = record(dsn).read_metadata()
    assert (found.spools[7].state, found.spools[8].state) == ("lost", "live")
    assert found.missing_spool == found.spools[8]


async def test_losses_are_kept(dsn: str, operator: asyncpg.Connection) -> None:
    start(dsn, NEW, 7, losses=((5, "the spool"),))
    assert [tuple(row) for row in await operator.fetch("SELECT at_ms, what FROM losses")] == [(5, "the spool")]


def test_a_start_that_another_has_overtaken_does_not_begin(dsn: str) -> None:
    start(dsn, NEW, 7)
    with pytest.raises(TallyroomError, match="started in the meantime"):
        start(dsn, NEW, 8)
    assert set(record(dsn).read_metadata().spools) == {7}


async def test_a_spool_in_use_is_waited_for_and_then_refused(
    dsn: str, operator: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_record, "_TIMEOUT_SECONDS", 0.2)
    await operator.execute("INSERT INTO workers VALUES (7, 'w', 'far', 's', 0, clock_timestamp() + interval '1 day')")
    with pytest.raises(SpoolTaken, match="A server on far is using the spool 7"):
        start(dsn, NEW, 7)
    await operator.execute("UPDATE workers SET lease_until = clock_timestamp() + interval '0.1 seconds'")
    start(dsn, NEW, 7)


def test_one_start_has_its_turn_at_a_time(dsn: str) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def take_turn(_: int) -> None:
        nonlocal running, most
        with record(dsn).hold_start_lock():
            with lock:
                running += 1
                most = max(most, running)
            record(dsn).read_metadata()
            with lock:
                running -= 1

    with ThreadPoolExecutor(4) as starts:
        list(starts.map(take_turn, range(8)))
    assert most == 1


def test_a_turn_that_does_not_come_is_an_error(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_record, "_LOCK_TIMEOUT_MS", 100)
    starting = pytest.raises(TallyroomError, match="Another server has been starting")
    with record(dsn).hold_start_lock(), starting, record(dsn).hold_start_lock():
        pass
    with record(dsn).hold_start_lock():
        pass


@pytest.mark.parametrize("ask", [lambda it: it.read_metadata(), lambda it: it.hold_start_lock().__enter__()])
def test_a_database_that_does_not_answer_is_an_error(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(TallyroomError, match="The metadata database does not respond"):
        ask(PostgresqlStartRecord("postgresql://127.0.0.1:1/none", "host", "/a"))


async def test_spools_that_nobody_uses_are_kept_by_whoever_starts_next(dsn: str, operator: asyncpg.Connection) -> None:
    async def kept() -> dict[int, int | None]:
        return {row["identity"]: row["kept_by"] for row in await operator.fetch("SELECT identity, kept_by FROM spools")}

    start(dsn, NEW, 7)
    with record(dsn, "b").begin_epoch(NextEpoch(Stamp("installation", 1), (), 8, store_spools=[3, 7])):
        pass
    assert await kept() == {3: 8, 7: None, 8: None}
    assert record(dsn).read_metadata().spools[3].state == "adopted"
    with record(dsn).begin_epoch(NextEpoch(Stamp("installation", 2), (), 7, store_spools=[3, 7, 8])):
        pass
    assert await kept() == {3: 8, 7: None, 8: None}
    start(dsn, Stamp("installation", 3), 9, "b")  # where spool 8 was, which is lost
    with record(dsn).begin_epoch(NextEpoch(Stamp("installation", 4), (), 7, store_spools=[3, 7, 8])):
        pass
    assert await kept() == {3: 7, 7: None, 8: 7, 9: None}

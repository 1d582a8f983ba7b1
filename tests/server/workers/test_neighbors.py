"""A question waits for all workers of the host (rules/questions#fresh-answers)."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.suite.patience import PATIENCE
from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.server.workers.neighbors import HURRY_SOCKET, Neighbors
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.row import UNMAPPED_MONTH

MONTH = 202611
SCOPE = Scope("ws", "production")


@pytest.fixture
def other(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The spool of another worker, as far as this one looks at it."""
    for name in ("0", "1", "2"):
        (tmp_path / name).mkdir()
    connection = open_spool_file(tmp_path / "1" / SPOOL_FILE)
    connection.execute("CREATE TABLE chunk (id INTEGER PRIMARY KEY, month INTEGER)")
    connection.execute("CREATE TABLE chunk_lane (id INTEGER PRIMARY KEY, lane TEXT)")
    yield connection
    connection.close()


def wait_in(spool: sqlite3.Connection, *ids: int, month: int = MONTH, lane: str = "") -> None:
    """Chunks begin to wait."""
    spool.executemany("INSERT INTO chunk VALUES (?, ?)", [(chunk_id, month) for chunk_id in ids])
    if lane:
        spool.executemany("INSERT INTO chunk_lane VALUES (?, ?)", [(chunk_id, lane) for chunk_id in ids])


async def has_all(*_: object) -> bool:
    return True


@pytest.fixture
def neighbors(tmp_path: Path, other: sqlite3.Connection) -> Iterator[Neighbors]:
    looking = Neighbors(tmp_path / "0", [tmp_path / "1", tmp_path / "2"], has_all)
    yield looking
    looking.close()
    other.execute("DELETE FROM chunk")


async def test_an_idle_neighbor_is_not_waited_for(neighbors: Neighbors) -> None:
    assert await neighbors.wait_caught_up(0.0)


async def test_what_a_neighbor_has_acknowledged_is_waited_for_and_nothing_later(
    neighbors: Neighbors, other: sqlite3.Connection
) -> None:
    wait_in(other, 1)
    question = asyncio.ensure_future(neighbors.wait_caught_up(PATIENCE))
    await asyncio.sleep(0.05)
    assert not question.done()
    wait_in(other, 2)
    other.execute("DELETE FROM chunk WHERE id = 1")
    assert await question


async def test_a_neighbor_that_stands_still_is_waited_for_as_long_as_the_question_may(
    neighbors: Neighbors, other: sqlite3.Connection
) -> None:
    wait_in(other, 1)
    assert not await neighbors.wait_caught_up(0.02)


async def test_the_bulk_of_another_environment_is_not_waited_for(
    neighbors: Neighbors, other: sqlite3.Connection
) -> None:
    wait_in(other, *range(1, 2_500), lane="ws/staging")
    assert await neighbors.wait_caught_up(PATIENCE, None, SCOPE)
    assert not await neighbors.wait_caught_up(0.02)
    wait_in(other, 2_500, lane="ws/production")
    assert not await neighbors.wait_caught_up(0.05, None, SCOPE)


async def test_the_history_of_others_is_not_waited_for_by_a_read_of_newer_months(
    neighbors: Neighbors, other: sqlite3.Connection
) -> None:
    from_ms = datetime(2026, 11, 5, tzinfo=UTC).timestamp() * 1000
    wait_in(other, 1, 2, month=202610)
    assert await neighbors.wait_caught_up(PATIENCE, int(from_ms), SCOPE)
    wait_in(other, 3, month=UNMAPPED_MONTH)  # it may have events of any month
    assert not await neighbors.wait_caught_up(0.02, int(from_ms), SCOPE)


async def test_a_question_that_missed_its_own_events_is_told_so(tmp_path: Path) -> None:

    async def misses(*_: object) -> bool:
        return False

    with closing(Neighbors(tmp_path / "0", [tmp_path / "1"], misses)) as neighbors:
        assert not await neighbors.wait_caught_up(PATIENCE)


async def test_a_neighbor_that_is_behind_is_hurried(
    tmp_path: Path, neighbors: Neighbors, other: sqlite3.Connection
) -> None:
    async def deliver(*_: object) -> bool:
        other.execute("DELETE FROM chunk")
        return True

    other_worker = Neighbors(tmp_path / "1", [tmp_path / "0"], deliver)
    other_worker.listen()
    with closing(other_worker):
        for number in (1, 2):  # it can be hurried again
            wait_in(other, number)
            assert await neighbors.wait_caught_up(PATIENCE)


async def test_nothing_in_the_directory_holds_up_a_program_that_reads_all_files(
    tmp_path: Path, neighbors: Neighbors
) -> None:
    (tmp_path / "0" / HURRY_SOCKET).touch()  # what a worker left that was killed
    neighbors.listen()
    assert [path for path in (tmp_path / "0").iterdir() if path.is_fifo()] == []
    with pytest.raises(OSError, match="No such device or address"):
        (tmp_path / "0" / HURRY_SOCKET).read_bytes()


async def test_a_directory_may_have_a_long_name(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    hurried = asyncio.Event()

    async def has_heard(*_: object) -> bool:
        hurried.set()
        return True

    for name in ("0", "1"):
        (folder / name).mkdir(parents=True)
    with (
        closing(open_spool_file(folder / "1" / SPOOL_FILE)) as spool,
        closing(Neighbors(folder / "0", [folder / "1"], has_all)) as asking,
        closing(Neighbors(folder / "1", [folder / "0"], has_heard)) as behind,
    ):
        spool.execute("CREATE TABLE chunk (id INTEGER PRIMARY KEY)")
        spool.execute("INSERT INTO chunk VALUES (1)")
        behind.listen()
        await asking.wait_caught_up(0.01)
        await asyncio.wait_for(hurried.wait(), PATIENCE)

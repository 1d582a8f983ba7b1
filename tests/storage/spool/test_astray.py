"""Nobody is told "durable" about a file that is not where the next start looks."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, look, put
from tallyroom.core import failpoints
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.spool.queue import Spool

SCOPE = fresh_scope()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def housed(home: Path) -> Iterator[Spool]:
    spool = Spool(home / "spool.sqlite", bytes)
    yield spool
    spool.close()


def leave(home: Path) -> None:
    home.rename(home.with_name("away"))


def come_back(home: Path) -> None:
    home.with_name("away").rename(home)


def take_the_place(home: Path) -> None:
    home.mkdir()
    for name in ("spool.sqlite", "spool.sqlite-wal"):
        (home / name).write_text("another's")


def contents(home: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in home.iterdir()}


def delete(path: Path) -> None:
    path.unlink()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_moved_and_moved_back(housed: Spool, home: Path) -> None:
    await put(housed, batch(housed, event(SCOPE)))
    leave(home)
    for _ in range(3):
        with pytest.raises(Astray):
            await put(housed, batch(housed, event(SCOPE)))
    with pytest.raises(Astray):
        await asyncio.wrap_future(housed.change(lambda connection: connection.execute("SELECT 1")))
    with pytest.raises(Astray):
        housed.open_reader()
    assert names(home.parent) == ["away"]
    come_back(home)
    await put(housed, batch(housed, event(SCOPE)))
    # The first one that was refused had reached the file; the others were refused before.
    [(events,)] = look(home / "spool.sqlite", "SELECT sum(events) FROM chunk")
    assert (housed.acked_count, events) == (3, 3)
    assert housed.last_id == 3


async def test_moved_in_the_course_of_a_commit(housed: Spool, home: Path) -> None:
    failpoints.configure("spool.commit.after=block")
    waiting = asyncio.create_task(put(housed, batch(housed, event(SCOPE))))
    await asyncio.sleep(0.05)
    leave(home)
    failpoints.release()
    with pytest.raises(Astray):
        await waiting
    failpoints.configure("")
    come_back(home)


@pytest.mark.parametrize("name", ["spool.sqlite", "spool.sqlite-wal"])
async def test_deleted(housed: Spool, home: Path, name: str) -> None:
    await put(housed, batch(housed, event(SCOPE)))
    delete(home / name)
    for _ in range(2):
        with pytest.raises(Astray):
            await put(housed, batch(housed, event(SCOPE)))
    assert name not in names(home)


async def test_replaced_by_a_copy(housed: Spool, home: Path) -> None:
    await put(housed, batch(housed, event(SCOPE)))
    leave(home)
    take_the_place(home)
    with pytest.raises(Astray):
        await put(housed, batch(housed, event(SCOPE)))
    await asyncio.to_thread(housed.close)
    assert contents(home) == {"spool.sqlite": "another's", "spool.sqlite-wal": "another's"}

"""backup.local_store_access; with real stores, one after the other in a process of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.servers.child import Interpreter
from harness.servers.one_of_several import Several
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import Conflict, TallyroomError
from tallyroom.operations.backup.local_store_access import LocalStoreAccess, open_local_access

PRELUDE = """
import asyncio, os, shutil, threading
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from harness.stores.spool_batches import batch, claim_all, put
from harness.stores.event_store import event, fresh_scope
from tallyroom.operations.backup import local_store_access as module
from tallyroom.operations.backup.local_store_access import LocalStoreAccess, open_local_access
from tallyroom.operations.backup.snapshot import DatabaseSnapshot
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.storage.spool.erased_counts import counting_erased
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.event_store.migrate import migrate

module._HOLD_TIMEOUT_SECONDS = module._COUNT_HOLD_TIMEOUT_SECONDS = 0.5

@contextmanager
def parts():
    writer = Writer(EmbeddedBackend(data / "events"))
    migrate(writer)
    spool = Spool(data / "spool.sqlite", lambda count: (1).to_bytes(count, "big"))  # as harness.stores.event_store.event has it
    drain = Drain(spool, writer, SystemClock())
    yield spool, writer, drain, LocalStoreAccess(data, spool, writer, drain)
    drain.stop(0)
    spool.close()
    writer.close()

def short(balance):
    counts = balance.counts
    return balance.events, counts.queued, counts.erased, counts.erasing, balance.missing_count, balance.adds_up, balance.exact

def tried(do):
    try:
        do()
    except TallyroomError as error:
        return error.message
    return "done"
"""


CASE = """
data, scope = Path(folder), fresh_scope()
failpoints.configure("")
"""

Run = Callable[[str], list[str]]


@pytest.fixture
def run(child: Interpreter, tmp_path: Path) -> Run:
    """What a case prints whose `data` is the directory of the test."""
    return lambda code: child.run(CASE + code, folder=str(tmp_path))


@pytest.mark.long
def test_frozen_store_and_spool_agree_while_ingest_goes_on(run: Run) -> None:
    code = """
async def main():
    with parts() as (spool, writer, drain, access):
        drain.start()
        for _ in range(5):
            await put(spool, batch(spool, event(scope)))
        frozen = await asyncio.to_thread(access.freeze)
        await put(spool, batch(spool, event(scope)))
        print(await drain.wait_caught_up(0.2))
        with closing(DatabaseSnapshot(data / "spool.sqlite")) as snapshot:
            counts = snapshot.read_spool_counts()
        print(counts.acknowledged == frozen.balance.events + counts.queued == 6)
        access.release_drain()
        print(await drain.wait_caught_up(5), (data / frozen.folders["events"]).is_dir())
        print(tried(access.release_drain), "|", tried(access.freeze))
        access.thaw()
        print((data / "events" / "shadow").exists(), short(access.freeze().balance))
        access.thaw()

asyncio.run(main())
"""
    assert run(code) == [
        "False",
        "True",
        "True True",
        "The backup took too long to start. | Another backup of this data is running. Wait until it ends.",
        "False (6, 0, 0, 0, 0, True, True)",
    ]


@pytest.mark.long
def test_a_store_that_takes_nothing_is_counted_and_not_backed_up(run: Run) -> None:
    code = """
async def main():
    with parts() as (spool, writer, drain, access):
        failpoints.configure("store.insert=error")
        drain.start()
        await put(spool, batch(spool, event(scope)))
        print(await drain.wait_caught_up(0.3))
        print(tried(access.freeze))
        condition = access.read_condition()
        print(condition.failing, short(condition.balance))
        failpoints.configure("")
        print(await drain.wait_caught_up(9), short(access.read_condition().balance))
        access.freeze()
        access.thaw()

asyncio.run(main())
"""
    assert run(code) == [
        "False",
        "The event store did not accept the queued events within 0 seconds. injected fault at store.insert",
        "injected fault at store.insert (0, 1, 0, 0, 0, True, False)",
        "True (1, 0, 0, 0, 0, True, True)",
    ]


def test_erased_events_are_accounted_for(run: Run) -> None:
    code = """
async def main():
    with parts() as (spool, writer, drain, access):
        drain.start()
        for actor in "aabb":
            await put(spool, batch(spool, event(scope, actor=actor)))
        print(await Erasure(spool, drain, writer).erase_actor(scope, "a"), short(access.read_condition().balance))
        print(await Erasure(spool, drain, writer).erase_environment(scope), short(access.read_condition().balance))

asyncio.run(main())
"""
    assert run(code) == ["2 (2, 0, 2, 0, 0, True, True)", "2 (0, 0, 4, 0, 0, True, True)"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("deletes", "then", "settled"),
    [
        ("", "(3, 0, 0, 2, 0, True, True)", "(3, 0, 0, 0, 0, True, True)"),
        ("ALTER TABLE events DELETE WHERE actor = 'a'", "(1, 0, 0, 2, 2, True, True)", "(1, 0, 2, 0, 0, True, True)"),
    ],
    ids=["before", "after"],
)
def test_an_erasure_that_was_interrupted_is_accounted_for(run: Run, deletes: str, then: str, settled: str) -> None:
    """Before or after the deletion."""
    code = f"""
async def main():
    with parts() as (spool, writer, drain, access):
        drain.start()
        for actor in "aab":
            await put(spool, batch(spool, event(scope, actor=actor)))
        print(await drain.wait_settled(5))
        with suppress(OSError), counting_erased(spool, {{(spool.identity, 202611): 2}}):
            if {deletes!r}:
                writer.command({deletes!r})
            raise OSError
        print(short(access._read_balance(is_settled=False)))
        print(short(access.read_condition().balance))

asyncio.run(main())
"""
    assert run(code) == ["True", then, settled]


def test_lost_events_are_missed(run: Run) -> None:
    code = """
async def main():
    with parts() as (spool, writer, drain, access):
        drain.start()
        await put(spool, batch(spool, event(scope), event(scope)))
        print(await drain.wait_caught_up(5))
        writer.command("ALTER TABLE events DROP PARTITION ID '202611'")
        print(short(access.read_condition().balance))

asyncio.run(main())
"""
    assert run(code) == ["True", "(0, 0, 0, 0, 2, False, True)"]


@pytest.mark.long
def test_without_a_server_the_range_of_a_crash_is_settled_for_a_backup_only(run: Run) -> None:
    code = """
async def crash():
    with parts() as (spool, writer, drain, access):
        for _ in range(2):
            await put(spool, batch(spool, event(scope)))
        spool.change(claim_all).result()
        await put(spool, batch(spool, event(scope)))

asyncio.run(crash())
with open_local_access(data, SystemClock(), settle_open_claim=False) as access:
    print(short(access.read_condition().balance))
with open_local_access(data, SystemClock(), settle_open_claim=True) as access:
    print(short(access.freeze().balance))
    access.release_drain()
    access.thaw()
print(sorted(thread.name for thread in threading.enumerate() if thread.name in ("spool", "drain")))
"""
    assert run(code) == ["(0, 3, 0, 0, 0, True, True)", "(2, 1, 0, 0, 0, True, True)", "[]"]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "has no spool.sqlite"),
        ({"spool.sqlite": b"x"}, "has no events"),
        ({"spool.sqlite": b"x", "events": b""}, "has no events"),
        ({"spool.sqlite": b"", "events": None}, "spool.sqlite is empty"),
        ({"spool.sqlite": b"no database", "events": None}, "file is not a database"),
    ],
)
def test_what_is_no_data_directory_is_left_as_it_is(tmp_path: Path, files: dict[str, bytes | None], words: str) -> None:
    """An empty spool, too: it would become the spool of a server that never ran."""
    for name, content in files.items():
        (tmp_path / name).mkdir() if content is None else (tmp_path / name).write_bytes(content)
    with pytest.raises(TallyroomError, match=words), open_local_access(tmp_path, SystemClock(), settle_open_claim=True):
        pass
    assert {path.name: None if path.is_dir() else path.read_bytes() for path in tmp_path.iterdir()} == files


def test_an_event_store_without_its_tables_is_a_sentence(run: Run, tmp_path: Path) -> None:
    code = """
with parts():
    pass
shutil.rmtree(data / "events")
(data / "events").mkdir()

def enter():
    with open_local_access(data, SystemClock(), settle_open_claim=True):
        pass

print(tried(enter))
"""
    [sentence] = run(code)
    assert sentence == f"The event store in {tmp_path / 'events'} has no tables."


def test_what_a_crash_left_frozen_is_thawed(run: Run) -> None:
    code = """
(data / "events" / "shadow" / "backup").mkdir(parents=True)
with parts():
    print((data / "events" / "shadow").exists())
"""
    assert run(code) == ["False"]


@pytest.mark.long
async def test_a_worker_does_not_freeze_what_all_share(several: Several) -> None:
    async with several.opened("a") as services:
        access = LocalStoreAccess(services.settings.data_dir, services.spool, services.writer, services.drain)
        with pytest.raises(Conflict, match="Use the settings that name that server"):
            access.freeze()
        assert access.read_condition().balance.adds_up

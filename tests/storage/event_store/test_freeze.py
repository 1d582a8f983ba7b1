"""store.freeze and store.check, with stores one after the other in a process of its own: they stop merges, and damage a store on purpose."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.servers.child import Interpreter

PRELUDE = """
import uuid
from pathlib import Path
from harness.stores.event_store import NOW_MS, event, fresh_scope
from tallyroom.storage.spool.row import build_chunks
from tallyroom.storage.event_store.part_check import check_parts, count_events_by_spool_month, count_parts, count_unfinished_deletions
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.event_store.detached_parts import list_detached_parts
from tallyroom.storage.event_store.freeze import attach_detached_parts, freeze, stop_merges, find_table_folders, thaw
from tallyroom.storage.event_store.migrate import migrate, newest_version, read_version

def insert(*rows):
    for chunk in build_chunks(list(rows)):
        writer.insert_events(chunk.body, uuid.uuid4().hex)

def count(table="events"):
    return int(writer.command(f"SELECT count() FROM {table}"))
"""

CASE = """
store = Path(folder) / "events"
writer = Writer(EmbeddedBackend(store))
migrate(writer)
scope = fresh_scope()
"""

Run = Callable[[str], list[str]]
TABLES = ["actor_labels", "bot_counters", "bot_counters_daily", "bot_votes", "events", "hidden_events"]


@pytest.fixture
def run(child: Interpreter, tmp_path: Path) -> Run:
    """What a case prints whose store lies in the folder of the test."""
    return lambda code: child.run(f"{CASE}{code}\nwriter.close()\n", folder=str(tmp_path))


@pytest.mark.long
def test_frozen_parts_outlive_deletion_and_thaw(run: Run) -> None:
    code = """
insert(*(event(scope, actor="ann", label="Ann", timestamp_ms=NOW_MS - month * 2_678_400_000) for month in range(3)))
print(sorted(find_table_folders(writer, store)))
folders = freeze(writer, store, "one")
writer.command("ALTER TABLE events DELETE WHERE 1")
print(count(), sorted(part.name[:6] for part in (store / folders["events"]).iterdir()))
print(len(list((store / folders["actor_labels"]).iterdir())))
thaw(store)
print((store / "shadow").exists())
thaw(store)
"""
    assert run(code) == [
        str(TABLES),
        "0 ['202609', '202610', '202611']",
        "3",
        "False",
    ]


def test_an_empty_table_has_no_folder(run: Run) -> None:
    code = "print([(store / folder).exists() for folder in freeze(writer, store, 'one').values()])"
    assert run(code) == [str([False] * len(TABLES))]


@pytest.mark.long
def test_frozen_parts_can_be_attached_elsewhere(run: Run) -> None:
    """And what comes later is stored beside them, once: no token of before stands in its way."""
    code = """
import shutil
stop_merges(writer)
rows = [event(scope, actor=f"a{n}", label=f"L{n}") for n in range(5)]
insert(*rows)
folders = freeze(writer, store, "one")
shutil.move(store / "shadow", store.parent / "kept")
for table in folders:
    writer.command(f"TRUNCATE TABLE {table}")
for table, folder in folders.items():
    parts = store.parent / "kept" / Path(folder).relative_to("shadow")
    if parts.exists():
        shutil.copytree(parts, store / find_table_folders(writer, store)[table] / "detached", dirs_exist_ok=True)
    print(table, attach_detached_parts(writer, table))
insert(event(scope, actor="late", label="Late"))
print(count(), count("actor_labels"))
writer.close()
writer = Writer(EmbeddedBackend(store))
print(count(), writer.command("SELECT uniqExact(id) FROM events").strip())
"""
    assert run(code) == [
        *(f"{table} {5 if table in {'actor_labels', 'events'} else 0}" for table in TABLES),
        "6 6",
        "6 6",
    ]


@pytest.mark.long
def test_every_part_is_read_and_a_flipped_byte_is_found(run: Run) -> None:
    code = """
stop_merges(writer)
insert(*(event(scope, timestamp_ms=NOW_MS - month * 2_678_400_000) for month in (0, 0, 1)))
print(count_parts(writer) == len(list(check_parts(writer.backend))))
print([(p.part[:6], p.row_count, p.problem) for p in check_parts(writer.backend, "events")])
place = next((store / find_table_folders(writer, store)["events"]).glob("202611*/data.bin"))
place.write_bytes(place.read_bytes()[:-1] + b"?")
found = [(p.part[:6], p.row_count, p.problem[:8]) for p in check_parts(writer.backend, "events") if p.problem]
print(found)
print(list_detached_parts(writer), count_unfinished_deletions(writer))
"""
    assert run(code) == [
        "True",
        "[('202610', 1, ''), ('202611', 2, '')]",
        "[('202611', 2, 'Code: 40')]",
        "[] 0",
    ]


@pytest.mark.long
def test_a_part_that_cannot_be_read_at_the_start_is_put_aside_and_named(run: Run) -> None:
    code = """
insert(event(scope))
place = next((store / find_table_folders(writer, store)["events"]).glob("2026*/columns.txt"))
writer.close()
place.write_bytes(b"rubbish")
writer = Writer(EmbeddedBackend(store))
print(count())
[found] = list_detached_parts(writer)
print(found.build_damage())
"""
    [rows, damage] = run(code)
    assert rows == "0"
    assert damage == (
        "events/202611_1_1_0: set aside (broken-on-start), 1 rows from 2026-11-01T00:00:00.000Z to 2026-11-30T23:59:59.999Z"
    )


def test_events_are_counted_by_spool_and_month(run: Run) -> None:
    code = """
insert(event(scope, spool=1), event(scope, spool=2), event(scope, spool=2), event(scope, spool=2, timestamp_ms=0))
print(sorted(count_events_by_spool_month(writer).items()))
print(read_version(writer) == newest_version())
"""
    assert run(code) == ["[((1, 202611), 1), ((2, 197001), 1), ((2, 202611), 2)]", "True"]


@pytest.mark.long
def test_a_store_can_be_made_at_an_older_schema(run: Run) -> None:
    code = """
older = Path(folder) / "older"
writer.close()
writer = Writer(EmbeddedBackend(older))
print(migrate(writer, 0), read_version(writer), sorted(find_table_folders(writer, older)))
print(migrate(writer) == newest_version(), sorted(find_table_folders(writer, older)))
"""
    assert run(code) == ["0 0 []", f"True {TABLES}"]

"""What an insert wrote is looked at on the disk, and what is not whole there goes again."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope, lines
from harness.suite.few import few
from tallyroom.storage.event_store.backend.embedded import new_parts
from tallyroom.storage.event_store.backend.embedded.connection import EmbeddedConnection
from tallyroom.storage.event_store.backend.embedded.new_parts import NewPart, PartFolders, lacks_description
from tallyroom.storage.event_store.errors import IncompletePart, StoreError

FILES = ["checksums.txt", "columns.txt", "count.txt", "metadata_version.txt", "serialization.json", "data.bin"]


class FullDisk:
    """The connection of a writer whose disk takes each part but for one file, which stays empty, as the engine has it.

    Args:
        connection: the real one.
        table: the table whose next part is hit.
        file: the file that stays empty.
    """

    def __init__(self, connection: Any, table: str, file: str) -> None:
        self._connection, self._table, self._file = connection, table, file
        self.hit = 0
        self.drops = True

    def query(self, sql: str, *args: Any, **options: Any) -> Any:
        if "DROP PART" in sql and not self.drops:
            raise RuntimeError("Code: 243. DB::Exception: Cannot reserve 1.00 MiB")
        answer = self._connection.query(sql, *args, **options)
        if sql.startswith("INSERT INTO events") and not self.hit:
            self.hit += 1
            found = f"SELECT path FROM system.parts WHERE active AND table = '{self._table}' ORDER BY"
            newest = str(
                self._connection.query(f"{found} modification_time DESC, max_block_number DESC", "TabSeparated")
            )
            os.truncate(Path(newest.splitlines()[0]) / self._file, 0)
        return answer

    def close(self) -> None:
        self._connection.close()


@pytest.fixture(autouse=True)
def merges_stopped(event_store: EventStore) -> Iterator[None]:
    """A merge would read what is in memory and write a whole part."""
    event_store.writer.command("SYSTEM STOP MERGES")
    yield
    event_store.writer.command("SYSTEM START MERGES")


def on_a_full_disk(event_store: EventStore, monkeypatch: pytest.MonkeyPatch, table: str, file: str) -> FullDisk:
    connection = event_store.writer._connection
    assert isinstance(connection, EmbeddedConnection)
    disk = FullDisk(connection._connection, table, file)
    monkeypatch.setattr(connection, "_connection", disk)
    return disk


@few(4, "file", FILES)
def test_a_part_that_is_not_whole_on_the_disk_is_taken_back_and_goes_again(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setattr(new_parts, "_LOW_SPACE_BYTES", 2**80)
    scope = fresh_scope()
    body = lines([event(scope), event(scope)])
    disk = on_a_full_disk(event_store, monkeypatch, "events", file)
    with pytest.raises(IncompletePart):
        event_store.writer.insert_events(body, f"{scope.workspace_id}-0")
    assert (disk.hit, event_store.count(scope)) == (1, 0)
    event_store.writer.insert_events(body, f"{scope.workspace_id}-1")
    assert event_store.count(scope) == 2


def test_labels_that_are_not_whole_on_the_disk_are_written_again(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = fresh_scope()
    body = lines([event(scope, actor="ann", label="Ann")])
    on_a_full_disk(event_store, monkeypatch, "actor_labels", "checksums.txt")
    with pytest.raises(IncompletePart):
        event_store.writer.insert_events(body, f"{scope.workspace_id}-0")
    label = "SELECT tupleElement(max(newest), 'label') FROM actor_labels WHERE {scope} GROUP BY actor"
    assert event_store.select(label, scope) == []


def test_nothing_is_found_or_inserted_before_the_part_could_be_taken_back(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = fresh_scope()
    row = event(scope, "opened")
    disk = on_a_full_disk(event_store, monkeypatch, "events", "count.txt")
    disk.drops = False
    first = (scope.workspace_id, scope.environment, "opened", row.timestamp_ms, row.spool, row.seq)
    with pytest.raises(IncompletePart):
        event_store.writer.insert_events(lines([row]), f"{scope.workspace_id}-0")
    with pytest.raises(IncompletePart):
        event_store.writer.has_event(*first)
    with pytest.raises(IncompletePart):
        event_store.writer.insert_events(lines([row]), f"{scope.workspace_id}-1")
    disk.drops = True
    assert not event_store.writer.has_event(*first)
    event_store.writer.insert_events(lines([row]), f"{scope.workspace_id}-1")
    assert event_store.writer.has_event(*first)
    assert event_store.count(scope) == 1


def test_the_disk_and_not_the_rows_are_blamed() -> None:
    assert isinstance(IncompletePart(), StoreError)
    assert not IncompletePart().blames_rows
    assert IncompletePart().suspect_part is None


def test_an_empty_file_of_a_column_is_no_fault(tmp_path: Path) -> None:
    part = NewPart("events", tmp_path / "202611_7_7_0")
    assert not lacks_description(part), "a part that a merge has replaced"
    part.folder.mkdir()
    (part.folder / "lists.values.bin").touch()
    (part.folder / "count.txt").write_text("1")
    assert not lacks_description(part)
    (part.folder / "columns.txt").touch()
    assert lacks_description(part)


def test_only_what_inserts_make_counts_as_new(tmp_path: Path) -> None:
    folders = PartFolders({"events": tmp_path})
    (tmp_path / "202611_6_6_0").mkdir()
    earlier_names = folders.list_names()
    for name in (
        "202611_7_7_0",
        "all_12_12_1",
        "202611_1_7_2",
        "202611_8_8_0_9",
        "tmp_insert_202611_9_9_0",
        "detached",
    ):
        (tmp_path / name).mkdir()
    found = folders.list_new_parts(earlier_names)
    assert sorted(part.name for part in found) == ["202611_7_7_0", "all_12_12_1"]
    assert {part.table for part in found} == {"events"}

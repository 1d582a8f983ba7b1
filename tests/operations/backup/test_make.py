"""The order of its steps, and what it does when spool and store do not agree. Real parts: tests/faults."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.builders.backups import FakeStoreAccess
from tallyroom.core.errors import Unavailable
from tallyroom.operations.backup.make import NoRoom, count_rows, make_backup
from tallyroom.operations.backup.manifest import Manifest, TableEntry
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.snapshot import SnapshotDamaged
from tallyroom.operations.backup.target import TargetRefused
from tallyroom.operations.backup.verify import verify_backup
from tallyroom.operations.installation.last_backup import read_last_backup
from tallyroom.storage.metadata.migrate import migrate
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.queue import Spool


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data directory with two frozen parts; no store is open."""
    data = tmp_path / "data"
    migrate(data / "metadata.sqlite")
    spool = Spool(data / "spool.sqlite", os.urandom)
    for part, rows in (("202610_1_1_0", "2"), ("202611_2_2_0", "1")):
        folder = data / "events" / "shadow" / part
        folder.mkdir(parents=True)
        (folder / "count.txt").write_text(rows)
    yield data
    spool.close()


@pytest.fixture
def access(data: Path) -> FakeStoreAccess:
    access = FakeStoreAccess()
    with closing(Spool(data / "spool.sqlite", os.urandom)) as spool, closing(spool.open_reader()) as reader:
        balance = msgspec.structs.replace(access.frozen.balance, counts=read_spool_counts(reader))
    folders = {"events": "events/shadow", "actor_labels": "events/none"}
    access.frozen = msgspec.structs.replace(access.frozen, balance=balance, folders=folders)
    return access


def make(access: FakeStoreAccess, data: Path, clock: Any, reserve: int = 0) -> Manifest:
    target = data.parent / "backup"
    return make_backup(access, data, target, clock=clock, reserve_bytes=reserve, progress=NoProgress())


def test_it_is_whole_and_the_drain_waits_only_for_the_snapshots(
    access: FakeStoreAccess, data: Path, fake_clock: Any
) -> None:
    made = make(access, data, fake_clock)
    assert access.asked == ["freeze", "release", "thaw"]
    assert verify_backup(data.parent / "backup", NoProgress()).files == made.files
    assert made.created == "2026-11-20T12:00:00.000Z"
    assert made.tables == {"events": TableEntry(3, {"202610": 2, "202611": 1}), "actor_labels": TableEntry(0, {})}
    assert [file.path for file in made.files] == [
        "spool.sqlite",
        "metadata.sqlite",
        "store/events/202610_1_1_0/count.txt",
        "store/events/202611_2_2_0/count.txt",
    ]
    last = read_last_backup(data)
    assert last
    assert (last.created, last.folder, last.size) == (made.created, str(data.parent / "backup"), made.total_bytes)


def test_the_key_of_the_secrets_goes_along(access: FakeStoreAccess, data: Path, fake_clock: Any) -> None:
    (data / "secret.key").write_bytes(b"key")
    made = make(access, data, fake_clock)
    copy = data.parent / "backup" / "secret.key"
    assert copy.read_bytes() == b"key"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert verify_backup(data.parent / "backup", NoProgress()).files == made.files


def test_an_erasure_between_store_and_spool_makes_it_begin_again(
    access: FakeStoreAccess, data: Path, fake_clock: Any
) -> None:
    sound = access.frozen
    counts = msgspec.structs.replace(sound.balance.counts, erased=1)
    stale = msgspec.structs.replace(sound, balance=msgspec.structs.replace(sound.balance, counts=counts))
    answers = [stale, stale, sound]
    access.freeze = lambda: (access.asked.append("freeze"), answers.pop(0))[1]  # type: ignore[method-assign,func-returns-value] # two deeds in one line
    make(access, data, fake_clock)
    assert access.asked == ["freeze", "thaw", "freeze", "thaw", "freeze", "release", "thaw"]


def test_endless_erasures_end_it(access: FakeStoreAccess, data: Path, fake_clock: Any) -> None:
    counts = msgspec.structs.replace(access.frozen.balance.counts, erasing=1)
    balance = msgspec.structs.replace(access.frozen.balance, counts=counts)
    access.frozen = msgspec.structs.replace(access.frozen, balance=balance)
    with pytest.raises(Unavailable, match="constantly being erased"):
        make(access, data, fake_clock)
    assert access.asked == ["freeze", "thaw"] * 5
    assert sorted(path.name for path in data.parent.iterdir()) == ["data"]


def test_a_release_that_comes_too_late_leaves_nothing(access: FakeStoreAccess, data: Path, fake_clock: Any) -> None:
    def late() -> None:
        raise Unavailable("too late")

    access.release_drain = late  # type: ignore[method-assign] # for this test
    with pytest.raises(Unavailable, match="too late"):
        make(access, data, fake_clock)
    assert access.asked == ["freeze", "thaw"]
    assert sorted(path.name for path in data.parent.iterdir()) == ["data"]
    assert read_last_backup(data) is None


def test_without_room_nothing_is_copied(access: FakeStoreAccess, data: Path, fake_clock: Any) -> None:
    """On the disk of the data, the server's reserve stays free."""
    with pytest.raises(NoRoom, match="of which the server reserves"):
        make(access, data, fake_clock, reserve=10**15)
    assert access.asked == ["freeze", "release", "thaw"]
    assert sorted(path.name for path in data.parent.iterdir()) == ["data"]


def test_a_part_that_vanishes_leaves_nothing(access: FakeStoreAccess, data: Path, fake_clock: Any) -> None:
    def release() -> None:
        shutil.rmtree(data / "events" / "shadow" / "202611_2_2_0")
        (data / "events" / "shadow" / "202611_2_2_0").symlink_to("nowhere")

    access.release_drain = release  # type: ignore[method-assign] # for this test
    with pytest.raises(FileNotFoundError):
        make(access, data, fake_clock)
    assert sorted(path.name for path in data.parent.iterdir()) == ["data"]


def test_rows_are_counted_by_partition(tmp_path: Path) -> None:
    for part, rows in (("202610_1_9_3", 10), ("202610_10_10_0", 2), ("all_1_1_0", 7)):
        (tmp_path / part).mkdir()
        (tmp_path / part / "count.txt").write_text(str(rows))
    assert count_rows(tmp_path) == TableEntry(19, {"202610": 12, "all": 7})
    assert count_rows(tmp_path / "none") == TableEntry(0, {})


def test_it_does_not_lie_in_the_data(access: FakeStoreAccess, data: Path, fake_clock: Any) -> None:
    with pytest.raises(TargetRefused, match="Choose a directory elsewhere"):
        make_backup(access, data, data / "backups" / "x", clock=fake_clock, reserve_bytes=0, progress=NoProgress())
    assert access.asked == []
    assert not (data / "backups").exists()


def test_the_directory_that_one_stands_in(
    access: FakeStoreAccess, data: Path, fake_clock: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    make_backup(access, data, Path(), clock=fake_clock, reserve_bytes=0, progress=NoProgress())
    verify_backup(tmp_path / "here", NoProgress())
    last = read_last_backup(data)
    assert last is not None
    assert last.folder == str(tmp_path / "here")


@pytest.mark.parametrize("name", ["metadata.sqlite", "spool.sqlite"])
def test_an_empty_database_is_not_backed_up(
    access: FakeStoreAccess, data: Path, fake_clock: Any, tmp_path: Path, name: str
) -> None:
    other = tmp_path / "other"
    shutil.copytree(data, other)
    for path in other.glob(f"{name}*"):
        path.unlink()
    (other / name).touch()
    with pytest.raises(SnapshotDamaged, match=f"{name} is empty"):
        make(access, other, fake_clock)
    assert not (tmp_path / "backup").exists()

"""Records that changed are set right, and no number is used twice (rules/safety#damaged-events)."""

from contextlib import closing
from pathlib import Path

import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, look, put
from harness.suite.few import few
from tallyroom.storage.spool.chunk_set import ChunkSet
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.stamp import has_identity

SCOPE = fresh_scope()


async def fill(spool: Spool, commits: int) -> None:
    for _ in range(commits):
        await put(spool, batch(spool, event(SCOPE), event(SCOPE)))


def damage(path: Path, *changes: str) -> None:
    with closing(open_spool_file(path)) as connection:
        for change in changes:
            connection.execute(change)


def opened(path: Path) -> Spool:
    return Spool(path, lambda count: b"\x07" * count)


@few(2, "is_empty", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sqlite_sequence SET seq = 1",
        "UPDATE sqlite_sequence SET seq = 'x'",
        "UPDATE sqlite_sequence SET seq = -4",
        "UPDATE sqlite_sequence SET seq = 9223372036854775807",
        "UPDATE sqlite_sequence SET name = 'chunj'",
        "DELETE FROM sqlite_sequence",
        "UPDATE number SET value = 1 WHERE name = 'last_id'",
        "UPDATE number SET value = 'x' WHERE name = 'last_id'",
    ],
)
async def test_no_id_is_used_twice(spool: Spool, path: Path, change: str, is_empty: bool) -> None:
    await fill(spool, 5)
    spool.close()
    damage(path, change, *(["DELETE FROM chunk"] if is_empty else []))
    with closing(opened(path)) as again:
        assert again.last_id == 5
        await fill(again, 1)
        assert again.last_id == 6
    assert look(path, "SELECT max(id) FROM chunk") == [(6,)]
    assert look(path, "SELECT value FROM number WHERE name = 'mended'") == [(1,)]


@pytest.mark.parametrize("name", ["next_seq", "next_seq_copy"])
@pytest.mark.parametrize("value", ["1", "'x'", "-3", "9223372036854775807", "NULL"])
async def test_no_sequence_number_is_used_twice(spool: Spool, path: Path, name: str, value: str) -> None:
    await fill(spool, 5)
    spool.close()
    change = f"UPDATE number SET value = {value} WHERE name = '{name}'"  # of this file
    damage(path, change if value != "NULL" else f"DELETE FROM number WHERE name = '{name}'")
    with closing(opened(path)) as again:
        assert again.last_seq == 10
        assert again.reserve_seqs(1) == 11


@pytest.mark.parametrize("name", ["acked", "stored", "erased", "lost"])
async def test_a_count_that_is_none_follows_from_the_others(spool: Spool, path: Path, name: str) -> None:
    await fill(spool, 5)
    spool.close()
    damage(
        path,
        "DELETE FROM chunk WHERE id = 1",
        "UPDATE number SET value = 2 WHERE name = 'stored'",
        "UPDATE number SET value = 1 WHERE name = 'erased'",
        "INSERT INTO stock VALUES ((SELECT value FROM number WHERE name = 'spool'), 202611, 1)",
        f"UPDATE number SET value = 'x' WHERE name = '{name}'",  # of this file
    )
    with closing(opened(path)) as again:
        assert again.acked_count == 10
        with closing(again.open_reader()) as reader:
            numbers = read_spool_counts(reader)
    assert (numbers.acknowledged, numbers.left_spool, numbers.erased, numbers.written_off) == (10, 2, 1, 0)
    assert numbers.mended_records == 1


async def test_a_spool_that_did_not_change_is_left_alone(spool: Spool, path: Path) -> None:
    await fill(spool, 5)
    before = look(path, "SELECT * FROM number")
    spool.close()
    with closing(opened(path)):
        assert look(path, "SELECT * FROM number") == before
        assert "mended" not in dict(before)


async def test_what_an_older_version_left_did_not_change(spool: Spool, path: Path) -> None:
    await fill(spool, 2)
    spool.close()
    damage(path, "DELETE FROM number WHERE name IN ('last_id', 'next_seq_copy')", "DROP TABLE claim_copy")
    with closing(opened(path)) as again:
        assert (again.last_id, again.last_seq) == (2, 4)
    assert look(path, "SELECT count(*) FROM number WHERE name = 'mended'") == [(0,)]


async def test_without_any_id_the_count_of_events_is_none_that_was_used(spool: Spool, path: Path) -> None:
    await fill(spool, 5)
    spool.close()
    damage(
        path, "DELETE FROM chunk", "UPDATE sqlite_sequence SET seq = 'x'", "DELETE FROM number WHERE name = 'last_id'"
    )
    with closing(opened(path)) as again:
        assert again.last_id == 10


@pytest.mark.parametrize("value", [10**12, -1, 10**18, "x", 2.5])
async def test_a_size_that_changed_does_not_count(spool: Spool, path: Path, value: object) -> None:
    await fill(spool, 3)
    before = spool.waiting_bytes
    spool.close()
    with closing(open_spool_file(path)) as connection:
        connection.execute("UPDATE chunk SET bytes = ? WHERE id > 1", (value,))
    with closing(opened(path)) as again:
        assert again.waiting_bytes == before


async def test_a_count_of_usage_that_is_none_stops_nobody(spool: Spool, path: Path) -> None:
    await fill(spool, 1)
    spool.close()
    damage(path, "UPDATE usage SET events = 'x'")
    with closing(opened(path)) as again:
        await fill(again, 1)
    assert look(path, "SELECT events FROM usage") == [(2,)]


async def test_records_that_change_under_a_server_are_set_right_when_it_looks(spool: Spool, path: Path) -> None:
    await fill(spool, 3)
    spool.change(lambda connection: connection.execute("UPDATE sqlite_sequence SET seq = 1").rowcount).result(9)
    spool.mend().result(9)
    await fill(spool, 1)
    assert spool.last_id == 4


@pytest.mark.parametrize(
    "change", ["DELETE FROM number WHERE name = '{}'", "UPDATE number SET name = 'x' WHERE name = '{}'"]
)
@pytest.mark.parametrize("name", ["acked", "stored", "next_seq"])
async def test_a_number_that_is_missing_is_derived(spool: Spool, path: Path, name: str, change: str) -> None:
    await fill(spool, 3)
    spool.close()
    before = look(path, f"SELECT value FROM number WHERE name = '{name}'")
    damage(path, change.format(name))
    opened(path).close()
    assert look(path, f"SELECT value FROM number WHERE name = '{name}'") == before


async def test_a_spool_without_its_identity_is_not_taken_for_a_new_one(spool: Spool, path: Path) -> None:
    await fill(spool, 1)
    spool.close()
    damage(path, "UPDATE number SET name = 'spoom' WHERE name = 'spool'")
    with closing(open_spool_file(path)) as connection:
        assert not has_identity(connection)
        connection.execute("DELETE FROM number")  # as a crash leaves a spool that is being made
        assert has_identity(connection)


async def test_a_row_that_is_there_twice_is_stored_once(spool: Spool, path: Path) -> None:
    await fill(spool, 3)
    spool.close()
    columns = "month, events, bytes, body, seal"
    damage(path, f"INSERT INTO chunk (id, {columns}) SELECT 103, {columns} FROM chunk WHERE id = 2")
    opened(path).close()
    assert look(path, "SELECT id FROM chunk") == [(1,), (2,), (3,)]


async def test_a_row_whose_id_changed_is_looked_up(spool: Spool, path: Path) -> None:
    """It may be in the store as a part of the range that it belonged to."""
    await fill(spool, 3)
    spool.close()
    damage(path, "UPDATE chunk SET id = 102 WHERE id = 2")
    with closing(opened(path)) as again:
        assert again.last_id == 102
        [group] = again.waiting_chunks.list_groups()
        candidate = again.waiting_chunks.find_candidate(group.lane_month)
        assert candidate is not None
        assert (candidate.chunks, candidate.is_doubtful) == (ChunkSet.of_range(1, 1), True)
    assert look(path, "SELECT value FROM number WHERE name = 'doubtful'") == [(102,)]


async def test_a_trigger_whose_text_changed_is_made_again(spool: Spool, path: Path) -> None:
    spool.close()
    damage(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'NEW.events WHERE', 'NEW.avents WHERE') WHERE name = 'intake_insert'",
    )
    with closing(opened(path)) as again:
        await fill(again, 1)
        assert again.acked_count == 2

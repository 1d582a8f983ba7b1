"""Acknowledged is stored and queued, whatever happens to an event."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, claim_all, put
from tallyroom.storage.spool.claim import finish_claim
from tallyroom.storage.spool.dead_letters import DeadLetter, add_dead_letter, erase_dead_letters
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts, read_spool_counts_quickly, touch_file
from tallyroom.storage.spool.queue import Spool


def numbers(spool: Spool) -> SpoolCounts:
    with closing(spool.open_reader()) as reader:
        found = read_spool_counts(reader)
        assert read_spool_counts_quickly(reader) == found
        return found


def letter(token: str, reason: str, actor: str = "ann") -> DeadLetter:
    return DeadLetter(token, "w", "production", actor, reason, 1, b"x")


async def test_a_new_spool_has_nothing(spool: Spool) -> None:
    found = numbers(spool)
    assert found == SpoolCounts(spool.identity, 0, 0, 0, 0, 0, 0, 0, 1)
    assert found.expected_in_store == 0


async def test_an_event_on_its_way(spool: Spool) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope), event(scope)))
    found = numbers(spool)
    assert (found.acknowledged, found.queued, found.claimed, found.left_spool, found.next_seq) == (2, 2, 0, 0, 3)
    claim = spool.change(claim_all).result()
    await put(spool, batch(spool, event(scope)))
    found = numbers(spool)
    assert (found.acknowledged, found.queued, found.claimed, found.left_spool) == (3, 3, 2, 0)
    assert claim
    spool.change(lambda connection: finish_claim(connection, claim)).result()
    found = numbers(spool)
    assert (found.acknowledged, found.queued, found.claimed, found.left_spool, found.expected_in_store) == (
        3,
        1,
        0,
        2,
        2,
    )


async def test_dead_letters_and_erased_ones_are_not_expected_in_the_store(spool: Spool) -> None:
    await put(spool, batch(spool, *(event(fresh_scope()) for _ in range(5))))
    claim = spool.change(claim_all).result()
    assert claim
    spool.change(lambda connection: add_dead_letter(connection, letter("a", "why"))).result()
    spool.change(lambda connection: add_dead_letter(connection, letter("b", "why", "bob"))).result()
    spool.change(lambda connection: finish_claim(connection, claim)).result()
    assert numbers(spool).expected_in_store == 3
    spool.change(lambda connection: erase_dead_letters(connection, "w", "production", "ann")).result()
    found = numbers(spool)
    assert (found.dead_letters, found.erased, found.expected_in_store) == (1, 1, 3)


async def test_one_look_is_one_state(spool: Spool, path: Path) -> None:
    """In the transaction of its connection, the numbers are those of its beginning."""
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        before = read_spool_counts(reader)
        await put(spool, batch(spool, event(fresh_scope())))
        assert read_spool_counts(reader) == before
        assert reader.in_transaction
        reader.execute("ROLLBACK")
        assert read_spool_counts(reader).acknowledged == 1


async def test_events_that_were_lost_are_not_expected_in_the_store(spool: Spool) -> None:
    assert (
        msgspec.structs.replace(numbers(spool), left_spool=9, dead_letters=1, erased=2, written_off=3).expected_in_store
        == 3
    )


async def test_a_look_of_its_own_leaves_no_transaction_open(spool: Spool) -> None:
    with closing(spool.open_reader()) as reader:
        read_spool_counts(reader)
        assert not reader.in_transaction


async def test_a_touch_changes_nothing_and_finds_a_file_that_nobody_can_write(spool: Spool, path: Path) -> None:
    before = numbers(spool)
    spool.change(touch_file).result()
    assert numbers(spool) == before
    with (
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reader,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        touch_file(reader)

"""Counts erased events, so that what the store holds can be compared with what was acknowledged.

A deletion in the store and its count in the spool cannot share a transaction. So the number is recorded before the
deletion and counted after it; if a crash comes in between, what is really missing settles the count.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.expected_counts import Heap, read_stock
from tallyroom.storage.spool.queue import Spool


@contextmanager
def counted(spool: Spool, events: Mapping[Heap, int]) -> Iterator[None]:
    """Count `events` as erased once the block has deleted them from the store; if it raises, the count stays open."""
    number = spool.change(lambda connection: _begin(connection, spool.identity, events)).result()
    yield
    spool.change(lambda connection: _finish(connection, number)).result()


def settle(connection: sqlite3.Connection, store_events: Mapping[Heap, int], missing: int) -> None:
    """Count what interrupted deletions did delete; a change for `Spool.change`, while no deletion is under way.

    Args:
        connection: the writing connection.
        store_events: the events in the store.
        missing: the number of stored events that are neither in the store nor put aside nor counted as erased; used
            only if the stock was never taken.
    """
    (most,) = connection.execute("SELECT coalesce(sum(events), 0) FROM erasure").fetchone()
    before = read_stock(connection)
    deletions = {
        heap: min(max(before.events.get(heap, 0) - store_events.get(heap, 0), 0), leaving)
        for heap, leaving in before.leaving.items()
    }
    own = sum(events for heap, events in deletions.items() if heap[0] == before.spool)
    total = own if before.is_taken else min(max(missing, 0), most)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (total,))
    expected_counts.add(connection, {heap: -events for heap, events in deletions.items()})
    connection.execute("DELETE FROM erasure")
    connection.execute("DELETE FROM erasure_stock")


def _begin(connection: sqlite3.Connection, spool: int, events: Mapping[Heap, int]) -> int | None:
    own = sum(count for heap, count in events.items() if heap[0] == spool)
    number = connection.execute("INSERT INTO erasure (events) VALUES (?)", (own,)).lastrowid
    connection.executemany(
        "INSERT INTO erasure_stock VALUES (?, ?, ?, ?)", [(number, *heap, count) for heap, count in events.items()]
    )
    return number


def _finish(connection: sqlite3.Connection, number: int | None) -> None:
    connection.execute(
        "UPDATE number SET value = value + (SELECT events FROM erasure WHERE id = ?) WHERE name = 'erased'", (number,)
    )
    cursor = connection.execute("SELECT spool, month, events FROM erasure_stock WHERE erasure_id = ?", (number,))
    expected_counts.add(connection, {(spool, month): -events for spool, month, events in cursor.fetchall()})
    connection.execute("DELETE FROM erasure WHERE id = ?", (number,))
    connection.execute("DELETE FROM erasure_stock WHERE erasure_id = ?", (number,))

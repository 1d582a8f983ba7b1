"""Counts erased events, so that what the store holds can be compared with what was acknowledged.

A deletion's number is recorded before it and counted after it, because they cannot share a transaction. After a crash
in between, the events that are really missing settle the count.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.expected_counts import SpoolMonth, read_expected_counts
from tallyroom.storage.spool.queue import Spool


@contextmanager
def counting_erased(spool: Spool, count_by_spool_month: Mapping[SpoolMonth, int]) -> Iterator[None]:
    """Count events as erased once the block has deleted them from the store; if it raises, the count stays open."""
    begin_erasure = partial(_begin_erasure, own_spool_id=spool.identity, count_by_spool_month=count_by_spool_month)
    erasure_row_id = spool.change(begin_erasure).result()
    yield
    spool.change(lambda connection: _finish_erasure(connection, erasure_row_id)).result()


def settle_erasures(
    connection: sqlite3.Connection, stored_by_spool_month: Mapping[SpoolMonth, int], missing_count: int
) -> None:
    """Count what interrupted deletions have deleted; a change for `Spool.change`, while no deletion is under way.

    `missing_count` counts stored events that are neither there nor put aside nor erased; used only without a stock.
    """
    (max_erased_count,) = connection.execute("SELECT coalesce(sum(events), 0) FROM erasure").fetchone()
    expected = read_expected_counts(connection)
    deleted_by_spool_month = {}
    for spool_month, deleting_count in expected.deleting_by_spool_month.items():
        count = expected.expected_by_spool_month.get(spool_month, 0) - stored_by_spool_month.get(spool_month, 0)
        deleted_by_spool_month[spool_month] = min(max(count, 0), deleting_count)
    own_count = sum(count for (spool, _), count in deleted_by_spool_month.items() if spool == expected.own_spool_id)
    erased_count = own_count if expected.is_known else min(max(missing_count, 0), max_erased_count)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (erased_count,))
    changes = {spool_month: -count for spool_month, count in deleted_by_spool_month.items()}
    expected_counts.add_expected(connection, changes)
    connection.execute("DELETE FROM erasure")
    connection.execute("DELETE FROM erasure_stock")


def _begin_erasure(
    connection: sqlite3.Connection, own_spool_id: int, count_by_spool_month: Mapping[SpoolMonth, int]
) -> int | None:
    own_count = sum(count for (spool, _), count in count_by_spool_month.items() if spool == own_spool_id)
    erasure_row_id = connection.execute("INSERT INTO erasure (events) VALUES (?)", (own_count,)).lastrowid
    connection.executemany(
        "INSERT INTO erasure_stock VALUES (?, ?, ?, ?)",
        [(erasure_row_id, *spool_month, count) for spool_month, count in count_by_spool_month.items()],
    )
    return erasure_row_id


def _finish_erasure(connection: sqlite3.Connection, erasure_row_id: int | None) -> None:
    add_sql = "UPDATE number SET value = value + (SELECT events FROM erasure WHERE id = ?) WHERE name = 'erased'"
    connection.execute(add_sql, (erasure_row_id,))
    stock_sql = "SELECT spool, month, events FROM erasure_stock WHERE erasure_id = ?"
    cursor = connection.execute(stock_sql, (erasure_row_id,))
    expected_counts.add_expected(connection, {(spool, month): -events for spool, month, events in cursor.fetchall()})
    connection.execute("DELETE FROM erasure WHERE id = ?", (erasure_row_id,))
    connection.execute("DELETE FROM erasure_stock WHERE erasure_id = ?", (erasure_row_id,))

"""The number of events that the store must hold, by spool and month (rules/safety#damaged-parts).

Files that disappear leave no trace in the store itself. The stock changes in the transaction that marks a range as
stored, sets an event aside or counts a deletion. So it shows how many events are missing, and from which months.
"""

import sqlite3
from collections.abc import Mapping

import msgspec

from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts

SpoolMonth = tuple[int, int]  # the identity of a spool, and a UTC month as in 202611

UNKNOWN_MONTH = 0  # of events that were already missing when the stock was first taken


class ExpectedCounts(msgspec.Struct, frozen=True):
    """The stock at one moment, ignoring deletions under way."""

    is_known: bool  # the stock is meaningless until the first comparison with the store sets this
    own_spool_id: int
    expected_by_spool_month: dict[SpoolMonth, int]
    deleting_by_spool_month: dict[SpoolMonth, int]  # what deletions under way have taken so far

    def count_missing(self, stored_by_spool_month: Mapping[SpoolMonth, int]) -> dict[int, int]:
        """Return, by month, how many events are neither in the store nor being deleted from it."""
        missing_by_month: dict[int, int] = {}
        for (spool, month), expected_count in self.expected_by_spool_month.items() if self.is_known else ():
            store_count = stored_by_spool_month.get((spool, month), 0)
            if month == UNKNOWN_MONTH:
                store_count = self._count_surplus(stored_by_spool_month)
            missing_count = expected_count - store_count - self.deleting_by_spool_month.get((spool, month), 0)
            if missing_count > 0:
                missing_by_month[month] = missing_by_month.get(month, 0) + missing_count
        return missing_by_month

    def _count_surplus(self, stored_by_spool_month: Mapping[SpoolMonth, int]) -> int:
        """Count this spool's events that reappeared after the stock was taken without them."""
        return sum(
            max(0, stored_count - self.expected_by_spool_month.get((spool, month), 0))
            for (spool, month), stored_count in stored_by_spool_month.items()
            if spool == self.own_spool_id
        )


def read_expected_counts(connection: sqlite3.Connection) -> ExpectedCounts:
    """Read the stock in the current transaction of `connection`."""
    number_by_name = dict(connection.execute("SELECT name, value FROM number WHERE name IN ('spool', 'stocked')"))
    expected_rows = connection.execute("SELECT spool, month, events FROM stock")
    deleting_rows = connection.execute("SELECT spool, month, sum(events) FROM erasure_stock GROUP BY spool, month")
    return ExpectedCounts(
        is_known="stocked" in number_by_name,
        own_spool_id=number_by_name["spool"],
        expected_by_spool_month={(spool, month): count for spool, month, count in expected_rows},
        deleting_by_spool_month={(spool, month): count for spool, month, count in deleting_rows},
    )


def read_spool_and_expected_counts(connection: sqlite3.Connection) -> tuple[SpoolCounts, ExpectedCounts]:
    """Read the counts and the stock at one moment, in a transaction that stays open."""
    connection.execute("BEGIN")
    return read_spool_counts(connection), read_expected_counts(connection)


def add_expected(connection: sqlite3.Connection, change_by_spool_month: Mapping[SpoolMonth, int]) -> None:
    """Count events that the store has; negative changes are events that it never gets or no longer has."""
    connection.executemany(
        "INSERT INTO stock VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events",
        [(*spool_month, change) for spool_month, change in change_by_spool_month.items()],
    )


def set_expected(
    connection: sqlite3.Connection, stored_by_spool_month: Mapping[SpoolMonth, int], missing_count: int
) -> None:
    """Start the stock with what the store has; a change for `Spool.change`, while nothing moves.

    `missing_count` is how many of this spool's events are already missing, from unknown months.
    """
    (spool,) = connection.execute("SELECT value FROM number WHERE name = 'spool'").fetchone()
    connection.execute("DELETE FROM stock")
    add_expected(connection, stored_by_spool_month)
    if missing_count > 0:
        add_expected(connection, {(spool, UNKNOWN_MONTH): missing_count})
    connection.execute("INSERT OR REPLACE INTO number VALUES ('stocked', 1)")


def write_off_missing(
    connection: sqlite3.Connection, stored_by_spool_month: Mapping[SpoolMonth, int], missing_count: int
) -> None:
    """Restart the stock with what the store has, counting `missing_count` as lost; a change like `set_expected`."""
    set_expected(connection, stored_by_spool_month, 0)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'lost'", (max(missing_count, 0),))

"""The number of events that the store must hold, by spool and month (rules/safety#damaged-parts).

If files of the store disappear, they leave no trace in the store itself. The stock changes in the same transaction that
marks a range as stored, puts an event aside or counts a deletion. It therefore shows how many events are missing from
the store, and from which months.
"""

import sqlite3
from collections.abc import Mapping

import msgspec

from tallyroom.storage.spool.event_counts import SpoolNumbers, read_numbers

Heap = tuple[int, int]
"""The identity of a spool, and a UTC month as in 202611."""

UNKNOWN_MONTH = 0
"""The month of events that were already missing when the stock was first taken."""


class Stock(msgspec.Struct, frozen=True):
    """The stock at one moment.

    Attributes:
        is_taken: whether the stock was ever compared with the store; until then, it means nothing.
        spool: the identity that each event of this spool carries.
        events: the number of events that the store must hold, ignoring deletions under way.
        leaving: the number of events that deletions under way take, as far as they have got.
    """

    is_taken: bool
    spool: int
    events: dict[Heap, int]
    leaving: dict[Heap, int]

    def missing(self, store_events: Mapping[Heap, int]) -> dict[int, int]:
        """Return, by month, how many events are neither in the store nor being deleted from it."""
        missing: dict[int, int] = {}
        for (spool, month), events in self.events.items() if self.is_taken else ():
            store_count = self._surplus(store_events) if month == UNKNOWN_MONTH else store_events.get((spool, month), 0)
            lacking = events - store_count - self.leaving.get((spool, month), 0)
            if lacking > 0:
                missing[month] = missing.get(month, 0) + lacking
        return missing

    def _surplus(self, store_events: Mapping[Heap, int]) -> int:
        """Count the events of this spool that came back after the stock was taken without them."""
        own = [(heap, events) for heap, events in store_events.items() if heap[0] == self.spool]
        return sum(max(0, events - self.events.get(heap, 0)) for heap, events in own)


def read_stock(connection: sqlite3.Connection) -> Stock:
    """Read the stock in the current transaction of `connection`."""
    number = dict(connection.execute("SELECT name, value FROM number WHERE name IN ('spool', 'stocked')"))
    events = connection.execute("SELECT spool, month, events FROM stock")
    leaving = connection.execute("SELECT spool, month, sum(events) FROM erasure_stock GROUP BY spool, month")
    return Stock(
        is_taken="stocked" in number,
        spool=number["spool"],
        events={(spool, month): count for spool, month, count in events},
        leaving={(spool, month): count for spool, month, count in leaving},
    )


def read_numbers_and_stock(connection: sqlite3.Connection) -> tuple[SpoolNumbers, Stock]:
    """Read the counts and the stock of one moment, in a transaction that stays open."""
    connection.execute("BEGIN")
    return read_numbers(connection), read_stock(connection)


def add(connection: sqlite3.Connection, events: Mapping[Heap, int]) -> None:
    """Count events that the store has; negative numbers are events that it never takes or no longer has."""
    connection.executemany(
        "INSERT INTO stock VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events",
        [(*heap, count) for heap, count in events.items()],
    )


def take(connection: sqlite3.Connection, store_events: Mapping[Heap, int], missing: int) -> None:
    """Start the stock with what the store has; a change for `Spool.change`, while nothing moves.

    Args:
        connection: the writing connection.
        store_events: the events that the store has.
        missing: the number of this spool's events that the store already lacks, of unknown months.
    """
    (spool,) = connection.execute("SELECT value FROM number WHERE name = 'spool'").fetchone()
    connection.execute("DELETE FROM stock")
    add(connection, store_events)
    if missing > 0:
        add(connection, {(spool, UNKNOWN_MONTH): missing})
    connection.execute("INSERT OR REPLACE INTO number VALUES ('stocked', 1)")


def write_off(connection: sqlite3.Connection, store_events: Mapping[Heap, int], missing: int) -> None:
    """Restart the stock with what the store has, counting `missing` events as lost; a change like `take`."""
    take(connection, store_events, 0)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'lost'", (max(missing, 0),))

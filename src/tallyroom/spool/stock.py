"""What the event store must hold: events by spool and month, counted when acknowledged (rules/safety#damaged-parts).

Files of the store that are gone leave no trace in the store. The stock changes in the transaction that marks a range as
stored, puts an event aside, or counts a deletion, so what is missing from the store is known, and of which month it is.
"""

import sqlite3
from collections.abc import Mapping

import msgspec

Heap = tuple[int, int]
"""Identity of a spool, and a UTC month as in 202611."""

UNPLACED = 0
"""The month of events that were missing already when the stock was first taken."""


class Stock(msgspec.Struct, frozen=True):
    """One look at it.

    Attributes:
        taken: whether it was ever compared with the store; before that, it says nothing.
        spool: the identity that stands in each event of this spool.
        events: how many the store must hold, deletions under way left out.
        leaving: what those deletions take, as far as they have come.
    """

    taken: bool
    spool: int
    events: dict[Heap, int]
    leaving: dict[Heap, int]

    def missing(self, found: Mapping[Heap, int]) -> dict[int, int]:
        """By month, how many events are neither in the store nor on their way out of it."""
        missing: dict[int, int] = {}
        for (spool, month), events in self.events.items() if self.taken else ():
            there = self._surplus(found) if month == UNPLACED else found.get((spool, month), 0)
            lacking = events - there - self.leaving.get((spool, month), 0)
            if lacking > 0:
                missing[month] = missing.get(month, 0) + lacking
        return missing

    def _surplus(self, found: Mapping[Heap, int]) -> int:
        """Events of this spool that came back after the stock was taken without them."""
        own = [(heap, events) for heap, events in found.items() if heap[0] == self.spool]
        return sum(max(0, events - self.events.get(heap, 0)) for heap, events in own)


def read_stock(connection: sqlite3.Connection) -> Stock:
    """The stock, read in the transaction of `connection`."""
    number = dict(connection.execute("SELECT name, value FROM number WHERE name IN ('spool', 'stocked')"))
    events = connection.execute("SELECT spool, month, events FROM stock")
    leaving = connection.execute("SELECT spool, month, sum(events) FROM erasure_stock GROUP BY spool, month")
    return Stock(
        taken="stocked" in number,
        spool=number["spool"],
        events={(spool, month): count for spool, month, count in events},
        leaving={(spool, month): count for spool, month, count in leaving},
    )


def add(connection: sqlite3.Connection, events: Mapping[Heap, int]) -> None:
    """Count events that the store has; below 0, that it never takes or has no more."""
    connection.executemany(
        "INSERT INTO stock VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events",
        [(*heap, count) for heap, count in events.items()],
    )


def take(connection: sqlite3.Connection, found: Mapping[Heap, int], missing: int) -> None:
    """Begin with what the store has; a change for `Spool.change`, while nothing moves.

    Args:
        connection: the writing one.
        found: what the store has.
        missing: how many events of this spool it lacks already, nobody knows of which month.
    """
    (spool,) = connection.execute("SELECT value FROM number WHERE name = 'spool'").fetchone()
    connection.execute("DELETE FROM stock")
    add(connection, found)
    if missing > 0:
        add(connection, {(spool, UNPLACED): missing})
    connection.execute("INSERT OR REPLACE INTO number VALUES ('stocked', 1)")


def write_off(connection: sqlite3.Connection, found: Mapping[Heap, int], missing: int) -> None:
    """Go on with what the store has; `missing` of this spool count as lost. A change as `take`."""
    take(connection, found, 0)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'lost'", (max(missing, 0),))

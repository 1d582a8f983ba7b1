"""How many events were erased, so that what the store holds can be compared with what was acknowledged.

The store cannot delete and count in one transaction with the spool. So the number is written down before the deletion
and counted after it, and what a crash leaves in between is settled by what is really missing.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from tallyroom.spool.queue import Spool


@contextmanager
def counted(spool: Spool, events: int) -> Iterator[None]:
    """Count `events` as erased when the block has deleted them from the store; one that raises leaves it open."""
    number = spool.change(lambda connection: _begin(connection, events)).result()
    yield
    spool.change(lambda connection: _finish(connection, number)).result()


def settle(connection: sqlite3.Connection, missing: int) -> int:
    """Count what deletions that were interrupted did delete; a change for `Spool.change`, while none is under way.

    Args:
        connection: the writing one.
        missing: events that were stored and are neither in the store nor put aside nor counted as erased.

    Returns:
        How many of them the interrupted deletions explain.
    """
    (most,) = connection.execute("SELECT coalesce(sum(events), 0) FROM erasure").fetchone()
    explained: int = min(max(missing, 0), most)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (explained,))
    connection.execute("DELETE FROM erasure")
    return explained


def _begin(connection: sqlite3.Connection, events: int) -> int | None:
    return connection.execute("INSERT INTO erasure (events) VALUES (?)", (events,)).lastrowid


def _finish(connection: sqlite3.Connection, number: int | None) -> None:
    connection.execute(
        "UPDATE number SET value = value + (SELECT events FROM erasure WHERE id = ?) WHERE name = 'erased'", (number,)
    )
    connection.execute("DELETE FROM erasure WHERE id = ?", (number,))

"""What the spool knows of how many events there are."""

import sqlite3

import msgspec


class SpoolNumbers(msgspec.Struct, frozen=True, omit_defaults=True):
    """One look at the spool's counts, all of one transaction.

    Attributes:
        spool: the identity that stands in each of its events.
        acknowledged: events that a sender was told are durable.
        stored: events that left the spool: for the store, or as dead letters.
        queued: events that wait in the spool.
        claimed: those of them in the range that the drain has recorded; it may have inserted them already.
        dead_letters: events put aside that were not erased since.
        erased: events that were deleted on request, dead letters included.
        erasing: events of deletions that have begun and are not counted yet.
        next_seq: sequence number of the next event.
        lost: events that were lost with an event store, as the operator knows; left out of JSON when there are none, as
            in the manifests of backups that know of no losses.
    """

    spool: int
    acknowledged: int
    stored: int
    queued: int
    claimed: int
    dead_letters: int
    erased: int
    erasing: int
    next_seq: int
    lost: int = 0

    @property
    def expected(self) -> int:
        """How many of this spool's events the store must hold, deletions under way left out."""
        return self.stored - self.dead_letters - self.erased - self.lost


_COUNTS = """
SELECT
    (SELECT coalesce(sum(events), 0) FROM chunk),
    (SELECT coalesce(sum(events), 0) FROM chunk, claim WHERE id BETWEEN first_id AND last_id),
    (SELECT count(*) FROM dead_letter),
    (SELECT coalesce(sum(events), 0) FROM erasure)
"""


def read_numbers(connection: sqlite3.Connection) -> SpoolNumbers:
    """The counts, read in the transaction of `connection` or in one of their own."""
    own = not connection.in_transaction
    if own:
        connection.execute("BEGIN")
    try:
        number = dict(connection.execute("SELECT name, value FROM number"))
        queued, claimed, dead_letters, erasing = connection.execute(_COUNTS).fetchone()
    finally:
        if own:
            connection.execute("ROLLBACK")
    return SpoolNumbers(
        spool=number["spool"],
        acknowledged=number["acked"],
        stored=number["stored"],
        queued=queued,
        claimed=claimed,
        dead_letters=dead_letters,
        erased=number["erased"],
        erasing=erasing,
        next_seq=number["next_seq"],
        lost=number.get("lost", 0),  # an older version's spool has no such number
    )


def reasons(connection: sqlite3.Connection, most: int) -> list[tuple[str, int]]:
    """Why events were put aside and how many each, the most frequent first."""
    return connection.execute(
        "SELECT reason, count(*) AS letters FROM dead_letter GROUP BY reason ORDER BY letters DESC, reason LIMIT ?",
        (most,),
    ).fetchall()

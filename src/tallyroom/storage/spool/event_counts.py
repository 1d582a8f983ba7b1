"""The spool's counts of events."""

import sqlite3

import msgspec


class SpoolNumbers(msgspec.Struct, frozen=True, omit_defaults=True):
    """The spool's counts, read in one transaction.

    Attributes:
        spool: the spool's identity, which each of its events carries.
        acknowledged: events acknowledged to their senders.
        stored: events that have left the spool, for the store or as dead letters.
        queued: events that wait in the spool.
        claimed: queued events in the range that the drain has recorded; they may already be inserted.
        dead_letters: events put aside and not erased since.
        erased: deleted events, dead letters included.
        erasing: events of deletions that have begun and are not counted yet.
        next_seq: sequence number of the next event.
        lost: events lost with an event store, with the operator's knowledge; omitted from JSON if there are none, as in
            the manifests of backups that know of no losses.
        mended: how often a record of the spool's own had changed on the disk and was set right; omitted like `lost`.
        unproven: the sequence number from which on events were accepted without the event store, which may show that
            the spool is an older copy; 0 if there are none, and omitted then.
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
    mended: int = 0
    unproven: int = 0

    @property
    def first_unproven(self) -> int:
        """The lowest sequence number that no event in the store may have, if the spool is no older copy."""
        return self.unproven or self.next_seq

    @property
    def expected(self) -> int:
        """The number of this spool's events that the store must hold, ignoring deletions under way."""
        return self.stored - self.dead_letters - self.erased - self.lost


_SUM_OF_CHUNKS = "(SELECT coalesce(sum(events), 0) FROM chunk)"
_DIFFERENCE_OF_COUNTS = "(SELECT sum(CASE name WHEN 'acked' THEN value WHEN 'stored' THEN -value END) FROM number)"
_COUNTS = """
SELECT
    {waiting},
    (SELECT coalesce(sum(events), 0) FROM chunk, claim WHERE id BETWEEN first_id AND last_id),
    (SELECT count(*) FROM dead_letter),
    (SELECT coalesce(sum(events), 0) FROM erasure)
"""


def read_numbers(connection: sqlite3.Connection) -> SpoolNumbers:
    """Read the counts in the current transaction of `connection`, or in a new one if there is none."""
    return _read(connection, _SUM_OF_CHUNKS)


def read_numbers_quickly(connection: sqlite3.Connection) -> SpoolNumbers:
    """Like `read_numbers`, in a time that does not grow with what waits: `queued` is what the other counts leave."""
    return _read(connection, _DIFFERENCE_OF_COUNTS)


def _read(connection: sqlite3.Connection, waiting_sql: str) -> SpoolNumbers:
    is_own_transaction = not connection.in_transaction
    if is_own_transaction:
        connection.execute("BEGIN")
    try:
        numbers = dict(connection.execute("SELECT name, value FROM number"))
        queued_count, claimed_count, dead_letter_count, erasing_count = connection.execute(
            _COUNTS.format(waiting=waiting_sql)
        ).fetchone()
    finally:
        if is_own_transaction:
            connection.execute("ROLLBACK")
    return SpoolNumbers(
        spool=numbers["spool"],
        acknowledged=numbers.get("acked", 0),  # the next start derives what is missing
        stored=numbers.get("stored", 0),
        queued=queued_count,
        claimed=claimed_count,
        dead_letters=dead_letter_count,
        erased=numbers.get("erased", 0),
        erasing=erasing_count,
        next_seq=numbers.get("next_seq", 0),
        lost=numbers.get("lost", 0),  # an older version's spool has no such number
        mended=numbers.get("mended", 0),
        unproven=numbers.get("unproven", 0),
    )


def begin_unproven(connection: sqlite3.Connection) -> None:
    """Note that what comes is accepted without the event store; a change for `Spool.change`."""
    connection.execute(
        "INSERT INTO number SELECT 'unproven', value FROM number WHERE name = 'next_seq' ON CONFLICT DO NOTHING"
    )


def end_unproven(connection: sqlite3.Connection) -> None:
    """Note that the event store shows no older copy; a change for `Spool.change`."""
    connection.execute("DELETE FROM number WHERE name = 'unproven'")


def touch_file(connection: sqlite3.Connection) -> None:
    """Write what is there, to learn whether the file can be written; a change for `Spool.change`."""
    connection.execute("UPDATE number SET value = value WHERE name = 'acked'")


def add_mended_records(connection: sqlite3.Connection, record_count: int) -> None:
    """Count records that were set right; a change for `Spool.change`."""
    connection.execute(
        "INSERT INTO number VALUES ('mended', ?) ON CONFLICT DO UPDATE SET value = value + excluded.value",
        (record_count,),
    )


def count_mended_records(connection: sqlite3.Connection) -> int:
    """Return how often a record was set right."""
    (record_count,) = connection.execute("SELECT coalesce(sum(value), 0) FROM number WHERE name = 'mended'").fetchone()
    return int(record_count)

"""The spool's counts of events."""

import sqlite3

import msgspec

ACKNOWLEDGED_COUNT = "acked"
LEFT_SPOOL_COUNT = "stored"
ERASED_COUNT = "erased"
WRITTEN_OFF_COUNT = "lost"
MENDED_RECORD_COUNT = "mended"
LAST_DOUBTFUL_ID = "doubtful"

_JSON_NAMES = {
    "left_spool": "stored",
    "written_off": "lost",
    "mended_records": "mended",
    "unproven_from_seq": "unproven",
}


class SpoolCounts(msgspec.Struct, frozen=True, omit_defaults=True, rename=_JSON_NAMES):
    """The spool's counts, read in one transaction; the last three are left out of JSON if 0."""

    spool: int  # the spool's identity, which each of its events carries
    acknowledged: int  # events acknowledged to their senders
    left_spool: int  # events that have left the spool, for the store or as dead letters
    queued: int  # events that wait in the spool
    claimed: int  # queued events in the range that the drain has recorded; they may already be inserted
    dead_letters: int  # events put aside and not erased since
    erased: int  # deleted events, including dead letters
    erasing: int  # events of deletions that have begun and are not counted yet
    next_seq: int  # sequence number of the next event
    written_off: int = 0  # events lost with an event store, as accepted by the operator
    mended_records: int = 0  # how often a record of the spool changed on the disk and was repaired
    # The first number accepted without the event store, which may show that the spool is an older copy; 0 if none.
    unproven_from_seq: int = 0

    @property
    def first_unproven_seq(self) -> int:
        """The lowest sequence number that no event in the store may have, unless the spool is an older copy."""
        return self.unproven_from_seq or self.next_seq

    @property
    def expected_in_store(self) -> int:
        """The number of this spool's events that the store must hold, ignoring deletions under way."""
        return self.left_spool - self.dead_letters - self.erased - self.written_off


_SUM_OF_CHUNKS_SQL = "(SELECT coalesce(sum(events), 0) FROM chunk)"
_DIFFERENCE_OF_COUNTS_SQL = "(SELECT sum(CASE name WHEN 'acked' THEN value WHEN 'stored' THEN -value END) FROM number)"
_COUNTS_SQL = """
SELECT
    {queued},
    (SELECT coalesce(sum(events), 0) FROM chunk, claim WHERE id BETWEEN first_id AND last_id),
    (SELECT count(*) FROM dead_letter),
    (SELECT coalesce(sum(events), 0) FROM erasure)
"""


def read_spool_counts(connection: sqlite3.Connection) -> SpoolCounts:
    """Read the counts in the current transaction of `connection`, or in a new one."""
    return _read_counts(connection, _SUM_OF_CHUNKS_SQL)


def read_spool_counts_quickly(connection: sqlite3.Connection) -> SpoolCounts:
    """Like `read_spool_counts`, in constant time: `queued` is computed from the other counts."""
    return _read_counts(connection, _DIFFERENCE_OF_COUNTS_SQL)


def _read_counts(connection: sqlite3.Connection, queued_sql: str) -> SpoolCounts:
    is_own_transaction = not connection.in_transaction
    if is_own_transaction:
        connection.execute("BEGIN")
    try:
        number_by_name = dict(connection.execute("SELECT name, value FROM number"))
        counts_cursor = connection.execute(_COUNTS_SQL.format(queued=queued_sql))
        queued_count, claimed_count, dead_letter_count, erasing_count = counts_cursor.fetchone()
    finally:
        if is_own_transaction:
            connection.execute("ROLLBACK")
    return SpoolCounts(
        spool=number_by_name["spool"],
        acknowledged=number_by_name.get(ACKNOWLEDGED_COUNT, 0),  # the next start derives what is missing
        left_spool=number_by_name.get(LEFT_SPOOL_COUNT, 0),
        queued=queued_count,
        claimed=claimed_count,
        dead_letters=dead_letter_count,
        erased=number_by_name.get(ERASED_COUNT, 0),
        erasing=erasing_count,
        next_seq=number_by_name.get("next_seq", 0),
        written_off=number_by_name.get(WRITTEN_OFF_COUNT, 0),  # an older version's spool has no such number
        mended_records=number_by_name.get(MENDED_RECORD_COUNT, 0),
        unproven_from_seq=number_by_name.get("unproven", 0),
    )


def begin_unproven_intake(connection: sqlite3.Connection) -> None:
    """Record that the following events are accepted without the event store; a change for `Spool.change`."""
    connection.execute(
        "INSERT INTO number SELECT 'unproven', value FROM number WHERE name = 'next_seq' ON CONFLICT DO NOTHING"
    )


def end_unproven_intake(connection: sqlite3.Connection) -> None:
    """Record that the event store shows no older copy; a change for `Spool.change`."""
    connection.execute("DELETE FROM number WHERE name = 'unproven'")


def touch_file(connection: sqlite3.Connection) -> None:
    """Write an unchanged value, to learn whether the file can be written; a change for `Spool.change`."""
    connection.execute("UPDATE number SET value = value WHERE name = 'acked'")


def add_mended_records(connection: sqlite3.Connection, record_count: int) -> None:
    """Count repaired records; a change for `Spool.change`."""
    connection.execute(
        "INSERT INTO number VALUES ('mended', ?) ON CONFLICT DO UPDATE SET value = value + excluded.value",
        (record_count,),
    )


def count_mended_records(connection: sqlite3.Connection) -> int:
    """Return how often a record was repaired."""
    (record_count,) = connection.execute("SELECT coalesce(sum(value), 0) FROM number WHERE name = 'mended'").fetchone()
    return int(record_count)

"""What the spool holds, in memory: counted with each commit, and read from the file after a fault."""

import sqlite3

from tallyroom.storage.spool.claim import read_chunk_sizes, read_last_doubtful_id
from tallyroom.storage.spool.commit_group import CommitGroup
from tallyroom.storage.spool.open_range import read_open_range
from tallyroom.storage.spool.waiting_chunks import WaitingChunks


class Counters:
    """The counters as of the last commit; only the spool's thread changes them."""

    def __init__(self) -> None:
        self.waiting_chunks = WaitingChunks()
        self.acked_count = 0  # events that this spool has ever acknowledged
        self.last_id = 0  # of the newest durable chunk
        # Of the newest durable event. Every event up to it is durable or never will be. If it is read before `last_id`,
        # all of these events are in chunks up to `last_id`.
        self.last_seq = 0
        self.are_stale = True

    def add_group(self, group: CommitGroup) -> None:
        """Add a group that has become durable."""
        for size in group.iterate_sizes(self.last_id + 1):
            self.waiting_chunks.add(size)
        self.last_id += group.row_count  # only now, so that a caller that waits for a chunk finds it
        self.acked_count += group.event_count
        if group.batches:
            self.last_seq = group.batches[-1].last_seq

    def read(self, connection: sqlite3.Connection) -> None:
        """Read everything from the file."""
        self.acked_count = _read_number(connection, "SELECT value FROM number WHERE name = 'acked'")
        sizes, last_doubtful_id = read_chunk_sizes(connection), read_last_doubtful_id(connection)
        self.waiting_chunks.replace(sizes, read_open_range(connection), last_doubtful_id)
        self.last_id = _read_number(
            connection, "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'chunk'"
        )
        self.last_seq = _read_number(connection, "SELECT value FROM number WHERE name = 'next_seq'") - 1
        self.are_stale = False


def _read_number(connection: sqlite3.Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])

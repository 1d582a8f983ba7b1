"""Requests that share one commit."""

import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass

from tallyroom.spool.row import Chunk


@dataclass(slots=True, eq=False)
class Replay:
    """The answer that a client may ask for again: its idempotency key and what it sent."""

    environment: str
    key: str
    fingerprint: bytes
    at_ms: int


@dataclass(slots=True, eq=False)
class Batch:
    """What one request puts into the queue.

    Attributes:
        workspace_id: whose events.
        month: UTC month of receipt, for the monthly count.
        events: how many.
        last_seq: the highest sequence number among them.
        chunks: the rows.
        replay: set when the client sent an idempotency key.
    """

    workspace_id: str
    month: int
    events: int
    last_seq: int
    chunks: list[Chunk]
    replay: Replay | None = None


class Group:
    """The batches of one commit, written as few rows as they allow: one chunk for each month.

    Attributes:
        batches: the requests.
        events: how many events they hold.
        bytes: how many bytes of rows.
        last_id: id of the last chunk, after `write`.
    """

    def __init__(self, batches: list[Batch]) -> None:
        self.batches = batches
        self.events = sum(batch.events for batch in batches)
        self.last_id = 0
        months: defaultdict[int, list[Chunk]] = defaultdict(list)
        for batch in batches:
            for chunk in batch.chunks:
                months[chunk.month].append(chunk)
        self._months = months
        self.bytes = sum(len(chunk.body) for chunks in months.values() for chunk in chunks)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write rows, monthly counts and idempotency keys inside the open transaction."""
        if not self.batches:
            return
        for month, chunks in self._months.items():
            body = b"".join(chunk.body for chunk in chunks)
            row = (month, sum(chunk.events for chunk in chunks), len(body), body)
            written = connection.execute("INSERT INTO chunk (month, events, bytes, body) VALUES (?, ?, ?, ?)", row)
            self.last_id = written.lastrowid or 0
        connection.executemany(
            "INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events",
            [(workspace_id, month, events) for (workspace_id, month), events in self._usage().items()],
        )
        connection.executemany(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?)",
            [
                (batch.workspace_id, kept.environment, kept.key, kept.fingerprint, batch.events, kept.at_ms)
                for batch in self.batches
                if (kept := batch.replay)
            ],
        )
        connection.execute("UPDATE number SET value = value + ? WHERE name = 'acked'", (self.events,))
        last_seq = max(batch.last_seq for batch in self.batches)
        connection.execute("UPDATE number SET value = max(value, ?) WHERE name = 'next_seq'", (last_seq + 1,))

    def _usage(self) -> Counter[tuple[str, int]]:
        usage: Counter[tuple[str, int]] = Counter()
        for batch in self.batches:
            usage[batch.workspace_id, batch.month] += batch.events
        return usage

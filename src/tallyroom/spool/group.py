"""Requests that share one commit."""

import asyncio
import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import msgspec

from tallyroom.spool.row import UNMAPPED, Chunk

_INTAKE = "INSERT INTO intake (month, events, bytes, body, last_seq, usage, replays) VALUES (?, ?, ?, ?, ?, ?, ?)"
_NOTHING = "[]"


class Queued:
    """How a request stands in the queue, for those that are to stand behind it.

    Attributes:
        decided: set when the request stands in the queue, or never will; for the event loop.
        lost: whether nothing of the request is kept.
    """

    __slots__ = ("decided", "lost")

    def __init__(self) -> None:
        self.decided = asyncio.Event()
        self.lost = False


@dataclass(slots=True, eq=False)
class Replay:
    """The answer that a client may ask for again: its idempotency key and what it sent.

    Attributes:
        queued: its own standing in the queue.
        behind: that of the request that it must not overtake; None where nothing under way is in front of it.
    """

    environment: str
    key: str
    fingerprint: str
    at_ms: int
    queued: Queued = field(default_factory=Queued)
    behind: Queued | None = None


@dataclass(slots=True, eq=False)
class IngestBatch:
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

    @property
    def overtakes(self) -> bool:
        """Whether the request that it must not overtake is lost."""
        return self.replay is not None and self.replay.behind is not None and self.replay.behind.lost

    def lose(self) -> None:
        """Nothing of it is kept, nor of what stands behind it."""
        if self.replay is not None:
            self.replay.queued.lost = True


_MOST_UNMAPPED_BYTES = 4_000_000  # about what one mapping may take of the memory and of the drain's time


class Group:
    """The batches of one commit, written as few rows as they allow: one chunk for each month.

    What is yet to be mapped goes into several when it is much.

    Attributes:
        batches: the requests.
        events: how many events they hold.
        bytes: how many bytes of rows.
    """

    def __init__(self, batches: list[IngestBatch]) -> None:
        self.batches = batches
        self.events = sum(batch.events for batch in batches)
        months: defaultdict[int, list[Chunk]] = defaultdict(list)
        for batch in batches:
            for chunk in batch.chunks:
                months[chunk.month].append(chunk)
        self._rows = [*_parted(months.pop(UNMAPPED, [])), *months.values()]
        self.bytes = sum(chunk.size for chunks in self._rows for chunk in chunks)

    @property
    def chunks(self) -> int:
        """How many rows `write` adds; their ids follow one another."""
        return len(self._rows)

    @property
    def is_one_row(self) -> bool:
        """Whether `write` is a single statement, which needs no transaction around it."""
        return self.chunks == 1

    def write(self, connection: sqlite3.Connection) -> None:
        """Write rows, and with the first of them the monthly counts and the idempotency keys of the whole group."""
        last_seq = max((batch.last_seq for batch in self.batches), default=0)
        usage, replays = self._usage(), self._replays()
        for chunks in self._rows:
            body = b"".join([chunk.body for chunk in chunks])
            events = sum(chunk.events for chunk in chunks)
            size = sum(chunk.size for chunk in chunks)
            connection.execute(_INTAKE, (chunks[0].month, events, size, body, last_seq, usage, replays))
            usage = replays = _NOTHING

    def _usage(self) -> str:
        usage: Counter[tuple[str, int]] = Counter()
        for batch in self.batches:
            usage[batch.workspace_id, batch.month] += batch.events
        return _json([(workspace_id, month, events) for (workspace_id, month), events in usage.items()])

    def _replays(self) -> str:
        return _json(
            [
                (batch.workspace_id, kept.environment, kept.key, kept.fingerprint, batch.events, kept.at_ms)
                for batch in self.batches
                if (kept := batch.replay)
            ]
        )


def _parted(chunks: list[Chunk]) -> list[list[Chunk]]:
    """The chunks in rows of a bounded size, each of at least one."""
    rows: list[list[Chunk]] = []
    size = 0
    for chunk in chunks:
        size += chunk.size
        if not rows or size > _MOST_UNMAPPED_BYTES:
            rows.append([])
            size = chunk.size
        rows[-1].append(chunk)
    return rows


def _json(rows: list[tuple[str | int, ...]]) -> str:
    return msgspec.json.encode(rows).decode() if rows else _NOTHING

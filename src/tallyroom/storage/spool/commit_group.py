"""Requests that share one commit."""

import asyncio
import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import msgspec

from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk
from tallyroom.storage.spool.seal import sealed

_INTAKE = (
    "INSERT INTO intake (month, events, bytes, body, seal, last_seq, usage, replays) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_NOTHING = "[]"


class CommitWait:
    """A request's place in the queue, for the requests that must follow it.

    Attributes:
        decided: set when the request is in the queue, or never will be; used on the event loop.
        lost: True if nothing of the request is kept.
        elsewhere_ms: when another worker received the request; 0 if this one did.
    """

    __slots__ = ("decided", "elsewhere_ms", "lost")

    def __init__(self) -> None:
        self.decided = asyncio.Event()
        self.lost = False
        self.elsewhere_ms = 0


@dataclass(slots=True, eq=False)
class Replay:
    """What is kept to answer a request again if the client repeats it: the idempotency key and what was sent.

    Attributes:
        place: the request's own place in the queue.
        behind: the place of the request that it must not overtake; None if no such request is in flight.
        received_ms: when its events were received, once they are in the queue.
    """

    environment: str
    key: str
    fingerprint: str
    at_ms: int
    place: CommitWait = field(default_factory=CommitWait)
    behind: CommitWait | None = None
    received_ms: int = 0


@dataclass(slots=True, eq=False)
class IngestBatch:
    """What one request adds to the queue.

    Attributes:
        workspace_id: the workspace of the events.
        month: UTC month of receipt, for the monthly count.
        events: the number of events.
        last_seq: their highest sequence number.
        chunks: the rows.
        replay: set if the client sent an idempotency key.
    """

    workspace_id: str
    month: int
    events: int
    last_seq: int
    chunks: list[Chunk]
    replay: Replay | None = None

    @property
    def overtakes(self) -> bool:
        """Whether the request that this one must not overtake is lost."""
        return self.replay is not None and self.replay.behind is not None and self.replay.behind.lost

    def lose(self) -> None:
        """Mark the request as lost, so that the requests that follow it are lost, too."""
        if self.replay is not None:
            self.replay.place.lost = True


_MOST_UNMAPPED_BYTES = 4_000_000  # bounds the memory that one mapping uses and the time that it costs the drain


class CommitGroup:
    """The batches of one commit, written in as few rows as possible: one chunk for each month.

    What is yet to be mapped is split into several chunks if it is large.

    Attributes:
        batches: the requests.
        events: their number of events.
        bytes: the size of their rows.
    """

    def __init__(self, batches: list[IngestBatch]) -> None:
        self.batches = batches
        self.events = sum(batch.events for batch in batches)
        months: defaultdict[int, list[Chunk]] = defaultdict(list)
        for batch in batches:
            for chunk in batch.chunks:
                months[chunk.month].append(chunk)
        self._rows = [*_parted(months.pop(UNMAPPED_MONTH, [])), *months.values()]
        self.bytes = sum(chunk.size for chunks in self._rows for chunk in chunks)

    @property
    def chunks(self) -> int:
        """The number of rows that `write` adds; their ids are consecutive."""
        return len(self._rows)

    @property
    def is_one_row(self) -> bool:
        """Whether `write` runs a single statement, which needs no explicit transaction."""
        return self.chunks == 1

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the rows; the first one carries the monthly counts and idempotency keys of the whole group."""
        last_seq = max((batch.last_seq for batch in self.batches), default=0)
        usage, replays = self._usage(), self._replays()
        for chunks in self._rows:
            body = b"".join([chunk.body for chunk in chunks])
            events = sum(chunk.events for chunk in chunks)
            size = sum(chunk.size for chunk in chunks)
            month = chunks[0].month
            frames = [(len(chunk.body), chunk.events) for chunk in chunks] if month == UNMAPPED_MONTH else []
            seal = sealed(month, events, size, body, frames)
            connection.execute(_INTAKE, (month, events, size, body, seal, last_seq, usage, replays))
            usage = replays = _NOTHING

    def _usage(self) -> str:
        usage: Counter[tuple[str, int]] = Counter()
        for batch in self.batches:
            usage[batch.workspace_id, batch.month] += batch.events
        return _json([(workspace_id, month, events) for (workspace_id, month), events in usage.items()])

    def _replays(self) -> str:
        return _json(
            [
                (batch.workspace_id, replay.environment, replay.key, replay.fingerprint, batch.events, replay.at_ms)
                for batch in self.batches
                if (replay := batch.replay)
            ]
        )


def _parted(chunks: list[Chunk]) -> list[list[Chunk]]:
    """Split the chunks into rows of a bounded size, each with at least one chunk."""
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

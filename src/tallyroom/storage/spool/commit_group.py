"""Requests that share one commit."""

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from tallyroom.storage.spool.claim import ChunkSize
from tallyroom.storage.spool.lane import SHARED_LANE, LaneMonth
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk
from tallyroom.storage.spool.seal import build_seal

_INSERT_INTAKE = (
    "INSERT INTO intake (month, events, bytes, body, seal, lane, last_seq, usage, replays, queued_replays)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_EMPTY_JSON_ARRAY = "[]"


class CommitWait:
    """A request's place in the queue, for the requests that must follow it."""

    __slots__ = ("decided", "is_lost", "peer_received_ms")

    def __init__(self) -> None:
        self.decided = asyncio.Event()  # set on the event loop when the request is in the queue or never will be
        self.is_lost = False  # if so, nothing is stored
        self.peer_received_ms = 0  # when another worker received it; 0 if this one did


class KeyQueue(NamedTuple):
    """A queue of idempotency keys: the name that a client gave it, below the id of its API key."""

    api_key: str
    name: str


@dataclass(slots=True, eq=False)
class IdempotentRequest:
    """An idempotency key, with what is needed to answer the request again; `queue` is None for a single key."""

    environment: str
    key: str
    fingerprint: str
    at_ms: int
    queue: KeyQueue | None = None
    commit_wait: CommitWait = field(default_factory=CommitWait)
    previous_wait: CommitWait | None = None  # of the request in flight that this one must not overtake
    received_ms: int = 0  # when its events were received, once they are in the queue
    accepted_count: int = 0  # the number of its events, once they are durable


@dataclass(slots=True, eq=False)
class IngestBatch:
    """What one request adds to the queue; `receipt_month` is in UTC, `last_seq` the highest sequence number."""

    workspace_id: str
    receipt_month: int
    event_count: int
    last_seq: int
    chunks: list[Chunk]
    idempotent_request: IdempotentRequest | None = None
    lane: str = SHARED_LANE

    def fail_with_predecessor(self) -> bool:
        """Mark the request as lost if the one that it must not overtake is lost; return whether it is."""
        request = self.idempotent_request
        if request is None or request.previous_wait is None or not request.previous_wait.is_lost:
            return False
        self.mark_lost()
        return True

    def mark_lost(self) -> None:
        """Mark the request as lost, so that the requests that follow it are lost, too."""
        if self.idempotent_request is not None:
            self.idempotent_request.commit_wait.is_lost = True


_MAX_UNMAPPED_BYTES = 4_000_000  # bounds the memory and the time of mapping one row


class _Row:
    """A row of the queue: chunks of one lane and month."""

    __slots__ = ("_chunks", "byte_count", "event_count", "lane_month")

    def __init__(self, lane_month: LaneMonth, chunks: list[Chunk]) -> None:
        self.lane_month = lane_month
        self._chunks = chunks
        self.event_count = sum([chunk.event_count for chunk in chunks])
        self.byte_count = sum([chunk.byte_count for chunk in chunks])

    def list_values(self) -> tuple[int, int, int, bytes, bytes, str]:
        """Return the values of the first columns in `_INSERT_INTAKE`."""
        lane, month = self.lane_month
        body = b"".join([chunk.body for chunk in self._chunks])
        is_unmapped = month == UNMAPPED_MONTH
        frame_sizes = [(len(chunk.body), chunk.event_count) for chunk in self._chunks] if is_unmapped else []
        seal = build_seal(month, self.event_count, self.byte_count, body, frame_sizes)
        return month, self.event_count, self.byte_count, body, seal, lane


class CommitGroup:
    """The batches of one commit, in one row per lane and month; large unmapped chunks are split into several rows."""

    def __init__(self, batches: list[IngestBatch]) -> None:
        self.batches = batches
        chunks_by_lane_month: defaultdict[tuple[str, int], list[Chunk]] = defaultdict(list)
        for batch in batches:
            for chunk in batch.chunks:
                chunks_by_lane_month[batch.lane, chunk.month].append(chunk)
        self._rows = [
            _Row(LaneMonth(lane, month), row_chunks)
            for (lane, month), chunks in chunks_by_lane_month.items()
            for row_chunks in (_split_into_rows(chunks) if month == UNMAPPED_MONTH else [chunks])
        ]
        self.event_count = sum([row.event_count for row in self._rows])

    @property
    def row_count(self) -> int:
        """The number of rows that `write_rows` adds; their ids are consecutive."""
        return len(self._rows)

    @property
    def is_one_row(self) -> bool:
        """Whether `write_rows` runs a single statement, which needs no explicit transaction."""
        return self.row_count == 1

    def iterate_sizes(self, first_id: int) -> Iterator[ChunkSize]:
        """Yield the sizes of the rows, the first of which got `first_id`."""
        for chunk_id, row in enumerate(self._rows, first_id):
            yield ChunkSize(chunk_id, row.lane_month, row.byte_count)

    def write_rows(self, connection: sqlite3.Connection) -> None:
        """Write the rows; the first one carries the monthly counts and idempotency keys of the whole group."""
        last_seq = max([batch.last_seq for batch in self.batches], default=0)
        group_values: tuple[str, ...] = (self._encode_usage(), *self._encode_answered_keys())
        for row in self._rows:
            connection.execute(_INSERT_INTAKE, (*row.list_values(), last_seq, *group_values))
            group_values = (_EMPTY_JSON_ARRAY,) * len(group_values)

    def _encode_usage(self) -> str:
        count_by_workspace_month: defaultdict[tuple[str, int], int] = defaultdict(int)
        for batch in self.batches:
            count_by_workspace_month[batch.workspace_id, batch.receipt_month] += batch.event_count
        return _encode_json([(*workspace_month, count) for workspace_month, count in count_by_workspace_month.items()])

    def _encode_answered_keys(self) -> tuple[str, str]:
        """Return the keys without a queue, and those of queues."""
        single_keys: list[tuple[str | int, ...]] = []
        queued_keys: list[tuple[str | int, ...]] = []
        for batch in self.batches:
            if request := batch.idempotent_request:
                rows = single_keys if request.queue is None else queued_keys
                answer = (request.fingerprint, batch.event_count, request.at_ms)
                rows.append((batch.workspace_id, request.environment, request.key, *answer, *(request.queue or ())))
        return _encode_json(single_keys), _encode_json(queued_keys)


def _split_into_rows(chunks: list[Chunk]) -> list[list[Chunk]]:
    rows: list[list[Chunk]] = []
    byte_count = 0
    for chunk in chunks:
        byte_count += chunk.byte_count
        if not rows or byte_count > _MAX_UNMAPPED_BYTES:
            rows.append([])
            byte_count = chunk.byte_count
        rows[-1].append(chunk)
    return rows


def _encode_json(rows: list[tuple[str | int, ...]]) -> str:
    return msgspec.json.encode(rows).decode() if rows else _EMPTY_JSON_ARRAY

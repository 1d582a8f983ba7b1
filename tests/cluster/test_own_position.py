"""What is called stored is in the store, however the drain lags behind."""

from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import msgspec

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, put
from tallyroom.cluster.own_position import OwnPosition
from tallyroom.core.peers import SpoolPosition, WaitingEvents
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.spool.claim import ChunkSize
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts
from tallyroom.storage.spool.lane import SHARED_LANE, LaneMonth
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH
from tallyroom.storage.spool.waiting_chunks import WaitingChunks


@dataclass
class Queue:
    last_seq: int = 0
    last_id: int = 0
    waiting_chunks: WaitingChunks = field(default_factory=WaitingChunks)

    def open_reader(self) -> None:
        raise Astray


@dataclass
class Drained:
    drained_chunk_id: int = 0


def log(queue: Queue, drain: Drained) -> OwnPosition:
    parts: Any = queue, drain
    return OwnPosition(*parts)


def test_what_the_drain_has_not_reached_is_not_stored() -> None:
    queue, drain = Queue(10, 1), Drained(0)
    position = log(queue, drain)
    assert position.read_position()[:2] == (10, 0)
    queue.last_seq, queue.last_id = 25, 3
    assert position.read_position()[:2] == (25, 0)
    drain.drained_chunk_id = 2
    assert position.read_position()[:2] == (25, 10)
    drain.drained_chunk_id = 3
    assert position.read_position()[:2] == (25, 25)
    assert position.read_position()[:2] == (25, 25)


def test_a_spool_that_is_empty_from_the_start_is_stored() -> None:
    assert log(Queue(7, 2), Drained(2)).read_position()[:2] == (7, 7)


def test_a_long_standstill_keeps_the_newest() -> None:
    queue, drain = Queue(), Drained(0)
    position = log(queue, drain)
    for number in range(1, 1000):
        queue.last_seq, queue.last_id = 10 * number, number
        position.read_position()
    assert len(position._chunk_ends) == 100
    drain.drained_chunk_id = 50
    assert position.read_position().stored_seq <= 500
    drain.drained_chunk_id = 999
    assert position.read_position()[:2] == (9990, 9990)


async def test_the_counts_come_along(spool: Spool) -> None:
    drain: Any = Drained()
    await put(spool, batch(spool, event(fresh_scope())))
    position = OwnPosition(spool, drain)
    with closing(spool.open_reader()) as reader:
        numbers = read_spool_counts(reader)
    assert msgspec.json.decode(position.read_position().counts_json, type=SpoolCounts) == numbers
    spool.close()
    assert msgspec.json.decode(position.read_position().counts_json, type=SpoolCounts) == numbers


def test_what_waits_is_reported_by_lane_and_month() -> None:
    queue, drain = Queue(10, 1), Drained(0)
    position = log(queue, drain)
    history, newest, unmapped = (LaneMonth(SHARED_LANE, month) for month in (202501, 202611, UNMAPPED_MONTH))
    queue.waiting_chunks.add(ChunkSize(1, history, 100))
    assert position.read_position().waiting_events == [WaitingEvents(*history, 0)]
    queue.last_seq, queue.last_id = 25, 3
    queue.waiting_chunks.add(ChunkSize(2, newest, 100))
    queue.waiting_chunks.add(ChunkSize(3, unmapped, 100))
    assert position.read_position() == SpoolPosition(
        25,
        0,
        waiting_events=[
            WaitingEvents(*unmapped, 10),
            WaitingEvents(*newest, 10),
            WaitingEvents(*history, 0),
        ],
    )


def test_a_claim_waits_until_it_is_stored() -> None:
    queue, drain = Queue(10, 1), Drained(0)
    position, newest = log(queue, drain), LaneMonth(SHARED_LANE, 202611)
    position.read_position()
    queue.last_seq, queue.last_id = 20, 2
    queue.waiting_chunks.add(ChunkSize(2, newest, 100))
    candidate = queue.waiting_chunks.find_candidate(newest)
    assert candidate is not None
    queue.waiting_chunks.begin_claim(candidate)
    assert position.read_position().waiting_events == [WaitingEvents(*newest, 10)]
    queue.waiting_chunks.note_stored()
    assert position.read_position().waiting_events == []


def test_very_many_old_months_are_reported_as_one_that_everybody_waits_for() -> None:
    queue, drain = Queue(500, 500), Drained(0)
    for number in range(500):
        queue.waiting_chunks.add(ChunkSize(number + 1, LaneMonth("ws/production", 100_000 + number), 100))
    waiting_events = log(queue, drain).read_position().waiting_events
    assert waiting_events is not None
    assert [(lane, month) for lane, month, _ in waiting_events] == [
        *(("ws/production", 100_499 - number) for number in range(100)),
        (SHARED_LANE, 100_399),
    ]

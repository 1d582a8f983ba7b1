"""What is called stored is in the store, however the drain lags behind."""

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import msgspec

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, put
from tallyroom.cluster.own_position import OwnPosition
from tallyroom.core.peers import SpoolPosition
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts
from tallyroom.storage.spool.queue import Spool


@dataclass
class Queue:
    last_seq: int = 0
    last_id: int = 0

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
    assert position.read_position() == SpoolPosition(10, 0)
    queue.last_seq, queue.last_id = 25, 3
    assert position.read_position() == SpoolPosition(25, 0)
    drain.drained_chunk_id = 2
    assert position.read_position() == SpoolPosition(25, 10)
    drain.drained_chunk_id = 3
    assert position.read_position() == SpoolPosition(25, 25)
    assert position.read_position() == SpoolPosition(25, 25)


def test_a_spool_that_is_empty_from_the_start_is_stored() -> None:
    assert log(Queue(7, 2), Drained(2)).read_position() == SpoolPosition(7, 7)


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
    assert position.read_position() == SpoolPosition(9990, 9990)


async def test_the_counts_come_along(spool: Spool) -> None:
    drain: Any = Drained()
    await put(spool, batch(spool, event(fresh_scope())))
    position = OwnPosition(spool, drain)
    with closing(spool.open_reader()) as reader:
        numbers = read_spool_counts(reader)
    assert msgspec.json.decode(position.read_position().counts_json, type=SpoolCounts) == numbers
    spool.close()
    assert msgspec.json.decode(position.read_position().counts_json, type=SpoolCounts) == numbers

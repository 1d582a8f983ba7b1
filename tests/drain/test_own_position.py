"""drain.own_position: what is called stored is in the store, however the drain lags behind."""

from dataclasses import dataclass
from typing import Any

from tallyroom.drain.own_position import OwnPosition


@dataclass
class Queue:
    last_seq: int = 0
    last_id: int = 0


@dataclass
class Drained:
    drained_id: int = 0


def log(queue: Queue, drain: Drained) -> OwnPosition:
    parts: Any = queue, drain
    return OwnPosition(*parts)


def test_what_the_drain_has_not_reached_is_not_stored() -> None:
    queue, drain = Queue(10, 1), Drained(0)
    position = log(queue, drain)
    assert position.now() == (10, 0)
    queue.last_seq, queue.last_id = 25, 3
    assert position.now() == (25, 0)
    drain.drained_id = 2
    assert position.now() == (25, 10)
    drain.drained_id = 3
    assert position.now() == (25, 25)
    assert position.now() == (25, 25)


def test_a_spool_that_is_empty_from_the_start_is_stored() -> None:
    assert log(Queue(7, 2), Drained(2)).now() == (7, 7)


def test_a_long_standstill_keeps_the_newest() -> None:
    queue, drain = Queue(), Drained(0)
    position = log(queue, drain)
    for number in range(1, 1000):
        queue.last_seq, queue.last_id = 10 * number, number
        position.now()
    assert len(position._noted) == 100
    drain.drained_id = 50
    assert position.now().stored <= 500
    drain.drained_id = 999
    assert position.now() == (9990, 9990)

"""Whoever wants to look comes before the next move."""

import threading

import pytest

from tallyroom.core.errors import Unavailable
from tallyroom.storage.event_store.pause import MoverHold


def test_whoever_wants_it_comes_before_the_next_range() -> None:
    """A drain under load begins its next range at once; who waits must not starve."""
    hold, ranges, stop = MoverHold(is_inserting=False), [0], threading.Event()

    def drain() -> None:
        while hold.begin_insert():
            ranges[0] += 1
            hold.end_insert()

    thread = threading.Thread(target=drain)
    thread.start()
    for _ in range(20):
        with hold.held(5):
            held_at = ranges[0]
            stop.wait(0.001)
            assert ranges[0] == held_at
    hold.give_up()
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.parametrize("recorded", [True, False], ids=["found begun", "begun now"])
def test_a_range_that_has_begun_is_waited_for(recorded: bool) -> None:
    hold = MoverHold(is_inserting=recorded)
    assert recorded or hold.begin_insert()
    with pytest.raises(Unavailable), hold.held(0):
        pass
    assert hold.begin_insert()  # the same range, tried again, does not wait
    hold.end_insert()
    with hold.held(0):
        pass
    assert hold.begin_insert()  # nobody holds it any more


def test_a_drain_that_ends_begins_nothing_and_is_not_waited_for() -> None:
    hold = MoverHold(is_inserting=False)
    hold.give_up()
    assert not hold.begin_insert()
    with hold.held(0):
        assert not hold.begin_insert()


def test_a_drain_that_waits_ends_at_once() -> None:
    hold, begun = MoverHold(is_inserting=False), list[bool]()
    thread = threading.Thread(target=lambda: begun.append(hold.begin_insert()))
    with hold.held(0):
        thread.start()
        thread.join(0.05)
        assert thread.is_alive()
        hold.give_up()
        thread.join(5)
        assert begun == [False]


def test_whoever_waits_goes_on_at_once() -> None:
    hold, looked, moved = MoverHold(is_inserting=True), threading.Event(), threading.Event()

    def look() -> None:
        with hold.held(300):
            looked.set()
            assert not moved.wait(0.05)

    def move() -> None:
        hold.begin_insert()
        moved.set()

    looking = threading.Thread(target=look)
    looking.start()
    assert not looked.wait(0.05)
    hold.end_insert()
    assert looked.wait(5)
    threading.Thread(target=move).start()
    assert moved.wait(5)
    looking.join(5)

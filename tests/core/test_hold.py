"""core.hold: whoever wants to look comes before the next move."""

import threading

from tallyroom.core.hold import Hold


def test_whoever_wants_it_comes_before_the_next_range() -> None:
    """A drain under load begins its next range at once; who waits must not starve."""
    hold, ranges, stop = Hold(begun=False), [0], threading.Event()

    def drain() -> None:
        while hold.begin():
            ranges[0] += 1
            hold.end()

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

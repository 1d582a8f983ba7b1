"""The drain rests until something is due, is woken for what is due earlier, and looks around in any case."""

import threading
from typing import Any

import pytest

from tallyroom.ingest.drain.pace import Pace


class Waiting:
    """Stands in for the condition: waiting moves the clock."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...

    def notify(self) -> None: ...

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.clock.advance(seconds)


@pytest.fixture
def pace(fake_clock: Any) -> Pace:
    pace = Pace(fake_clock)
    pace._condition = Waiting(fake_clock)  # type: ignore[assignment] # to hear of each wait
    return pace


@pytest.mark.parametrize(("due_after", "rest"), [(0, 0), (-1, 0), (0.2, 0.2), (7, 0.45), (float("inf"), 0.45)])
def test_it_rests_until_something_is_due_but_not_for_long(
    pace: Pace, fake_clock: Any, due_after: float, rest: float
) -> None:
    began = fake_clock.monotonic()
    pace.wait_until_due(lambda: began + due_after - fake_clock.monotonic())
    assert fake_clock.monotonic() - began == pytest.approx(rest)


def test_what_is_due_earlier_ends_the_rest(fake_clock: Any) -> None:
    pace, rests, asked = Pace(fake_clock), [30.0], threading.Event()

    def find_rest_seconds() -> float:
        asked.set()
        return rests[0]

    resting = threading.Thread(target=pace.wait_until_due, args=(find_rest_seconds,))
    resting.start()
    assert asked.wait(30)
    rests[0] = 0
    while resting.is_alive():  # a wake before the wait would be lost
        pace.wake()
        resting.join(0.01)


def test_a_stop_ends_this_rest_and_all_others(pace: Pace, fake_clock: Any) -> None:
    pace.stop()
    began = fake_clock.monotonic()
    pace.wait_until_due(lambda: 9)
    assert fake_clock.monotonic() == began

"""The machine's clock, in the units that the rest counts in."""

import time

from tallyroom.core.clock import SystemClock


def test_it_is_the_machines_time() -> None:
    before = time.time_ns() // 1_000_000
    now = SystemClock().now_ms()
    assert isinstance(now, int)
    assert before <= now <= time.time_ns() // 1_000_000


def test_its_monotonic_seconds_are_the_machines() -> None:
    before = time.monotonic()
    assert before <= SystemClock().monotonic() <= time.monotonic()

"""core.clock: the machine's clock, in the units that the rest counts in."""

import time

from tallyroom.core.clock import SystemClock


def test_it_is_the_machines_time() -> None:
    clock = SystemClock()
    assert abs(clock.now_ms() - time.time() * 1000) < 1000
    assert abs(clock.monotonic() - time.monotonic()) < 1
    assert isinstance(clock.now_ms(), int)


def test_the_monotonic_clock_never_goes_back() -> None:
    clock = SystemClock()
    seen = [clock.monotonic() for _ in range(1000)]
    assert seen == sorted(seen)

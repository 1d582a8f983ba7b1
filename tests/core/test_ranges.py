"""The five rolling windows, and the default (rules/questions#window)."""

from typing import get_args

from tallyroom.core.ranges import DEFAULT_RANGE, RANGE_DURATION_MS, CalendarRange, RangeName, RollingRange


def test_the_windows_are_as_long_as_they_say() -> None:
    assert RANGE_DURATION_MS == {
        "1h": 3_600_000,
        "24h": 86_400_000,
        "7d": 604_800_000,
        "30d": 2_592_000_000,
        "90d": 7_776_000_000,
    }
    assert tuple(RANGE_DURATION_MS) == get_args(RollingRange)
    assert get_args(RangeName) == (*get_args(RollingRange), *get_args(CalendarRange))
    assert DEFAULT_RANGE == "7d"

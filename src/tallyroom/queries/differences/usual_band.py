"""A number's usual band: what it was at the same time of earlier weeks (rules/questions#usual-band)."""

import math
from collections.abc import Sequence
from statistics import median
from zoneinfo import ZoneInfo

import msgspec

from tallyroom.core.times import HOUR_MS
from tallyroom.queries.calendar import shift_ms
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window

WEEK_COUNT = 8
MIN_VALUES = 4

_DEVIATIONS = 3
_MAD_TO_DEVIATION = 1.4826  # for normally distributed values


class UsualBand(msgspec.Struct, frozen=True):
    """The lowest and the highest usual value of a number."""

    low: float
    high: float


def list_earlier_windows(window: Window, timezone: str, first_event_ms: int | None) -> list[Window]:
    """Return the same time of the eight weeks before, oldest first, by the clocks of a time zone.

    Weeks that begin before the first event are left out, and those in which the clocks skip the hour or repeat it.
    """
    zone = ZoneInfo(timezone)
    earlier_windows = [
        Window(
            shift_ms(window.from_ms, "week", -weeks_back, zone),
            shift_ms(window.until_ms + 1, "week", -weeks_back, zone) - 1,
        )
        for weeks_back in range(WEEK_COUNT, 0, -1)
    ]
    return [
        earlier
        for earlier in earlier_windows
        if first_event_ms is not None and first_event_ms <= earlier.from_ms and _is_as_long(earlier, window)
    ]


def _is_as_long(earlier: Window, window: Window) -> bool:
    """Return whether two windows have the same length; days may have different ones."""
    earlier_ms, length_ms = earlier.until_ms + 1 - earlier.from_ms, window.until_ms + 1 - window.from_ms
    return earlier_ms == length_ms or min(earlier_ms, length_ms) > HOUR_MS


def find_usual_band(values: Sequence[Value], *, is_count: bool) -> UsualBand | None:
    """Return the band around the median of the values that are there; None if these are fewer than four."""
    numbers = [float(value) for value in values if value is not None]
    if len(numbers) < MIN_VALUES:
        return None
    middle = median(numbers)
    deviation = _MAD_TO_DEVIATION * median(abs(number - middle) for number in numbers)
    margin = _DEVIATIONS * max(deviation, math.sqrt(max(middle, 1)))
    low = middle - margin
    return UsualBand(low=max(low, 0.0) if is_count else low, high=middle + margin)

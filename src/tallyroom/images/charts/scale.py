"""The position of a value on an axis, and the values that the axis labels (fixtures/charts/ticks.json)."""

import math
import sys
from typing import NamedTuple

from tallyroom.images.charts.number_format import power_of_ten

_ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_ZERO_SPAN_SHARE = 0.35  # if values span at least this share of the largest, their axis includes zero
_HUGE_VALUE = 1e300
_SHRINK_FACTOR = 1e10
_MIN_LABELLED = 1e-300  # smaller values are too small to label
_FLAT_ULPS = 16  # in units of the last place: differences this small are rounding errors
_BLUR_ULPS = 4  # in units of the last place: the tolerance for the position of a value
_FLAT_MARGIN_SHARE = 1.0  # as a share of a value that never changes


class Scale(NamedTuple):
    """A linear mapping from values to pixels."""

    low: float
    high: float
    start_pixel: float
    end_pixel: float

    def to_pixel(self, value: float) -> float:
        """Return the position of `value` in pixels."""
        span = self.high / 2 - self.low / 2  # halves, because the span of huge values would overflow
        share = (value / 2 - self.low / 2) / span if span else 0.5
        return self.start_pixel + share * (self.end_pixel - self.start_pixel)


class Ticks(NamedTuple):
    """The labelled values of an axis, `step` apart; the axis extends from the first to the last."""

    values: list[float]
    step: float


def build_value_ticks(lowest: float, highest: float, max_count: int, *, is_whole: bool = False) -> Ticks:
    """Return at most `max_count` round values that enclose `lowest` to `highest`, if that many can enclose them.

    A value that never changes is in the middle; if values span much of their size, the axis includes zero. With
    `is_whole`, all of them are whole numbers.
    """
    if max(abs(lowest), abs(highest)) > _HUGE_VALUE:
        return _build_huge_ticks(lowest, highest, max_count)
    if max(abs(lowest), abs(highest)) < _MIN_LABELLED:
        return Ticks([0.0, 1.0], 1.0)
    low, high = _find_domain(lowest, highest)
    max_count = max(max_count, 3 if low < 0 < high else 2)  # at least one on each side of zero
    blur = _BLUR_ULPS * math.ulp(max(abs(low), abs(high)))
    step = _choose_step((high - low - blur) / (max_count - 1), is_whole=is_whole)
    while True:
        tolerance = max(1e-9, blur / step)  # of a step
        first_multiple, last_multiple = math.floor(low / step + tolerance), math.ceil(high / step - tolerance)
        if last_multiple - first_multiple + 1 <= max_count:
            break
        step = _choose_step(step * 1.01, is_whole=is_whole)
    return Ticks([number * step for number in range(first_multiple, last_multiple + 1)], step)


def _build_huge_ticks(lowest: float, highest: float, max_count: int) -> Ticks:
    ticks = build_value_ticks(lowest / _SHRINK_FACTOR, highest / _SHRINK_FACTOR, max_count)
    max_float = sys.float_info.max
    values = [min(max(value * _SHRINK_FACTOR, -max_float), max_float) for value in ticks.values]
    return Ticks(values, min(ticks.step * _SHRINK_FACTOR, max_float))


def _find_domain(low: float, high: float) -> tuple[float, float]:
    largest = max(abs(low), abs(high))
    if high - low <= _FLAT_ULPS * math.ulp(largest):
        margin = largest * _FLAT_MARGIN_SHARE
        lowest_shown, highest_shown = low - margin, high + margin
        lowest_shown = max(lowest_shown, 0.0) if low > 0 else lowest_shown
        return lowest_shown, min(highest_shown, 0.0) if high < 0 else highest_shown
    if high / largest - low / largest >= _ZERO_SPAN_SHARE:
        return min(low, 0.0), max(high, 0.0)
    return low, high


def _choose_step(min_step: float, *, is_whole: bool) -> float:
    min_step = max(min_step, 1.0) if is_whole else min_step
    if min_step <= 0 or not math.isfinite(min_step):
        return max(abs(min_step), 5e-324) if math.isfinite(min_step) else 1e308
    power = power_of_ten(max(math.floor(math.log10(min_step)), -307))
    steps = [round_step * power for round_step in _ROUND_STEPS if not is_whole or (round_step * power).is_integer()]
    return next((step for step in steps if step >= min_step * (1 - 1e-9)), 10 * power)

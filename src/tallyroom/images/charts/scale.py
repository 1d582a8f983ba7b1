"""The position of a value on an axis, and the values that the axis labels (fixtures/charts/ticks.json)."""

import math
import sys
from typing import NamedTuple

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_ZERO_FROM = 0.35  # if values span at least this share of the largest, their axis includes zero
_HUGE = 1e300
_SHRINK = 1e10
_NOTHING = 1e-300  # smaller values are too small to label
_FLAT = 16  # in units of the last place: differences this small are rounding errors
_BLUR = 4  # in units of the last place: the tolerance for the position of a value
_FLAT_MARGIN = 1.0  # as a share of a value that never changes


class Scale(NamedTuple):
    """A linear mapping from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of `value` in pixels."""
        span = self.high / 2 - self.low / 2  # halves, because the span of huge values would overflow
        share = (value / 2 - self.low / 2) / span if span else 0.5
        return self.start + share * (self.end - self.start)


class Ticks(NamedTuple):
    """The labelled values of an axis, `step` apart; the axis extends from the first to the last."""

    values: list[float]
    step: float


def value_ticks(lowest: float, highest: float, most: int, *, is_whole: bool = False) -> Ticks:
    """Return round values that enclose `lowest` to `highest`: at most `most`, if those can enclose them.

    A value that never changes is in the middle; if values span much of their size, the axis includes zero. With
    `is_whole`, all of them are whole numbers.
    """
    if max(abs(lowest), abs(highest)) > _HUGE:
        return _shrunken(lowest, highest, most)
    if max(abs(lowest), abs(highest)) < _NOTHING:
        return Ticks([0.0, 1.0], 1.0)
    low, high = _domain(lowest, highest)
    most = max(most, 3 if low < 0 < high else 2)  # at least one on each side of zero
    blur = _BLUR * math.ulp(max(abs(low), abs(high)))
    step = _step((high - low - blur) / (most - 1), is_whole=is_whole)
    while True:
        nothing = max(1e-9, blur / step)  # of a step
        first, last = math.floor(low / step + nothing), math.ceil(high / step - nothing)
        if last - first + 1 <= most:
            break
        step = _step(step * 1.01, is_whole=is_whole)
    return Ticks([number * step for number in range(first, last + 1)], step)


def _shrunken(lowest: float, highest: float, most: int) -> Ticks:
    """Return ticks of values so large that doubling them would overflow."""
    ticks = value_ticks(lowest / _SHRINK, highest / _SHRINK, most)
    most_of_all = sys.float_info.max
    values = [min(max(value * _SHRINK, -most_of_all), most_of_all) for value in ticks.values]
    return Ticks(values, min(ticks.step * _SHRINK, most_of_all))


def _domain(low: float, high: float) -> tuple[float, float]:
    largest = max(abs(low), abs(high))
    if high - low <= _FLAT * math.ulp(largest):
        margin = largest * _FLAT_MARGIN
        lower, upper = low - margin, high + margin
        return max(lower, 0.0) if low > 0 else lower, min(upper, 0.0) if high < 0 else upper
    if high / largest - low / largest >= _ZERO_FROM:
        return min(low, 0.0), max(high, 0.0)
    return low, high


def _step(least: float, *, is_whole: bool) -> float:
    """Return the smallest round step that is at least `least`."""
    least = max(least, 1.0) if is_whole else least
    if least <= 0 or not math.isfinite(least):
        return max(abs(least), 5e-324) if math.isfinite(least) else 1e308
    power = 10.0 ** max(math.floor(math.log10(least)), -307)
    steps = [round_ * power for round_ in _STEPS if not is_whole or (round_ * power).is_integer()]
    return next((step for step in steps if step >= least * (1 - 1e-9)), 10 * power)

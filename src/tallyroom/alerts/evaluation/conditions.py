"""The six conditions (rules/alerts#conditions). The live evaluation and the back-test both decide here.

Doubles decide where they can. Where a value is so near the threshold that rounding could decide, exact fractions do.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from tallyroom.alerts.rule import AlertRule, Condition
from tallyroom.queries.values import Value, fraction_of, to_fifteen

MIN_DAYS = 7
"""How many of the past days must have events before an anomaly can be recognized."""

_FLAT_PERCENT = 1  # of the mean: the deviation where all days were equal
_NEAR = 1e-11  # more than all roundings together, and few values are so near by chance


class Sample(NamedTuple):
    """The events in one window: their number, and the value of the measure over them."""

    events: int
    value: Value


Exactly = Callable[[], Sequence[Fraction | None]]
"""The values of the window and of the earlier ones before they were rounded; None where there is none."""


class Observation(NamedTuple):
    """What a rule is judged by: the window that ends now, and the earlier windows that its condition compares with.

    `earlier` is the window just before for `rises` and `drops`, and for `anomaly` the same window of each of the past
    days, from yesterday back. Without `exactly`, the values count as the decimals that they show.
    """

    current: Sample
    earlier: Sequence[Sample] = ()
    exactly: Exactly | None = None


def holds(
    rule: AlertRule, events: int, value: Value, earlier: Sequence[Sample], exactly: Exactly | None = None
) -> bool:
    """Return whether the rule's condition is true; it never is for a value that is None, except for `nodata`.

    Args:
        rule: the rule.
        events: the number of events in the window.
        value: the value of the measure over them.
        earlier: the windows that the condition compares with.
        exactly: the values before they were rounded; without it, they count as the decimals that they show.
    """
    if rule.condition == "nodata":
        return events == 0
    if value is None or rule.threshold is None:
        return False
    return _DECISIONS[rule.condition](value, rule.threshold, earlier, exactly)


def _is_above(value: float, threshold: float, *_: object) -> bool:
    return value > threshold and not _is_same(value, threshold)


def _is_below(value: float, threshold: float, *_: object) -> bool:
    return value < threshold and not _is_same(value, threshold)


def _is_same(value: float, threshold: float) -> bool:
    """Return whether a value is equal to the threshold in the 15 digits that answers have."""
    if not _is_near(value, threshold, value) or isinstance(value, int) or value.is_integer():
        return value == threshold
    return to_fifteen(value) == to_fifteen(threshold)


def _rises(value: float, threshold: float, earlier: Sequence[Sample], exactly: Exactly | None) -> bool:
    return _exceeds(value, threshold, earlier, exactly, 1)


def _drops(value: float, threshold: float, earlier: Sequence[Sample], exactly: Exactly | None) -> bool:
    return _exceeds(value, threshold, earlier, exactly, -1)


def _exceeds(
    value: float, percent: float, earlier: Sequence[Sample], exactly: Exactly | None, direction: Literal[1, -1]
) -> bool:
    """Return whether a value is more than `percent` of the size of the previous one above it, or for -1 below it."""
    previous = earlier[0].value
    if not previous:
        return False
    change, limit = direction * (value - previous), abs(previous) * percent / 100
    if not _is_near(change, limit, abs(value) + abs(previous) + limit):
        return change > limit
    one, other = _fractions(value, earlier, exactly)
    return direction * (one - other) > abs(other) * Fraction(repr(percent)) / 100


def _is_anomaly(value: float, threshold: float, earlier: Sequence[Sample], exactly: Exactly | None) -> bool:
    past = [sample.value for sample in earlier if sample.events and sample.value is not None]
    if len(past) < MIN_DAYS:
        return False
    lowest, highest = min(past), max(past)
    try:
        mean, deviation = _usual(past, is_flat=lowest == highest)
        distance, limit = abs(value - mean), threshold * deviation
        if not _is_near(distance, limit, (abs(value) + abs(lowest) + abs(highest)) * max(threshold, 1)):
            return deviation > 0 and distance > limit
    except OverflowError:
        pass  # the fractions have no largest number
    current, *fractions = _fractions(value, earlier, exactly)
    days = [
        fraction
        for fraction, sample in zip(fractions, earlier, strict=True)
        if sample.events and sample.value is not None
    ]
    return _is_strange(current, days, Fraction(repr(threshold)), is_flat=lowest == highest)


def _usual(past: Sequence[float], *, is_flat: bool) -> tuple[float, float]:
    """Return the mean of the past days and their deviation from it."""
    if is_flat:
        return past[0], abs(past[0]) * _FLAT_PERCENT / 100
    mean = math.fsum(past) / len(past)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in past) / len(past))


def _is_strange(value: Fraction, days: Sequence[Fraction], threshold: Fraction, *, is_flat: bool) -> bool:
    """Decide without roots: by the squares of the distance and of the deviation."""
    mean = sum(days, Fraction(0)) / len(days)
    variance = (mean * _FLAT_PERCENT / 100) ** 2 if is_flat else sum((day - mean) ** 2 for day in days) / len(days)
    return variance > 0 and (value - mean) ** 2 > threshold**2 * variance


def _fractions(value: float, earlier: Sequence[Sample], exactly: Exactly | None) -> list[Fraction]:
    """Return the value and those of the earlier windows before they were rounded; 0 for a window that has none."""
    values = (value, *(sample.value for sample in earlier))
    exact = [None] * len(values) if exactly is None else exactly()
    return [
        fraction_of(number) or Fraction(0) if fraction is None else fraction
        for fraction, number in zip(exact, values, strict=True)
    ]


def _is_near(one: float, other: float, size: float) -> bool:
    """Return whether roundings of numbers of this size may decide which is greater; also if they left the range."""
    return not _NEAR * abs(size) < abs(one - other) < math.inf


_Decision = Callable[[float, float, Sequence[Sample], Exactly | None], bool]
_DECISIONS: dict[Condition, _Decision] = {
    "above": _is_above,
    "below": _is_below,
    "rises": _rises,
    "drops": _drops,
    "anomaly": _is_anomaly,
}

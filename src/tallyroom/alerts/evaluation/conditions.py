"""The six conditions, for the live evaluation and the back-test (rules/alerts#conditions).

Doubles decide unless a value is so near the threshold that rounding could decide; then exact fractions do.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from tallyroom.alerts.rule import AlertRule, Condition
from tallyroom.queries.values import Value, round_to_15_digits, value_to_fraction

MIN_PAST_DAY_COUNT = 7
"""The number of past days that must have events before an anomaly can be recognized."""

_CONSTANT_PERCENT = 1  # of the mean: the deviation if all days were equal
_MAX_ROUNDING_RATIO = 1e-11  # more than the sum of all rounding errors, and few values are so near by chance


class Sample(NamedTuple):
    """The events in one window: their number, and the value of the measure over them."""

    event_count: int
    value: Value


ExactValuesGetter = Callable[[], Sequence[Fraction | None]]
"""The unrounded values of the window and of the earlier ones; None for a window without a value."""


class Observation(NamedTuple):
    """What a rule is judged by: the window that ends now, and the earlier windows that its condition compares with.

    The earlier window is the preceding one for `rises` and `drops`, and the same window of each past day, newest first,
    for `anomaly`. Without `get_exact_values`, values are compared as the decimals that they show.
    """

    current_sample: Sample
    earlier_samples: Sequence[Sample] = ()
    get_exact_values: ExactValuesGetter | None = None


def is_condition_met(
    rule: AlertRule,
    event_count: int,
    value: Value,
    earlier_samples: Sequence[Sample],
    get_exact_values: ExactValuesGetter | None = None,
) -> bool:
    """Return whether the condition is true for the fields of an `Observation`; without a value, only `nodata` is."""
    if rule.condition == "nodata":
        return event_count == 0
    if value is None or rule.threshold is None:
        return False
    return _CONDITION_TESTS[rule.condition](value, rule.threshold, earlier_samples, get_exact_values)


def _is_above(value: float, threshold: float, *_: object) -> bool:
    return value > threshold and not _is_same(value, threshold)


def _is_below(value: float, threshold: float, *_: object) -> bool:
    return value < threshold and not _is_same(value, threshold)


def _is_same(value: float, threshold: float) -> bool:
    """Return whether a value is equal to the threshold in the 15 digits that answers have."""
    if not _is_near(value, threshold, value) or isinstance(value, int) or value.is_integer():
        return value == threshold
    return round_to_15_digits(value) == round_to_15_digits(threshold)


def _is_change_above(
    value: float,
    threshold_percent: float,
    earlier_samples: Sequence[Sample],
    get_exact_values: ExactValuesGetter | None,
    *,
    direction: Literal[1, -1],
) -> bool:
    """Return whether a value is that many percent of the size of the previous one above it, or for -1 below it."""
    previous = earlier_samples[0].value
    if not previous:
        return False
    change, limit = direction * (value - previous), abs(previous) * threshold_percent / 100
    if not _is_near(change, limit, abs(value) + abs(previous) + limit):
        return change > limit
    exact_value, exact_previous = _list_exact_values(value, earlier_samples, get_exact_values)
    return direction * (exact_value - exact_previous) > abs(exact_previous) * Fraction(repr(threshold_percent)) / 100


def _is_anomaly(
    value: float, deviation_factor: float, earlier_samples: Sequence[Sample], get_exact_values: ExactValuesGetter | None
) -> bool:
    past_values = [sample.value for sample in earlier_samples if sample.event_count and sample.value is not None]
    if len(past_values) < MIN_PAST_DAY_COUNT:
        return False
    lowest, highest = min(past_values), max(past_values)
    try:
        mean, deviation = _mean_and_deviation(past_values, is_constant=lowest == highest)
        distance, limit = abs(value - mean), deviation_factor * deviation
        if not _is_near(distance, limit, (abs(value) + abs(lowest) + abs(highest)) * max(deviation_factor, 1)):
            return deviation > 0 and distance > limit
    except OverflowError:
        pass  # the fractions have no largest number
    exact_value, *exact_earlier_values = _list_exact_values(value, earlier_samples, get_exact_values)
    pairs = zip(exact_earlier_values, earlier_samples, strict=True)
    exact_past_values = [exact for exact, sample in pairs if sample.event_count and sample.value is not None]
    factor = Fraction(repr(deviation_factor))
    return _is_exact_anomaly(exact_value, exact_past_values, factor, is_constant=lowest == highest)


def _mean_and_deviation(past_values: Sequence[float], *, is_constant: bool) -> tuple[float, float]:
    if is_constant:
        return past_values[0], abs(past_values[0]) * _CONSTANT_PERCENT / 100
    mean = math.fsum(past_values) / len(past_values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in past_values) / len(past_values))


def _is_exact_anomaly(
    value: Fraction, past_values: Sequence[Fraction], deviation_factor: Fraction, *, is_constant: bool
) -> bool:
    """Decide without roots: by the squares of the distance and of the deviation."""
    mean = sum(past_values, Fraction(0)) / len(past_values)
    variance = (
        (mean * _CONSTANT_PERCENT / 100) ** 2
        if is_constant
        else sum((past_value - mean) ** 2 for past_value in past_values) / len(past_values)
    )
    return variance > 0 and (value - mean) ** 2 > deviation_factor**2 * variance


def _list_exact_values(
    value: float, earlier_samples: Sequence[Sample], get_exact_values: ExactValuesGetter | None
) -> list[Fraction]:
    """Return the unrounded values of the window and of the earlier ones; 0 for a window without a value."""
    rounded_values = (value, *(sample.value for sample in earlier_samples))
    exact_values = [None] * len(rounded_values) if get_exact_values is None else get_exact_values()
    return [
        value_to_fraction(rounded_value) or Fraction(0) if exact_value is None else exact_value
        for exact_value, rounded_value in zip(exact_values, rounded_values, strict=True)
    ]


def _is_near(left: float, right: float, magnitude: float) -> bool:
    """Return whether rounding errors of this `magnitude`, or an overflow, may decide which number is greater."""
    return not _MAX_ROUNDING_RATIO * abs(magnitude) < abs(left - right) < math.inf


_ConditionTest = Callable[[float, float, Sequence[Sample], ExactValuesGetter | None], bool]
_CONDITION_TESTS: dict[Condition, _ConditionTest] = {
    "above": _is_above,
    "below": _is_below,
    "rises": partial(_is_change_above, direction=1),
    "drops": partial(_is_change_above, direction=-1),
    "anomaly": _is_anomaly,
}

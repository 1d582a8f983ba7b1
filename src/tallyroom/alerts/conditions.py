"""The six conditions (rules/alerts#conditions). The live evaluation and the back-test both decide here."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from tallyroom.alerts.rule import AlertRule, Condition
from tallyroom.engine.values import Value

LEAST_DAYS = 7
"""How many of the past days must have events before an anomaly can be recognized."""

_LEAST_DEVIATION = 0.01  # of the mean, where all days were equal
_NEAR = 1e-9


class Sample(NamedTuple):
    """The events in one window: their number, and the value of the measure over them."""

    events: int
    value: Value


class Observation(NamedTuple):
    """What a rule is judged by: the window that ends now, and the earlier windows that its condition compares with.

    `earlier` is the window just before for `rises` and `drops`, and for `anomaly` the same window of each of the past
    days, from yesterday back.
    """

    current: Sample
    earlier: Sequence[Sample] = ()


def holds(rule: AlertRule, events: int, value: Value, earlier: Sequence[Sample]) -> bool:
    """Return whether the rule's condition is true; it never is for a value that is None, except for `nodata`.

    Args:
        rule: the rule.
        events: the number of events in the window.
        value: the value of the measure over them.
        earlier: the windows that the condition compares with.
    """
    if rule.condition == "nodata":
        return events == 0
    if value is None or rule.threshold is None:
        return False
    return _DECISIONS[rule.condition](value, rule.threshold, earlier)


def _is_above(value: float, threshold: float, _: Sequence[Sample]) -> bool:
    return value > threshold


def _is_below(value: float, threshold: float, _: Sequence[Sample]) -> bool:
    return value < threshold


def _rises(value: float, threshold: float, earlier: Sequence[Sample]) -> bool:
    previous = earlier[0].value
    return bool(previous) and _exceeds(value, previous or 0, threshold)


def _drops(value: float, threshold: float, earlier: Sequence[Sample]) -> bool:
    previous = earlier[0].value
    return bool(previous) and _exceeds(-value, -(previous or 0), threshold)


def _exceeds(value: float, previous: float, percent: float) -> bool:
    """Return whether `value` is more than `percent` of the size of `previous` above it.

    Where doubles cannot tell, the decimals that people see decide: from 1.0 to 1.1 is 10 %, not more.
    """
    change, allowed = value - previous, abs(previous) * percent / 100
    if not math.isclose(change, allowed, rel_tol=_NEAR):
        return change > allowed
    one, other = Decimal(repr(value)), Decimal(repr(previous))
    return one - other > abs(other) * Decimal(repr(percent)) / 100


def _is_anomaly(value: float, threshold: float, earlier: Sequence[Sample]) -> bool:
    past = [sample.value for sample in earlier if sample.events and sample.value is not None]
    if len(past) < LEAST_DAYS:
        return False
    mean = math.fsum(past) / len(past)
    if min(past) == max(past):
        mean, deviation = past[0], abs(past[0]) * _LEAST_DEVIATION
    else:
        deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in past) / len(past))
    distance, allowed = abs(value - mean), threshold * deviation
    return deviation > 0 and distance > allowed and not math.isclose(distance, allowed, rel_tol=_NEAR)


_DECISIONS: dict[Condition, Callable[[float, float, Sequence[Sample]], bool]] = {
    "above": _is_above,
    "below": _is_below,
    "rises": _rises,
    "drops": _drops,
    "anomaly": _is_anomaly,
}

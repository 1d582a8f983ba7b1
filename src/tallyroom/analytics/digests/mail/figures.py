"""Numbers in full, and changes in words (rules/digests#numbers)."""

import math
from decimal import Decimal
from typing import Literal, NamedTuple

from tallyroom.engine.config import Good
from tallyroom.engine.values import Value

NO_VALUE = "–"  # noqa: RUF001 # a dash as long as a digit

Mood = Literal["good", "bad", "neutral"]

_MOST_DECIMALS = 6
_LARGEST = 10**15
_SMALLEST = 1e-6
_LEAST_PERCENT = 0.05


class Change(NamedTuple):
    """How a number differs from the one before: an arrow, words that say it all without a color, and what it means."""

    arrow: str
    words: str
    mood: Mood


def in_full(value: Value) -> str:
    """Write a number with all of its digits; long fractions are rounded, to two decimals or three digits."""
    if value is None:
        return NO_VALUE
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) >= _LARGEST or 0 < abs(value) < _SMALLEST:
        return f"{value:.6g}"
    exact = Decimal(repr(value))
    exponent = exact.normalize().as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _MOST_DECIMALS:
        digits = 2 if abs(value) >= 1 else 2 - math.floor(math.log10(abs(value)))
        exact = round(exact, digits)
    return f"{exact.normalize():,f}"


def percent(fraction: float) -> str:
    """Write a fraction as a percentage with one decimal at most."""
    number = abs(fraction) * 100
    if 0 < number < _LEAST_PERCENT:
        return "less than 0.1%"
    return f"{round(number, 1):,.1f}".removesuffix(".0") + "%"


def change_of(value: Value, previous: Value, delta: float | None, good: Good | None) -> Change | None:
    """Return the change from `previous` to `value`; None if there is nothing to compare with."""
    if value is None or previous is None:
        return None
    if value == previous:
        return Change("=", f"the same as before ({in_full(previous)})", "neutral")
    is_up = value > previous
    mood = _mood(good, is_up=is_up)
    judged = {"good": ", better", "bad": ", worse", "neutral": ""}[mood]
    much = f"{percent(delta)} " if delta is not None else ""
    return Change("▲" if is_up else "▼", f"{much}{'up' if is_up else 'down'} from {in_full(previous)}{judged}", mood)


def _mood(good: Good | None, *, is_up: bool) -> Mood:
    if good not in {"up", "down"}:
        return "neutral"
    return "good" if (good == "up") == is_up else "bad"

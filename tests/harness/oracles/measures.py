"""Measures in plain Python: the oracle of queries/measures."""

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any

from harness.oracles.filters import exact_numbers_of, numbers_of, texts_of
from harness.stores.questions import Happened

_LEVELS = {"median": 0.5, "p95": 0.95, "p99": 0.99}


def measure(measure_: str, property_: str | None, events: Iterable[Happened]) -> float | None:
    """What a measure of these events is; None where it has no value."""
    found = list(events)
    if property_ is None:
        return len(found) if measure_ == "count" else len({each.actor for each in found} - {""})
    if measure_ == "uniq":
        return len({value for each in found for value in _values(property_, each)})
    numbers = sorted(number for each in found for number in numbers_of(property_, each))
    if not numbers:
        return 0 if measure_ == "sum" else None
    if measure_ in _LEVELS:
        return _finite(quantile(numbers, _LEVELS[measure_]))
    if measure_ in {"sum", "avg"}:
        return total(numbers, average=measure_ == "avg")
    return {"min": numbers[0], "max": numbers[-1]}[measure_]


def total(numbers: Sequence[float], *, average: bool = False) -> float | None:
    """The sum or the average: of decimals as they were sent, of other doubles bit for bit, to 15 digits."""
    exact = sum((_as_sent(float(each)) for each in numbers), Fraction(0))
    if average:
        if not numbers:
            return None
        exact /= len(numbers)
    if exact.denominator == 1 and abs(exact) < 2**53:
        return int(exact)
    digits = Context(prec=15, rounding=ROUND_DOWN if abs(exact) > 1.797693134862315e308 else ROUND_HALF_EVEN)
    shown = float(digits.divide(Decimal(exact.numerator), Decimal(exact.denominator)))
    return int(shown) if shown.is_integer() and abs(shown) < 2**53 else _finite(shown)


def _as_sent(number: float) -> Fraction:
    """A short decimal is what its shortest text says."""
    text = Decimal(repr(number))
    is_short = abs(text) <= 10**9 and text == round(text, 6)
    return Fraction(text if is_short else number)


def quantile(ordered: Sequence[float], level: float) -> float:
    """R-7: linear between the two values around the place ``(n - 1) · level``."""
    index = (len(ordered) - 1) * level
    below = math.floor(index)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (index - below) * (ordered[above] - ordered[below])


def alike(one: Any, other: Any) -> bool:
    """Whether two answers are equal but for the last bits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) or isinstance(other, float) or (_is_rounded(one) and _is_rounded(other)):
        return one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return type(one) is type(other) and bool(one == other)


def _is_rounded(value: Any) -> bool:
    """A whole number to which the sum of doubles has no neighbour one away."""
    return isinstance(value, int) and abs(value) > 2**52


def change(value: Any, previous: Any) -> float | None:
    """The change as a fraction of what was before; None where there was nothing, or where it is no double."""
    return None if value is None or not previous else _finite(float((value - previous) / abs(previous)))


def _values(key: str, event: Happened) -> list[Any]:
    """The values that `key` has: the text 1, the number 1 and the boolean true are different from each other."""
    sent = event.properties.get(key.removeprefix("prop:"))
    kind = "sent" if isinstance(sent, bool | dict) else "text"
    return [
        *((kind, text) for text in texts_of(key, event)),
        *(("number", each) for each in exact_numbers_of(key, event)),
    ]


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None

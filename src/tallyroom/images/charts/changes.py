"""How a number differs from the one before, in words (rules/questions#changes, fixtures/charts/changes.json)."""

from math import inf, isfinite
from typing import Literal, NamedTuple

from tallyroom.images.charts.number_format import format_number, format_percent, format_short

Direction = Literal["up", "down", "none"]

_MAX_SHARE_FACTOR = 3  # a number that is more than so many times the one before is written as a factor
_FEW_TIMES = 9.95  # below it, a factor has a decimal
_TIMES = "\u2009\u00d7"  # the sign for "times" after a thin space
_MINUS = "\u2212"


class Change(NamedTuple):
    """A change without its arrow: a share of the number before, a factor, or a difference, which has its sign."""

    direction: Direction
    kind: Literal["share", "factor", "difference"]
    text: str


def find_change(value: float | None, previous: float | None) -> Change | None:
    """Return the change; None if there is nothing to compare with. A share of a number below zero would mislead."""
    if value is None or previous is None or not isfinite(value - previous):
        return None
    is_signed = value < 0 or previous < 0
    if value == previous:
        return Change("none", "difference" if is_signed else "share", "no change")
    direction: Direction = "up" if value > previous else "down"
    if is_signed:
        sign = "+" if direction == "up" else _MINUS
        return Change(direction, "difference", sign + format_number(abs(value - previous)))
    factor = value / previous if previous else inf
    if factor > _MAX_SHARE_FACTOR:
        return Change(direction, "factor", _format_factor(factor)) if isfinite(factor) else None
    return Change(direction, "share", format_percent((value - previous) / previous))


def _format_factor(factor: float) -> str:
    return (f"{factor:.1f}" if factor < _FEW_TIMES else format_short(float(round(factor)))) + _TIMES

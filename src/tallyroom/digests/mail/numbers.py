"""Numbers in full, and changes in words (rules/digests#numbers)."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from tallyroom.images.charts.full_numbers import full_number
from tallyroom.queries.config import Good
from tallyroom.queries.values import Value

NO_VALUE = "–"  # noqa: RUF001 # a dash as long as a digit

Write = Callable[[Value], str]
Mood = Literal["good", "bad", "neutral"]

_MIN_PERCENT = 0.05


class Change(NamedTuple):
    """How a number differs from the one before: an arrow, words that say it all without a color, and what it means."""

    arrow: str
    words: str
    mood: Mood


def in_full(value: Value) -> str:
    """Write a number as messages of alerts do, and a dash for none."""
    return NO_VALUE if value is None else full_number(value)


def as_sent(value: Value) -> str:
    """Write an id, which has no thousands, and a dash for none."""
    return NO_VALUE if value is None else str(value)


def percent(fraction: float) -> str:
    """Write a fraction as a percentage with one decimal at most."""
    number = abs(fraction) * 100
    if 0 < number < _MIN_PERCENT:
        return "less than 0.1%"
    return f"{round(number, 1):,.1f}".removesuffix(".0") + "%"


def change_of(
    value: Value, previous: Value, delta: float | None, good: Good | None, write: Write = in_full
) -> Change | None:
    """Return the change from `previous` to `value`; None if there is nothing to compare with."""
    if value is None or previous is None:
        return None
    if value == previous:
        return Change("=", f"the same as before ({write(previous)})", "neutral")
    is_up = value > previous
    mood = _mood(good, is_up=is_up)
    verdict = {"good": ", better", "bad": ", worse", "neutral": ""}[mood]
    much = f"{percent(delta)} " if delta is not None else ""
    return Change("▲" if is_up else "▼", f"{much}{'up' if is_up else 'down'} from {write(previous)}{verdict}", mood)


def _mood(good: Good | None, *, is_up: bool) -> Mood:
    if good not in {"up", "down"}:
        return "neutral"
    return "good" if (good == "up") == is_up else "bad"

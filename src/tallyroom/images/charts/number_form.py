"""The numbers of a widget in words, with its decimals and its unit (rules/questions#numbers-in-words)."""

import math
from collections.abc import Callable
from typing import NamedTuple

from tallyroom.images.charts.number_format import format_fixed, format_number, format_plain, format_short, format_whole

_MILLION = 1_000_000
_MAX_SAFE_INTEGER = 2**53 - 1
_TOO_LONG, _TOO_SMALL = 1e21, 1e-4  # at and above one, and below the other, a number is short
_UNIT_GAP = "\u2009"  # a thin space
_SHORT_DIGITS = 3


class NumberForm(NamedTuple):
    """How a widget writes numbers: with `decimals`, or as many as each number needs, and with a unit after them."""

    decimals: int | None = None
    unit: str = ""

    def write(self, value: float | None, fits: Callable[[str], bool] | None = None) -> str:
        """Write a number of a list or a legend in full; short, then without its unit, if the full form does not fit."""
        return self._write(format_exact(value, self.decimals), value, fits)

    def write_alone(self, value: float | None, fits: Callable[[str], bool] | None = None) -> str:
        """Write a single number; from a million up, it is shortened, unless the widget has `decimals`."""
        if self.decimals is not None:
            return self.write(value, fits)
        is_short = value is not None and abs(value) >= _MILLION
        return self._write(format_short(value) if is_short and value else format_number(value), value, fits)

    def add_unit(self, text: str) -> str:
        """Return a number in words with the unit."""
        return f"{text}{_UNIT_GAP}{self.unit}" if self.unit else text

    def _write(self, text: str, value: float | None, fits: Callable[[str], bool] | None) -> str:
        if value is None:
            return text
        short_text = format_short(value)
        choices = (self.add_unit(text), self.add_unit(short_text))
        return next((choice for choice in choices if fits is None or fits(choice)), short_text)


def format_exact(value: float | None, decimals: int | None = None) -> str:
    """Write every digit of a whole number, and of any other two decimals from 1 on, three digits below.

    With `decimals`, every number has that many, except for whole numbers that no double can hold.
    """
    if value is None:
        return format_number(None)
    if isinstance(value, int) and abs(value) > _MAX_SAFE_INTEGER:
        return format_whole(value)
    magnitude = abs(value)
    if magnitude >= _TOO_LONG or 0 < magnitude < _TOO_SMALL:
        return format_short(value)
    if decimals is not None:
        return format_fixed(value, decimals)
    if value == round(value):
        return format_plain(value, 0)
    return format_plain(value, 2 if magnitude >= 1 else _SHORT_DIGITS - 1 - math.floor(math.log10(magnitude)))

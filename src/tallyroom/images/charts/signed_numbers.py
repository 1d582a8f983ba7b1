"""Numbers that have a sign: differences, and changes in percent (fixtures/bots/race.json)."""

from typing import Literal

from tallyroom.images.charts.number_form import format_exact
from tallyroom.images.charts.number_format import format_percent

Sign = Literal["none", "difference", "percent"]
"""What the values of a graph are: plain numbers, differences, or changes in percent."""

_MINUS = "\u2212"
_PERCENT = "\u2009%"  # after a thin space


def format_signed(value: float, sign: Sign) -> str:
    """Write a value: `18,337`, `+467`, `+12.5 %`; what rounds to less than a tenth of a percent has no sign."""
    if sign == "none":
        return format_exact(value)
    text = format_percent(value / 100) if sign == "percent" else format_exact(abs(value))
    if value == 0 or text.startswith("<"):
        return text
    return f"{'+' if value > 0 else _MINUS}{text}"


def sign_tick(label: str, value: float, sign: Sign) -> str:
    """Return the label of a value on an axis with its sign and unit; a label below zero has its sign already."""
    if sign == "none":
        return label
    signed_label = f"+{label}" if value > 0 else label
    return f"{signed_label}{_PERCENT}" if sign == "percent" else signed_label

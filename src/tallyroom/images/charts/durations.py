"""Durations as people say them: 48 s, 6 min, 3.5 h, 12 days (fixtures/charts/durations.json)."""

from tallyroom.images.charts.number_format import format_short

_MINUTE, _HOUR, _DAY = 60.0, 3_600.0, 86_400.0
_FEW_UNITS = 10  # of a unit: with fewer, a tenth of it matters
_MIN_UNITS = 2.0  # from two units on, a duration is written in the unit
_HALF_SECOND = 0.5


def format_duration(seconds: float) -> str:
    """Write a duration in the largest unit of which it has at least two."""
    if seconds < _HALF_SECOND:
        return "under 1\u00a0s"
    for unit, word in ((_DAY, "days"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= _MIN_UNITS * unit:
            return f"{_format_rounded(seconds / unit)}\u00a0{word}"
    return f"{_format_rounded(seconds)}\u00a0s"


def _format_rounded(number: float) -> str:
    return format_short(round(number, 1) if number < _FEW_UNITS else float(round(number)))

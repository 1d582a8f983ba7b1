"""Reads the numbers in CSV cells, digit for digit, and keeps anything else as text."""

import math
import re
from typing import Final

from msgspec import Raw

from tallyroom.import_export.row import Cell

# An integer with more digits than a double holds is an id, and must stay text to serve as a group id.
_MAX_DIGITS: Final = 15
_NUMBER_PATTERN = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>0|[1-9][0-9]*|(?=\.))(?P<fraction>(?:\.[0-9]+)?)(?P<power>(?:[eE][+-]?[0-9]+)?)"
)
_NUMBER_STARTS: Final = "+-.0123456789"
_THOUSANDS_SEPARATORS: Final = ".' \u00a0\u202f\u2019"
_COMMA_NUMBER_PATTERN = re.compile(
    rf"(?P<sign>[+-]?)(?P<whole>[0-9]{{1,3}}(?:[{_THOUSANDS_SEPARATORS}][0-9]{{3}})+|[0-9]+)(?:,(?P<fraction>[0-9]+))?"
)
_SEPARATOR_REMOVAL = str.maketrans("", "", _THOUSANDS_SEPARATORS)


def parse_number_or_text(text: str) -> Cell:
    """Read a JSON number that fits into a double; otherwise return the text, such as a phone number."""
    if text[0] not in _NUMBER_STARTS:
        return text
    match = _NUMBER_PATTERN.fullmatch(text)
    if match is None or len(match["whole"]) > _MAX_DIGITS or not math.isfinite(float(text)):
        return text
    sign, integer, fraction, power = match.groups()
    if sign == "+" and not fraction:
        return text
    return Raw(f"{'-' if sign == '-' else ''}{integer or '0'}{fraction}{power}")


def parse_comma_number_or_text(text: str) -> Cell:
    """Read a number with a decimal comma, such as ``1.234,50``; otherwise return the text."""
    match = _COMMA_NUMBER_PATTERN.fullmatch(text)
    integer = "" if match is None else match["whole"].translate(_SEPARATOR_REMOVAL).lstrip("0") or "0"
    if match is None or len(integer) > _MAX_DIGITS:
        return text
    fraction = f".{match['fraction']}" if match["fraction"] else ""
    return Raw(f"{'-' if match['sign'] == '-' else ''}{integer}{fraction}")

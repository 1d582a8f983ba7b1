"""The width of a text, computed from the advances of the typefaces."""

import unicodedata
from collections.abc import Iterator
from itertools import accumulate

from tallyroom.images.charts.emoji import load_emoji_typeface, split_emoji
from tallyroom.images.charts.typeface import DIGITS, digit_advance, load_advances, weight_name

ELLIPSIS = "…"

_FIRST_WIDE_CODE = 0x1100  # Hangul, then the scripts of East Asia: as wide as they are high
_WIDE_ADVANCE = 1.0
_SAFETY_FACTOR = 1.02  # viewers without the typeface use another one of about the same width


def text_width(text: str, font_size: float, *, bold: bool = False) -> float:
    """Return the width of a text in pixels at a font size in pixels."""
    advance_by_code, missing_advance = load_advances(weight_name(bold=bold))
    total_advance = 0.0
    for part, glyph in split_emoji(text):
        if glyph is not None:
            total_advance += load_emoji_typeface().advance
            continue
        for letter in part:
            code = ord(letter)
            advance = advance_by_code.get(code)
            total_advance += (
                (_WIDE_ADVANCE if code >= _FIRST_WIDE_CODE else missing_advance) if advance is None else advance
            )
    return total_advance * font_size * _SAFETY_FACTOR


def exact_width(text: str, font_size: float, *, bold: bool = False) -> float | None:
    """Return the width of a text in Tallyroom's typefaces; None if they lack one of its letters."""
    advance_by_code = load_advances(weight_name(bold=bold)).advance_by_code
    total_advance = 0.0
    for part, glyph in split_emoji(text):
        if glyph is not None:
            total_advance += load_emoji_typeface().advance
        elif all(ord(letter) in advance_by_code for letter in part):
            total_advance += sum(advance_by_code[ord(letter)] for letter in part)
        else:
            return None
    return total_advance * font_size


def tabular_width(text: str, font_size: float, *, bold: bool = False) -> float:
    """Return the width of a text whose digits are all as wide as the widest."""
    widest_digit, advance_by_code = digit_advance(bold=bold), load_advances(weight_name(bold=bold)).advance_by_code
    extra_advance = sum(widest_digit - advance_by_code[ord(letter)] for letter in text if letter in DIGITS)
    return text_width(text, font_size, bold=bold) + extra_advance * font_size * _SAFETY_FACTOR


def truncate(text: str, font_size: float, max_width: float, *, bold: bool = False) -> str:
    """Return `text`, or as much of its start as fits into `max_width` followed by "…"; "" if not even that fits."""
    if text_width(text, font_size, bold=bold) <= max_width:
        return text
    prefixes = ["", *accumulate(_split_graphemes(text))]
    low, high = 0, len(prefixes) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(prefixes[middle].rstrip() + ELLIPSIS, font_size, bold=bold) <= max_width:
            low = middle
        else:
            high = middle - 1
    return prefixes[low].rstrip() + ELLIPSIS if low else ""


def _split_graphemes(text: str) -> Iterator[str]:
    """Yield the units that are cut off or kept as a whole: an emoji, or a letter with its combining marks."""
    for part, glyph in split_emoji(text):
        if glyph is not None:
            yield part
            continue
        letter = ""
        for character in part:
            if letter and not unicodedata.combining(character):
                yield letter
                letter = ""
            letter += character
        yield letter

"""The width of a text, computed from the advances of the typefaces."""

import unicodedata
from collections.abc import Iterator
from itertools import accumulate

from tallyroom.images.charts.emoji import emoji_typeface, pieces
from tallyroom.images.charts.typeface import DIGITS, advances, digit_advance, weight_of

ELLIPSIS = "…"

_WIDE_FROM = 0x1100  # Hangul, then the scripts of East Asia: as wide as they are high
_WIDE = 1.0
_NARROW_EXTRA = 1.02  # viewers without the typeface use another one of about the same width


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text in pixels at a font size in pixels."""
    of, missing = advances(weight_of(bold=bold))
    total = 0.0
    for words, glyph in pieces(text):
        if glyph is not None:
            total += emoji_typeface().advance
            continue
        for letter in words:
            code = ord(letter)
            advance = of.get(code)
            total += (_WIDE if code >= _WIDE_FROM else missing) if advance is None else advance
    return total * size * _NARROW_EXTRA


def exact_width(text: str, size: float, *, bold: bool = False) -> float | None:
    """Return the width of a text in the program's typefaces; None if they lack one of its letters."""
    of = advances(weight_of(bold=bold)).of
    total = 0.0
    for words, glyph in pieces(text):
        if glyph is not None:
            total += emoji_typeface().advance
        elif all(ord(letter) in of for letter in words):
            total += sum(of[ord(letter)] for letter in words)
        else:
            return None
    return total * size


def tabular_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text whose digits are all as wide as the widest."""
    widest, of = digit_advance(bold=bold), advances(weight_of(bold=bold)).of
    extra = sum(widest - of[ord(letter)] for letter in text if letter in DIGITS)
    return width_of(text, size, bold=bold) + extra * size * _NARROW_EXTRA


def cut(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """Return `text`, or as much of its start as fits into `most` pixels followed by "…"; "" if not even that fits."""
    if width_of(text, size, bold=bold) <= most:
        return text
    beginnings = ["", *accumulate(_units(text))]
    low, high = 0, len(beginnings) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(beginnings[middle].rstrip() + ELLIPSIS, size, bold=bold) <= most:
            low = middle
        else:
            high = middle - 1
    return beginnings[low].rstrip() + ELLIPSIS if low else ""


def _units(text: str) -> Iterator[str]:
    """Yield the units that are cut off or kept as a whole: an emoji, or a letter with its combining marks."""
    for words, glyph in pieces(text):
        if glyph is not None:
            yield words
            continue
        letter = ""
        for character in words:
            if letter and not unicodedata.combining(character):
                yield letter
                letter = ""
            letter += character
        yield letter

"""How wide a text is, by the advances of the typefaces themselves."""

import unicodedata
from collections.abc import Iterator
from itertools import accumulate

from tallyroom.charts.emoji import emoji_typeface, pieces
from tallyroom.charts.typeface import advances, weight_of

ELLIPSIS = "…"

_WIDE_FROM = 0x1100  # Hangul, then the scripts of East Asia: as wide as they are high
_WIDE = 1.0
_NARROW_EXTRA = 1.02  # viewers that have not got the typeface draw with one of about its width


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in pixels at a font size in pixels."""
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
    """The width of a text in the program's typefaces; None where one of its letters is drawn by another."""
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


def cut(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """`text`, or as much of its beginning as fits into `most` pixels with "…" behind it; "" when not even that fits."""
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
    """What is cut off or kept as a whole: an emoji, or a letter with the marks on it."""
    for words, glyph in pieces(text):
        if glyph is not None:
            yield words
            continue
        letter = ""
        for each in words:
            if letter and not unicodedata.combining(each):
                yield letter
                letter = ""
            letter += each
        yield letter

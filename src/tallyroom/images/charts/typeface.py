"""The typeface of the words in pictures."""

from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

FAMILY = "Inter"
DIGITS = "0123456789"


class Advances(NamedTuple):
    """The widths of a typeface's letters by code point, and of a missing letter, as shares of the font size."""

    by_code: dict[int, float]
    missing: float


def font_file(weight: str) -> AbstractContextManager[Path]:
    """Return the file of one weight (``Regular``, ``SemiBold``), which exists while a block runs."""
    return as_file(files("tallyroom.images.charts.fonts") / f"{FAMILY}-{weight}.ttf")


def weight_name(*, bold: bool) -> str:
    """Return the name of a weight."""
    return "SemiBold" if bold else "Regular"


def has_letter(letter: str) -> bool:
    """Return True if the typeface has a letter; both weights have the same letters."""
    return ord(letter) in advances(weight_name(bold=False)).by_code


@cache
def digit_advance(*, bold: bool) -> float:
    """Return the width of the widest digit as a share of the font size."""
    by_code = advances(weight_name(bold=bold)).by_code
    return max(by_code[ord(digit)] for digit in DIGITS)


@cache
def typeface(weight: str) -> Any:
    """Return one weight of the typeface as a fontTools font."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    with font_file(weight) as path:
        return TTFont(path)


@cache
def advances(weight: str) -> Advances:
    """Return the widths of the letters of one weight."""
    font = typeface(weight)
    per_em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
    by_code = {code: metrics[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}
    return Advances(by_code, metrics[".notdef"][0] / per_em)

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

    advance_by_code: dict[int, float]
    missing_advance: float


def open_font_file(weight: str) -> AbstractContextManager[Path]:
    """Return the file of one weight (``Regular``, ``SemiBold``), which exists while a block runs."""
    return as_file(files("tallyroom.images.charts.fonts") / f"{FAMILY}-{weight}.ttf")


def weight_name(*, bold: bool) -> str:
    """Return the name of a weight."""
    return "SemiBold" if bold else "Regular"


def has_letter(letter: str) -> bool:
    """Return True if the typeface has a letter; both weights have the same letters."""
    return ord(letter) in load_advances(weight_name(bold=False)).advance_by_code


@cache
def digit_advance(*, bold: bool) -> float:
    """Return the width of the widest digit as a share of the font size."""
    advance_by_code = load_advances(weight_name(bold=bold)).advance_by_code
    return max(advance_by_code[ord(digit)] for digit in DIGITS)


@cache
def load_typeface(weight: str) -> Any:
    """Return one weight of the typeface as a fontTools font."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    with open_font_file(weight) as path:
        return TTFont(path)


@cache
def load_advances(weight: str) -> Advances:
    """Return the widths of the letters of one weight."""
    font = load_typeface(weight)
    units_per_em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
    advance_by_code = {code: metrics[glyph][0] / units_per_em for code, glyph in font.getBestCmap().items()}
    return Advances(advance_by_code, metrics[".notdef"][0] / units_per_em)

"""The typeface of the words of a picture."""

from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

FAMILY = "Inter"


class Advances(NamedTuple):
    """How wide the letters of a typeface are, by their codes, as a share of its size; and a letter that it has not."""

    of: dict[int, float]
    missing: float


def font_file(weight: str) -> AbstractContextManager[Path]:
    """The file of one weight (``Regular``, ``SemiBold``), which is there while a block runs."""
    return as_file(files("tallyroom.charts.fonts") / f"{FAMILY}-{weight}.ttf")


def weight_of(*, bold: bool) -> str:
    """The name of a weight."""
    return "SemiBold" if bold else "Regular"


def has_letter(letter: str) -> bool:
    """Whether the typeface has a letter; both weights have the same."""
    return ord(letter) in advances(weight_of(bold=False)).of


@cache
def typeface(weight: str) -> Any:
    """One weight of the typeface, as fontTools reads it."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    with font_file(weight) as path:
        return TTFont(path)


@cache
def advances(weight: str) -> Advances:
    """How wide letters of a weight are."""
    font = typeface(weight)
    per_em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
    of = {code: metrics[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}
    return Advances(of, metrics[".notdef"][0] / per_em)

"""How wide a text is, by the advances of the typeface itself."""

from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

FAMILY = "Inter"
ELLIPSIS = "…"

_WIDE_FROM = 0x1100  # Hangul, then the scripts of East Asia and emoji: as wide as they are high
_WIDE = 1.0
_NARROW_EXTRA = 1.02  # viewers that have not got the typeface draw with one of about its width


class _Advances(NamedTuple):
    of: dict[int, float]
    missing: float


def font_file(weight: str) -> AbstractContextManager[Path]:
    """The file of one weight (``Regular``, ``SemiBold``), which is there while a block runs."""
    return as_file(files("tallyroom.charts.fonts") / f"{FAMILY}-{weight}.ttf")


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in pixels at a font size in pixels."""
    advances = _advances("SemiBold" if bold else "Regular")
    total = 0.0
    for letter in text:
        code = ord(letter)
        advance = advances.of.get(code)
        if advance is None:
            advance = _WIDE if code >= _WIDE_FROM else advances.missing
        total += advance
    return total * size * _NARROW_EXTRA


def cut(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """`text`, or as much of its beginning as fits into `most` pixels with "…" behind it; "" when not even that fits."""
    if width_of(text, size, bold=bold) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(text[:middle].rstrip() + ELLIPSIS, size, bold=bold) <= most:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ""


@cache
def _advances(weight: str) -> _Advances:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which a server without pictures need not have

    with font_file(weight) as path:
        font = TTFont(path, lazy=True)
        per_em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
        of = {code: metrics[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}
        missing = metrics[".notdef"][0] / per_em
        font.close()
    return _Advances(of, missing)

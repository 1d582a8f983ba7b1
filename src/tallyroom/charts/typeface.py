"""How wide a text is, by the advances of the typeface itself."""

from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

FAMILY = "Inter"
ELLIPSIS = "…"

_WIDE_FROM = 0x1100  # Hangul, then the scripts of East Asia: as wide as they are high
_WIDE = 1.0
_EMOJI = (range(0x2600, 0x2C00), range(0x1F000, 0x20000))
_EMOJI_WIDE = 1.37  # of Segoe UI Emoji, the widest
_NARROW_EXTRA = 1.02  # viewers that have not got the typeface draw with one of about its width


class _Advances(NamedTuple):
    of: dict[int, float]
    missing: float


def font_file(weight: str) -> AbstractContextManager[Path]:
    """The file of one weight (``Regular``, ``SemiBold``), which is there while a block runs."""
    return as_file(files("tallyroom.charts.fonts") / f"{FAMILY}-{weight}.ttf")


def weight_of(*, bold: bool) -> str:
    """The name of a weight."""
    return "SemiBold" if bold else "Regular"


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in pixels at a font size in pixels."""
    advances = _advances(weight_of(bold=bold))
    total = 0.0
    for letter in text:
        code = ord(letter)
        advance = advances.of.get(code)
        if advance is None:
            advance = _elsewhere(code, advances.missing)
        total += advance
    return total * size * _NARROW_EXTRA


def _elsewhere(code: int, narrow: float) -> float:
    """How wide a letter may be in another typeface."""
    if any(code in block for block in _EMOJI):
        return _EMOJI_WIDE
    return _WIDE if code >= _WIDE_FROM else narrow


def exact_width(text: str, size: float, *, bold: bool = False) -> float | None:
    """The width of a text in the typeface itself; None where one of its letters is drawn by another."""
    of = _advances(weight_of(bold=bold)).of
    codes = [ord(letter) for letter in text]
    return sum(of[code] for code in codes) * size if all(code in of for code in codes) else None


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
def typeface(weight: str) -> Any:
    """One weight of the typeface, as fontTools reads it."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    with font_file(weight) as path:
        return TTFont(path)


@cache
def _advances(weight: str) -> _Advances:
    font = typeface(weight)
    per_em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
    of = {code: metrics[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}
    return _Advances(of, metrics[".notdef"][0] / per_em)

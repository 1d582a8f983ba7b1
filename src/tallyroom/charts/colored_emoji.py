"""A typeface of emoji with colors, where the folders of typefaces have one."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

_COLORS = ("CBDT", "COLR", "SVG ", "sbix")
"""Tables of typefaces, of which each one that has colors has at least one."""

_FACE = ord("\N{GRINNING FACE}")
_JOINING = {0x200D, 0xFE0E, 0xFE0F, *range(0xE0020, 0xE0080)}
_FAMILY = 1  # its place among the names of a typeface
_QUOTES = str.maketrans("", "", "'\"<>&")


class ColoredEmoji(NamedTuple):
    """What is needed to draw with it.

    Attributes:
        family: its name.
        codes: what it has.
        advance: how wide an emoji is, as a share of its size.
    """

    family: str
    codes: frozenset[int]
    advance: float

    def has(self, emoji: str) -> bool:
        """Whether it has all parts of an emoji."""
        return all(code in self.codes or code in _JOINING for code in map(ord, emoji))


def colored_emoji(paths: Iterable[Path]) -> ColoredEmoji | None:
    """That of the first file that is one."""
    return next((found for path in paths if (found := _read(path)) is not None), None)


def _read(path: Path) -> ColoredEmoji | None:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    try:
        with path.open("rb") as file, TTFont(file, lazy=True, fontNumber=0) as font:
            return _found(font) if any(table in font for table in _COLORS) else None
    except Exception:  # noqa: BLE001 # a folder may hold files of any content; the rasterizer leaves them out, too
        return None


def _found(font: Any) -> ColoredEmoji | None:
    glyphs = font.getBestCmap()
    if not glyphs or _FACE not in glyphs:
        return None
    advance = font["hmtx"].metrics[glyphs[_FACE]][0] / font["head"].unitsPerEm
    return ColoredEmoji(str(font["name"].getDebugName(_FAMILY)).translate(_QUOTES), frozenset(glyphs), advance)

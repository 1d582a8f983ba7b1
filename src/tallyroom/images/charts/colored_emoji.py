"""A typeface with color emoji, if one of the font folders has one."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

_COLOR_TABLES = ("CBDT", "COLR", "SVG ", "sbix")  # every typeface with colors has at least one of them

_FACE_CODE = ord("\N{GRINNING FACE}")
_JOINER_CODES = {0x200D, 0xFE0E, 0xFE0F, *range(0xE0020, 0xE0080)}
_FAMILY_NAME_ID = 1  # the id of the family name in a typeface's name table
_QUOTE_REMOVAL = str.maketrans("", "", "'\"<>&")


class ColoredEmoji(NamedTuple):
    """A color emoji typeface: its code points, and the width of an emoji as a share of the font size."""

    family: str
    codes: frozenset[int]
    advance: float

    def has_emoji(self, emoji: str) -> bool:
        """Return True if the typeface has all parts of an emoji."""
        return all(code in self.codes or code in _JOINER_CODES for code in map(ord, emoji))


def find_colored_emoji(paths: Iterable[Path]) -> ColoredEmoji | None:
    """Return the first color emoji typeface among the files; None if there is none."""
    return next((typeface for path in paths if (typeface := _read_typeface(path)) is not None), None)


def _read_typeface(path: Path) -> ColoredEmoji | None:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    try:
        with path.open("rb") as file, TTFont(file, lazy=True, fontNumber=0) as font:
            return _build_colored_emoji(font) if any(table in font for table in _COLOR_TABLES) else None
    except Exception:  # noqa: BLE001 # a folder may hold files of any content; the rasterizer leaves them out, too
        return None


def _build_colored_emoji(font: Any) -> ColoredEmoji | None:
    glyph_by_code = font.getBestCmap()
    if not glyph_by_code or _FACE_CODE not in glyph_by_code:
        return None
    advance = font["hmtx"].metrics[glyph_by_code[_FACE_CODE]][0] / font["head"].unitsPerEm
    return ColoredEmoji(
        str(font["name"].getDebugName(_FAMILY_NAME_ID)).translate(_QUOTE_REMOVAL), frozenset(glyph_by_code), advance
    )

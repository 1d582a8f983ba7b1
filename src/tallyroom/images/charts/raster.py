"""Converts SVG to PNG with an exchangeable rasterizer (rules/pictures#typefaces)."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from tallyroom.images.charts.colored_emoji import ColoredEmoji, find_colored_emoji
from tallyroom.images.charts.drawing import Text
from tallyroom.images.charts.outlines import outline_text
from tallyroom.images.charts.png import encode_png
from tallyroom.images.charts.typeface import FAMILY, open_font_file

_WEIGHTS = ("Regular", "SemiBold")
_FONT_SUFFIXES = {".ttf", ".otf", ".ttc", ".otc"}


class Rasterizer(Protocol):
    """Draws the SVG of this program."""

    def render_png(self, svg: str, *, is_opaque: bool) -> bytes:
        """Return a picture of the size of `svg`; `is_opaque` if nothing can be seen through it."""

    def outline_words(self, text: Text) -> str | None:
        """Return the SVG that draws words best; None if that is plain text."""


class ResvgRasterizer:
    """The resvg rasterizer. It uses Tallyroom's typefaces, never the machine's, and loads with the first PNG.

    `folders` have more typefaces, for other scripts and color emoji. The typeface in the earliest folder that has a
    letter draws it; within a folder, typefaces are sorted by name, with serifs last.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = folders

    def render_png(self, svg: str, *, is_opaque: bool) -> bytes:
        """Return a PNG; see `Rasterizer.render_png`."""
        svg2png, fonts, options = self._library
        if is_opaque:  # the library multiplies alpha into the colors, which changes nothing here
            return encode_png(*svg2png.svg_to_rgba(svg, fonts, options=options))
        picture: bytes = svg2png.svg_to_png(svg, fonts, options=options)
        return picture

    def outline_words(self, text: Text) -> str | None:
        """Return SVG of words; see `Rasterizer.outline_words`."""
        return outline_text(text, lambda: self._color_typeface)

    @cached_property
    def _color_typeface(self) -> ColoredEmoji | None:
        return find_colored_emoji(_list_font_files(self._folders))

    @cached_property
    def _library(self) -> tuple[Any, Any, Any]:
        import svg2png_py  # noqa: PLC0415 # see above

        fonts = svg2png_py.FontDatabase()
        for weight in _WEIGHTS:
            with open_font_file(weight) as path:
                fonts.load_font_file(str(path))
        for path in _list_font_files(self._folders):
            fonts.load_font_file(str(path))
        return svg2png_py, fonts, svg2png_py.RenderOptions(font_family=FAMILY)


def _list_font_files(folders: Sequence[Path]) -> list[Path]:
    """Return the font files in the same order everywhere, because the first one that has a letter draws it."""
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"), key=lambda path: ("Serif" in path.name, path))
        if path.suffix.lower() in _FONT_SUFFIXES
    ]

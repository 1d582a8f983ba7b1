"""SVG as PNG, by a renderer that can be exchanged."""

from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Protocol

import svg2png_py

from tallyroom.charts.typeface import FAMILY

_WEIGHTS = ("Regular", "SemiBold")


class Renderer(Protocol):
    """Draws the SVG of this program; several threads may ask at once."""

    def png(self, svg: str, width: int, height: int, scale: int) -> bytes:
        """A picture of `width` times `height` pixels, each `scale` times."""
        ...


class Resvg:
    """resvg, which lets go of Python's lock while it draws. It uses the typeface of the program, never the machine's.

    Args:
        folders: more typefaces, for scripts and emoji that the program's has not.

    Raises:
        OSError: a folder is not there.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._fonts = svg2png_py.FontDatabase()
        for weight in _WEIGHTS:
            with as_file(files("tallyroom.charts.fonts") / f"{FAMILY}-{weight}.ttf") as path:
                self._fonts.load_font_file(str(path))
        for folder in folders:
            if not folder.is_dir():
                raise FileNotFoundError(f"{folder} is no folder of typefaces")
            self._fonts.load_fonts_dir(str(folder))
        self._options = svg2png_py.RenderOptions(font_family=FAMILY)

    def png(self, svg: str, width: int, height: int, scale: int) -> bytes:
        """As `Renderer.png`."""
        transform = (float(scale), 0.0, 0.0, 0.0, float(scale), 0.0)
        size = (width * scale, height * scale)
        made: bytes = svg2png_py.svg_to_png(svg, self._fonts, transform=transform, bg_size=size, options=self._options)
        return made

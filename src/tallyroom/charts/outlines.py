"""Words as shapes, which take a renderer less time than text does: it need not find, read and apply a typeface."""

import unicodedata
from functools import lru_cache

from tallyroom.charts.drawing import Text
from tallyroom.charts.typeface import typeface, weight_of

_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_MOST_LETTERS = 4_000


def outlined(text: Text) -> str | None:
    """SVG of the letters of a text; None when the typeface has not all of them, or widths alone do not place them."""
    weight = weight_of(bold=text.bold)
    parts, at = [], 0.0
    for letter in text.text:
        found = _letter(letter, weight)
        if found is None:
            return None
        shape, advance = found
        if shape:
            parts.append(f'<path transform="translate({at:g})" d="{shape}"/>')
        at += advance
    scale = text.size / typeface(weight)["head"].unitsPerEm
    start = text.x - at * scale * _ANCHORS[text.anchor]
    place = f"matrix({scale:g} 0 0 {-scale:g} {start:.2f} {text.y:.2f})"
    return f'<g class="{text.paint}" transform="{place}">{"".join(parts)}</g>'


@lru_cache(_MOST_LETTERS)
def _letter(letter: str, weight: str) -> tuple[str, float] | None:
    """The path of a letter and its advance, in units of the typeface with y upwards."""
    from fontTools.pens.svgPathPen import SVGPathPen  # noqa: PLC0415 # with the typeface, see there

    font = typeface(weight)
    glyph = font.getBestCmap().get(ord(letter))
    if glyph is None or unicodedata.combining(letter):
        return None
    glyphs = font.getGlyphSet()
    pen = SVGPathPen(glyphs)
    glyphs[glyph].draw(pen)
    return pen.getCommands(), font["hmtx"].metrics[glyph][0]

"""Words as shapes, which a rasterizer draws faster than text: it need not find, read and apply a typeface."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from typing import Any

from tallyroom.images.charts.colored_emoji import ColoredEmoji
from tallyroom.images.charts.drawing import Text
from tallyroom.images.charts.emoji import Piece, emoji_typeface, pieces
from tallyroom.images.charts.svg import text_element
from tallyroom.images.charts.typeface import DIGITS, digit_advance, has_letter, typeface, weight_of
from tallyroom.images.charts.widths import exact_width, width_of

_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_MAX_LETTERS = 4_000
_RIGHT_TO_LEFT = {"R", "AL"}


def outlined(text: Text, find_color_typeface: Callable[[], ColoredEmoji | None] = lambda: None) -> str | None:
    """Return SVG for the letters and emoji of a text.

    Args:
        text: the text and its position.
        find_color_typeface: returns the typeface of color emoji; called only if there are emoji.

    Returns:
        The SVG; None if the text has no emoji, and the typeface lacks a letter or needs more than widths to place it.
    """
    text_pieces = pieces(text.text)
    if all(piece.glyph is None for piece in text_pieces):
        return _shapes(text)
    text_pieces = [part for piece in text_pieces for part in _parts(piece)]
    widths = [_width(piece, text) for piece in text_pieces]
    x = text.x - sum(widths) * _ANCHORS[text.anchor]
    parts = []
    for piece, width in zip(text_pieces, widths, strict=True):
        piece_text = text._replace(text=piece.text, x=x, anchor="start")
        parts.append(
            _words(piece_text, width) if piece.glyph is None else _emoji(piece_text, piece.glyph, find_color_typeface())
        )
        x += width
    return "".join(parts)


def _parts(piece: Piece) -> list[Piece]:
    """Split letters that the typeface has from others; text written from right to left has to stay whole."""
    if piece.glyph is not None or any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in piece.text):
        return [piece]
    return [Piece("".join(letters), None) for _, letters in groupby(piece.text, has_letter)]


def _width(piece: Piece, text: Text) -> float:
    exact = exact_width(piece.text, text.size, bold=text.bold)
    return width_of(piece.text, text.size, bold=text.bold) if exact is None else exact


def _words(text: Text, width: float) -> str:
    """Return words next to emoji; words with letters of other typefaces are held to their estimated width."""
    return _shapes(text) or text_element(text, f' textLength="{width:.2f}" xml:space="preserve"')


def _emoji(text: Text, glyph: str, color_typeface: ColoredEmoji | None) -> str:
    own = emoji_typeface()
    if color_typeface is not None and color_typeface.has(text.text):
        middle = text._replace(x=text.x + (own.advance - color_typeface.advance) * text.size / 2)
        return text_element(middle, f" font-family=\"'{color_typeface.family}'\"")
    scale = text.size / own.font["head"].unitsPerEm
    place = f"matrix({scale:g} 0 0 {-scale:g} {text.x:.2f} {text.y:.2f})"
    return f'<path class="{text.paint}" transform="{place}" d="{_emoji_shape(glyph)}"/>'


def _shapes(text: Text) -> str | None:
    """Return the letters of words as shapes; None if the typeface does not have all of them."""
    weight = weight_of(bold=text.bold)
    parts, at = [], 0.0
    for letter in text.text:
        outline = _letter(letter, weight)
        if outline is None:
            return None
        shape, advance = outline
        room = _room(letter, text) or advance
        if shape:
            parts.append(f'<path transform="translate({at + (room - advance) / 2:g})" d="{shape}"/>')
        at += room
    scale = text.size / typeface(weight)["head"].unitsPerEm
    start = text.x - at * scale * _ANCHORS[text.anchor]
    place = f"matrix({scale:g} 0 0 {-scale:g} {start:.2f} {text.y:.2f})"
    return f'<g class="{text.paint}" transform="{place}">{"".join(parts)}</g>'


def _room(letter: str, text: Text) -> float | None:
    """Return the width of a digit among digits of one width, in font units; None for any other letter."""
    if not text.tabular or letter not in DIGITS:
        return None
    per_em: int = typeface(weight_of(bold=text.bold))["head"].unitsPerEm
    return digit_advance(bold=text.bold) * per_em


@lru_cache(_MAX_LETTERS)
def _letter(letter: str, weight: str) -> tuple[str, float] | None:
    """Return the path of a letter and its advance, in font units with y upwards; None if it cannot be placed."""
    font = typeface(weight)
    glyph = font.getBestCmap().get(ord(letter))
    if glyph is None or unicodedata.combining(letter):
        return None
    return _path(font, glyph), font["hmtx"].metrics[glyph][0]


@lru_cache(_MAX_LETTERS)
def _emoji_shape(glyph: str) -> str:
    """Return the path of an emoji, in font units with y upwards."""
    return _path(emoji_typeface().font, glyph)


def _path(font: Any, glyph: str) -> str:
    from fontTools.pens.svgPathPen import SVGPathPen  # noqa: PLC0415 # loaded with the typeface, as explained there

    glyphs = font.getGlyphSet()
    pen = SVGPathPen(glyphs)
    glyphs[glyph].draw(pen)
    commands: str = pen.getCommands()
    return commands

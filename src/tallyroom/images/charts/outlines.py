"""Words as shapes, which a rasterizer draws faster than text: it need not find, read and apply a typeface."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from typing import Any

from tallyroom.images.charts.colored_emoji import ColoredEmoji
from tallyroom.images.charts.drawing import Text
from tallyroom.images.charts.emoji import TextPiece, load_emoji_typeface, split_emoji
from tallyroom.images.charts.svg import text_element
from tallyroom.images.charts.typeface import DIGITS, digit_advance, has_letter, load_typeface, weight_name
from tallyroom.images.charts.widths import exact_width, text_width

_SHARE_BY_ANCHOR = {"start": 0.0, "middle": 0.5, "end": 1.0}
_MAX_CACHED_LETTERS = 4_000
_RIGHT_TO_LEFT = {"R", "AL"}


def outline_text(text: Text, find_color_typeface: Callable[[], ColoredEmoji | None] = lambda: None) -> str | None:
    """Return SVG for the letters and emoji of a text; `find_color_typeface` is called only if there are emoji.

    Return None if the text has no emoji, and the typeface lacks a letter or cannot place it by widths alone.
    """
    text_pieces = split_emoji(text.text)
    if all(piece.glyph is None for piece in text_pieces):
        return _outline_words(text)
    text_pieces = [part for piece in text_pieces for part in _split_by_typeface(piece)]
    widths = [_measure_piece(piece, text) for piece in text_pieces]
    x = text.x - sum(widths) * _SHARE_BY_ANCHOR[text.anchor]
    svg_parts = []
    for piece, width in zip(text_pieces, widths, strict=True):
        piece_text = text._replace(text=piece.text, x=x, anchor="start")
        svg_parts.append(
            _draw_words(piece_text, width)
            if piece.glyph is None
            else _draw_emoji(piece_text, piece.glyph, find_color_typeface())
        )
        x += width
    return "".join(svg_parts)


def _split_by_typeface(piece: TextPiece) -> list[TextPiece]:
    """Split letters that the typeface has from others; text written from right to left must stay whole."""
    if piece.glyph is not None or any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in piece.text):
        return [piece]
    return [TextPiece("".join(letters), None) for _, letters in groupby(piece.text, has_letter)]


def _measure_piece(piece: TextPiece, text: Text) -> float:
    exact_piece_width = exact_width(piece.text, text.size, bold=text.bold)
    return text_width(piece.text, text.size, bold=text.bold) if exact_piece_width is None else exact_piece_width


def _draw_words(text: Text, width: float) -> str:
    """Return words next to emoji; words with letters of other typefaces are fitted to their estimated width."""
    return _outline_words(text) or text_element(text, f' textLength="{width:.2f}" xml:space="preserve"')


def _draw_emoji(text: Text, glyph: str, color_typeface: ColoredEmoji | None) -> str:
    own_typeface = load_emoji_typeface()
    if color_typeface is not None and color_typeface.has_emoji(text.text):
        centered_text = text._replace(x=text.x + (own_typeface.advance - color_typeface.advance) * text.size / 2)
        return text_element(centered_text, f" font-family=\"'{color_typeface.family}'\"")
    scale = text.size / own_typeface.font["head"].unitsPerEm
    transform = f"matrix({scale:g} 0 0 {-scale:g} {text.x:.2f} {text.y:.2f})"
    return f'<path class="{text.paint}" transform="{transform}" d="{_outline_emoji(glyph)}"/>'


def _outline_words(text: Text) -> str | None:
    weight = weight_name(bold=text.bold)
    svg_parts, offset = [], 0.0
    for letter in text.text:
        outline = _outline_letter(letter, weight)
        if outline is None:
            return None
        letter_path, advance = outline
        letter_width = _digit_width(letter, text) or advance
        if letter_path:
            svg_parts.append(
                f'<path transform="translate({offset + (letter_width - advance) / 2:g})" d="{letter_path}"/>'
            )
        offset += letter_width
    scale = text.size / load_typeface(weight)["head"].unitsPerEm
    start_x = text.x - offset * scale * _SHARE_BY_ANCHOR[text.anchor]
    transform = f"matrix({scale:g} 0 0 {-scale:g} {start_x:.2f} {text.y:.2f})"
    return f'<g class="{text.paint}" transform="{transform}">{"".join(svg_parts)}</g>'


def _digit_width(letter: str, text: Text) -> float | None:
    """Return the width of a digit among digits of one width, in font units; None for any other letter."""
    if not text.tabular or letter not in DIGITS:
        return None
    units_per_em: int = load_typeface(weight_name(bold=text.bold))["head"].unitsPerEm
    return digit_advance(bold=text.bold) * units_per_em


@lru_cache(_MAX_CACHED_LETTERS)
def _outline_letter(letter: str, weight: str) -> tuple[str, float] | None:
    """Return the path of a letter and its advance, in font units with y upwards; None if it cannot be placed."""
    font = load_typeface(weight)
    glyph = font.getBestCmap().get(ord(letter))
    if glyph is None or unicodedata.combining(letter):
        return None
    return _glyph_path(font, glyph), font["hmtx"].metrics[glyph][0]


@lru_cache(_MAX_CACHED_LETTERS)
def _outline_emoji(glyph: str) -> str:
    return _glyph_path(load_emoji_typeface().font, glyph)


def _glyph_path(font: Any, glyph: str) -> str:
    from fontTools.pens.svgPathPen import SVGPathPen  # noqa: PLC0415 # loaded with the typeface, as explained there

    glyphs = font.getGlyphSet()
    pen = SVGPathPen(glyphs)
    glyphs[glyph].draw(pen)
    commands: str = pen.getCommands()
    return commands

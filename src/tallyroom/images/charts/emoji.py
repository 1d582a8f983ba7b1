"""Emoji: finds them in a text, with their glyphs in Tallyroom's own typeface (fonts/OFL-NotoEmoji.txt)."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from tallyroom.core.zstd import zstd
from tallyroom.images.charts.typeface import has_letter

_TYPEFACE_FILE = "NotoEmoji-Regular.ttf.zst"
_EMOJI_BLOCKS = "\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff"
_MAYBE_EMOJI = re.compile(f"[\u00a9\u00ae{_EMOJI_BLOCKS}]")
_EMOJI_HINTS = re.compile(f"[\u20e3\ufe0f{_EMOJI_BLOCKS}]")  # a text without any of these has no emoji
_EMOJI_SELECTOR = "\ufe0f"
# They join or modify emoji, and are invisible if the typeface does not have the whole sequence.
_INVISIBLE_MODIFIERS = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*")


class TextPiece(NamedTuple):
    """A part of a text: an emoji with its glyph, or words without one (None)."""

    text: str
    glyph: str | None


class EmojiTypeface(NamedTuple):
    """Glyphs by code point, and sequences by first glyph, longest first; `advance` is a share of the font size."""

    font: Any
    glyphs: Mapping[int, str]
    sequences: Mapping[str, Sequence[tuple[Sequence[str], str]]]
    advance: float


def split_emoji(text: str) -> list[TextPiece]:
    """Split a text into its parts: each emoji, of one or many characters, and the words in between."""
    if not _EMOJI_HINTS.search(text):
        return [TextPiece(text, None)] if text else []
    pieces: list[TextPiece] = []
    position = 0
    for start, end, glyph in _find_emoji(text):
        if start > position:
            pieces.append(TextPiece(text[position:start], None))
        pieces.append(TextPiece(text[start:end], glyph))
        position = end
    return [*pieces, TextPiece(text[position:], None)] if position < len(text) else pieces


@cache
def load_emoji_typeface() -> EmojiTypeface:
    """Return Tallyroom's emoji typeface, which the first text with an emoji loads."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 # 12 MB, which not every process needs

    file_bytes = (files("tallyroom.images.charts.fonts") / _TYPEFACE_FILE).read_bytes()
    font = TTFont(io.BytesIO(zstd.decompress(file_bytes)))
    (lookup,) = font["GSUB"].table.LookupList.Lookup
    sequences_by_first_glyph: dict[str, list[tuple[Sequence[str], str]]] = {}
    for table in lookup.SubTable:
        for first_glyph, ligatures in getattr(table, "ExtSubTable", table).ligatures.items():
            sequences = [(ligature.Component, ligature.LigGlyph) for ligature in ligatures]
            sequences_by_first_glyph[first_glyph] = sorted(sequences, key=lambda pair: len(pair[0]), reverse=True)
    emoji_width = font["hmtx"].metrics[font.getBestCmap()[ord("\N{GRINNING FACE}")]][0]
    return EmojiTypeface(font, font.getBestCmap(), sequences_by_first_glyph, emoji_width / font["head"].unitsPerEm)


def _find_emoji(text: str) -> Iterator[tuple[int, int, str]]:
    position = 0
    while position < len(text):
        emoji_match = _match_sequence(text, position) or _match_character(text, position)
        if emoji_match is None:
            position += 1
            continue
        end, glyph = emoji_match
        end = _INVISIBLE_MODIFIERS.match(text, end).end()  # type: ignore[union-attr] # it also matches an empty text
        yield position, end, glyph
        position = end


def _match_sequence(text: str, position: int) -> tuple[int, str] | None:
    typeface = load_emoji_typeface()
    for other_glyphs, ligature in typeface.sequences.get(typeface.glyphs.get(ord(text[position]), ""), ()):
        end = position + 1
        for glyph in other_glyphs:
            while text[end : end + 1] == _EMOJI_SELECTOR:
                end += 1
            if end == len(text) or typeface.glyphs.get(ord(text[end])) != glyph:
                break
            end += 1
        else:
            return end, ligature
    return None


def _match_character(text: str, position: int) -> tuple[int, str] | None:
    """Return the end and the glyph of a single character; None for a letter that is not requested as an emoji."""
    letter = text[position]
    glyph = load_emoji_typeface().glyphs.get(ord(letter))
    if glyph is None or not _MAYBE_EMOJI.match(letter):
        return None
    if has_letter(letter) and text[position + 1 : position + 2] != _EMOJI_SELECTOR:
        return None
    return position + 1, glyph

"""Texts from strangers, made harmless and short enough for the place where they are shown."""

import re
from collections.abc import Callable

_ELLIPSIS = "…"

# Characters that end a line in some program, that are invisible, or that reverse the order of letters.
_INVISIBLE_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+")

_LAST_BMP_CHARACTER = 0xFFFF  # characters above it are two UTF-16 code units, in which chats measure texts


def to_single_line(text: str) -> str:
    """Return `text` as one line that is read in the order in which it was written."""
    return _INVISIBLE_CHARACTERS.sub(" ", text).strip()


def truncate(text: str, max_utf16_units: int, escape: Callable[[str], str] = str) -> str:
    """Return `text` escaped, and cut with an ellipsis if it is then longer than `max_utf16_units` UTF-16 code units."""
    escaped_text = escape_text(text, escape)
    if _count_utf16_units(escaped_text) <= max_utf16_units:
        return escaped_text
    truncated_text, remaining_units = "", max_utf16_units - len(_ELLIPSIS)
    for character in text:
        escaped_character = escape(character)
        remaining_units -= _count_utf16_units(escaped_character)
        if remaining_units < 0:
            break
        truncated_text += escaped_character
    return truncated_text.rstrip() + _ELLIPSIS


def escape_text(text: str, escape: Callable[[str], str]) -> str:
    """Return `text` with each character escaped."""
    return "".join(map(escape, text))


def escape_markup(character: str) -> str:
    """Escape a character for HTML, and for the markup of Slack and Telegram, which have the same three escapes."""
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(character, character)


def escape_markdown(character: str) -> str:
    """Escape a character for Markdown, in which every punctuation mark may have a backslash before it."""
    return f"\\{character}" if character in _MARKDOWN_CHARACTERS else character


def neutralize_links(text: str) -> str:
    """Return `text` without mentions and Markdown links, for markup that cannot escape them."""
    return text.replace("@", "@\u200b").replace("](", "]\u200b(")


_MARKDOWN_CHARACTERS = frozenset("\\`*_~|#>-+<@[]():")


def _count_utf16_units(text: str) -> int:
    return len(text) + sum(ord(character) > _LAST_BMP_CHARACTER for character in text)

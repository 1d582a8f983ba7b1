"""Texts of strangers, made harmless and short enough for the place where they are shown."""

import re
from collections.abc import Callable

_ELLIPSIS = "…"

# What ends a line in some program, what cannot be seen, and what turns the order of letters around.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+")

_WIDE = 0xFFFF  # characters above it are two UTF-16 code units, in which chats measure texts


def flat(text: str) -> str:
    """Return `text` as one line that is read in the order in which it was written."""
    return _UNSEEN.sub(" ", text).strip()


def fitting(text: str, most: int, escape: Callable[[str], str] = str) -> str:
    """Return `text` escaped and, if it is longer than `most` UTF-16 code units then, cut with an ellipsis.

    Args:
        text: any text.
        most: the longest result.
        escape: escapes one character; what it returns is not cut in two.
    """
    full_text = escaped(text, escape)
    if _units(full_text) <= most:
        return full_text
    beginning, room = "", most - len(_ELLIPSIS)
    for character in text:
        piece = escape(character)
        room -= _units(piece)
        if room < 0:
            break
        beginning += piece
    return beginning.rstrip() + _ELLIPSIS


def escaped(text: str, escape: Callable[[str], str]) -> str:
    """Return `text` with each character escaped."""
    return "".join(map(escape, text))


def in_markup(character: str) -> str:
    """Escape a character for HTML, and for the markup of Slack and Telegram, which have the same three escapes."""
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(character, character)


def in_markdown(character: str) -> str:
    """Escape a character for Markdown, in which every punctuation mark may have a backslash before it."""
    return f"\\{character}" if character in _MARKS else character


def unlinked(text: str) -> str:
    """Return `text` with no mention and no Markdown link in it, for markup that has no escape for them."""
    return text.replace("@", "@\u200b").replace("](", "]\u200b(")


_MARKS = frozenset("\\`*_~|#>-+<@[]():")


def _units(text: str) -> int:
    return len(text) + sum(ord(character) > _WIDE for character in text)

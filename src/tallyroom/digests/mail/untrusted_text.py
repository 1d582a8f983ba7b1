"""Makes text from strangers harmless: it is shown as typed, and changes nothing around it (rules/digests#email)."""

import re
from html import escape

_LINE_BREAKS = re.compile("[\r\n\x0b\x0c\x85\u2028\u2029]+")
# Controls, and characters that reverse the order of letters.
_UNSAFE_CHARACTERS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def to_single_line(text: str) -> str:
    """Return a text without line breaks, control characters, and characters that reverse the order of others."""
    return _UNSAFE_CHARACTERS.sub("", _LINE_BREAKS.sub(" ", text)).strip()


def to_lines(text: str) -> list[str]:
    """Return the lines of a text, each of them like `to_single_line`."""
    return [to_single_line(line) for line in text.strip().splitlines()]


def escape_html(text: str) -> str:
    """Return one line as HTML."""
    return escape(to_single_line(text))

"""A note in the HTML of a mail: its Markdown as the web app shows it, but without links (rules/digests#email)."""

import re
from html import escape

from tallyroom.digests.mail.untrusted_text import to_single_line

_FENCE = re.compile(r"\s{0,3}```")
_HEADING = re.compile(r"#{1,6}\s+(\S.*)\Z")
_HEADING_END = re.compile(r"\s+#+\s*\Z")
_ITEM = re.compile(r"\s{0,3}([-*+]|\d{1,9}[.)])\s+(\S.*)\Z")
_INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<bold>\S(?:.*?\S)?)\*\*|\*(?P<starred>[^\s*](?:[^*]*[^\s*])?)\*"
    r"|(?<!\w)_(?P<underscored>[^\s_](?:[^_]*[^\s_])?)_(?!\w)|\[(?P<label>[^\]]+)\]\((?P<address>https://[^()\s]+)\)",
    re.IGNORECASE,
)
_MAX_LEVELS = 8


def build_note_html(text: str) -> str:
    """Return the lines of a note; the address of a link is in parentheses after its label."""
    lines_html: list[str] = []
    is_code = False
    for line in text.strip().splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif is_code:
            lines_html.append(f"<code>{escape(to_single_line(line))}</code>")
        else:
            lines_html.append(_build_line_html(line))
    return "<br>".join(lines_html)


def _build_line_html(line: str) -> str:
    if heading := _HEADING.match(line):
        return f"<b>{_build_inline_html(to_single_line(_HEADING_END.sub('', heading[1])))}</b>"
    if item := _ITEM.match(line):
        mark = "•" if item[1] in "-*+" else item[1]
        return f"{mark} {_build_inline_html(to_single_line(item[2]))}"
    return _build_inline_html(to_single_line(line))


def _build_inline_html(text: str, level: int = 0) -> str:
    """Return a single line with its bold, italic and code parts."""
    if level > _MAX_LEVELS:
        return escape(text)
    pieces: list[str] = []
    start = 0
    for match in _INLINE.finditer(text):
        pieces += [escape(text[start : match.start()]), _build_piece_html(match, level + 1)]
        start = match.end()
    return "".join(pieces) + escape(text[start:])


def _build_piece_html(match: re.Match[str], level: int) -> str:
    if match["code"]:
        return f"<code>{escape(match['code'])}</code>"
    if match["bold"]:
        return f"<b>{_build_inline_html(match['bold'], level)}</b>"
    if match["label"]:
        return f"{_build_inline_html(match['label'], level)} ({escape(match['address'])})"
    return f"<i>{_build_inline_html(match['starred'] or match['underscored'], level)}</i>"

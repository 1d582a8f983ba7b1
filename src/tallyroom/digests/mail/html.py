"""The HTML of a digest's mail: its heading, and its parts as cards in rows (rules/digests#mail-programs)."""

from collections.abc import Callable, Iterator, Sequence

from tallyroom.dashboards.mail.contents import (
    BigNumber,
    MailChart,
    MailContent,
    MailNote,
    MailTable,
    ThemedPicture,
)
from tallyroom.digests.mail.head import DELAY_SENTENCE, MailHead, format_left_out_widgets
from tallyroom.digests.mail.note_html import build_note_html
from tallyroom.digests.mail.number_html import build_numbers_html
from tallyroom.digests.mail.rows import GAP_WIDTH, MAIL_WIDTH, PlacedPart, is_lone_number
from tallyroom.digests.mail.table_html import build_table_html
from tallyroom.digests.mail.untrusted_text import escape_html
from tallyroom.mail.html.elements import build_button_html, build_picture_html
from tallyroom.mail.html.page import build_page
from tallyroom.mail.html.styles import CARD_COLOR, INK_COLOR, LAYOUT_ATTRIBUTES, LINE_COLOR, SOFT_COLOR

MAX_ROWS_BYTES = 90_000
"""The most for the rows: some programs cut off a larger mail."""

_CARD_PADDING = 16

PictureUrlBuilder = Callable[[str], str]
"""Turns the name of a picture into its address."""


def build_html(head: MailHead, rows_html: Sequence[str], preview_text: str, unsubscribe_url: str) -> str:
    """Return the HTML of a mail; `preview_text` is what lists of mails show next to the subject."""
    rows_html = [_build_heading_html(head), *rows_html, _build_ending_html(head)]
    footer_html = (
        f"You get this digest {escape_html(head.rhythm_text)}.\n"
        f'<a class="soft" href="{escape_html(unsubscribe_url)}" style="color:{SOFT_COLOR};text-decoration:underline">'
        "Unsubscribe</a>"
    )
    return build_page(
        title_html=escape_html(head.title),
        preview_html=escape_html(preview_text),
        rows_html="\n".join(rows_html),
        footer_html=footer_html,
        width=MAIL_WIDTH,
    )


def _build_heading_html(head: MailHead) -> str:
    dashboard_html = f'<span dir="auto">{escape_html(head.dashboard_name)}</span><br>' if head.dashboard_name else ""
    delay_html = "" if head.is_fresh else f"<br>{escape_html(DELAY_SENTENCE)}"
    return (
        '<tr><td style="padding:0 4px 18px">\n'
        '<h1 class="ink" dir="auto" style="margin:0;font-size:22px;line-height:28px;font-weight:600;'
        f'letter-spacing:-.02em;color:{INK_COLOR};overflow-wrap:anywhere">{escape_html(head.title)}</h1>\n'
        f'<p class="soft" style="margin:4px 0 0;font-size:13px;line-height:18px;color:{SOFT_COLOR}">'
        f"{dashboard_html}{escape_html(head.period_text)}{delay_html}</p>\n</td></tr>"
    )


def _build_ending_html(head: MailHead) -> str:
    """Return the number of widgets that are only on the dashboard, if any, and the way there."""
    left_out_text = format_left_out_widgets(head)
    left_out_html = f'<p class="soft" style="margin:0 0 14px;font-size:14px;color:{SOFT_COLOR}">{left_out_text}</p>'
    button_html = build_button_html(escape_html(head.dashboard_url), "Open the dashboard", align="center")
    return (
        f'<tr><td align="center" style="padding:10px 4px 24px">\n{left_out_html if head.left_out_count else ""}'
        f"{button_html}</td></tr>"
    )


def build_row_html(row: Sequence[PlacedPart], build_picture_url: PictureUrlBuilder) -> str:
    """Return parts as cards of one height."""
    cells_html: list[str] = []
    pair_count = len(row) // 2 if all(is_lone_number(placed_part.part) for placed_part in row) else 0
    for index, placed_part in enumerate(row):
        is_half = index < 2 * pair_count  # on a phone, where two numbers stay next to each other
        if index:
            gap_class = "gap-half" if is_half and index % 2 else "gap"
            cells_html.append(f'<td class="{gap_class}" width="{GAP_WIDTH}">&nbsp;</td>')
        cells_html.append(_build_card_html(placed_part, build_picture_url, "half" if is_half else "whole"))
    return (
        f'<tr><td style="padding:0 0 {GAP_WIDTH}px"><table {LAYOUT_ATTRIBUTES} width="100%">'
        f"<tr>{''.join(cells_html)}</tr></table></td></tr>"
    )


def _build_card_html(placed_part: PlacedPart, build_picture_url: PictureUrlBuilder, phone_class: str) -> str:
    part, width = placed_part
    title_html = (
        f'<h2 class="ink" dir="auto" style="margin:0;font-size:13px;line-height:20px;font-weight:600;'
        f'color:{INK_COLOR};overflow-wrap:anywhere">{escape_html(part.title)}</h2>'
    )
    blocks_html = [_build_block_html(title_html)] if part.title else []
    blocks_html += _build_contents_html(part.contents, width - 2, build_picture_url)
    bottom = 0 if part.contents and _has_picture(part.contents[-1]) else 14
    return (
        f'<td class="card {phone_class}" width="{width}" valign="top" bgcolor="{CARD_COLOR}" '
        f'style="padding:0 0 {bottom}px;border:1px solid {LINE_COLOR};border-radius:10px">'
        f'<table {LAYOUT_ATTRIBUTES} width="100%">{"".join(blocks_html)}</table></td>'
    )


def _build_block_html(content_html: str, padding: str = f"10px {_CARD_PADDING}px 0") -> str:
    return f'<tr><td style="padding:{padding}">{content_html}</td></tr>\n'


def _has_picture(content: MailContent) -> bool:
    return isinstance(content, MailChart) and content.picture is not None


def _build_contents_html(
    contents: Sequence[MailContent], width: int, build_picture_url: PictureUrlBuilder
) -> Iterator[str]:
    """Yield the numbers side by side, and everything else below each other."""
    numbers = [content for content in contents if isinstance(content, BigNumber)]
    if numbers:
        yield _build_block_html(build_numbers_html(numbers, width - 2 * _CARD_PADDING))
    for content in contents:
        match content:
            case MailTable():
                yield _build_block_html(build_table_html(content))
            case MailChart(picture=ThemedPicture() as picture):  # which has its own empty edge
                light_url, dark_url = (escape_html(build_picture_url(name)) for name in picture)
                alt_html = escape_html(content.description)
                yield _build_block_html(build_picture_html(alt_html, light_url, dark_url, width), "0")
            case MailChart(table=MailTable() as table):
                yield _build_block_html(build_table_html(table))
            case MailChart():
                yield _build_block_html(_build_paragraph_html(escape_html(content.description)))
            case MailNote():
                yield _build_block_html(_build_paragraph_html(build_note_html(content.text)))


def _build_paragraph_html(content_html: str) -> str:
    return (
        f'<p class="ink" dir="auto" style="margin:0;font-size:14px;line-height:21px;color:{INK_COLOR};'
        f'overflow-wrap:anywhere">{content_html}</p>'
    )

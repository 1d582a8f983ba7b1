"""The HTML of a mail: simple tables with styles of their own, as mail programs need them.

The colors are those of the light theme; programs that know about themes take those of the dark one from the style
sheet. Whoever leaves it out shows a light mail.
"""

from collections.abc import Callable, Sequence
from importlib.resources import files
from itertools import groupby
from string import Template

from tallyroom.dashboards.mail.contents import (
    BigNumber,
    Content,
    MailChart,
    MailNote,
    MailTable,
    WidgetPart,
)
from tallyroom.digests.mail.head import MailHead, format_more
from tallyroom.digests.mail.untrusted_text import escape_html, to_lines

MAX_BYTES = 90_000
"""Of the parts: a larger mail is cut off by some programs."""

_INK, _SOFT, _LINE = "#18181b", "#5b5b66", "#e6e6ea"
_MOOD_COLORS = {"good": "#047857", "bad": "#b91c1c", "neutral": _SOFT}
_MAX_UNBROKEN = 14  # a cell with so few letters is not broken
_FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

_PAGE = Template(files("tallyroom.digests.mail").joinpath("page.html").read_text(encoding="utf-8"))


def build_html(head: MailHead, parts: Sequence[str], preview: str, unsubscribe_url: str) -> str:
    """Return the HTML of a mail; `preview` is what lists of mails show beside the subject."""
    dashboard_html = f'<span dir="auto">{escape_html(head.dashboard)}</span><br>' if head.dashboard else ""
    more_html = f'<p class="soft" style="margin:0 0 14px;font-size:14px;color:{_SOFT}">{format_more(head)}</p>'
    return _PAGE.substitute(
        title=escape_html(head.title),
        heading=escape_html(head.title),
        preview=escape_html(preview),
        below=dashboard_html + escape_html(head.period),
        parts="\n".join(parts),
        more=more_html if head.more else "",
        link=escape_html(head.link),
        rhythm=escape_html(head.rhythm),
        unsubscribe=escape_html(unsubscribe_url),
        font=_FONT,
        ink=_INK,
        soft=_SOFT,
        line=_LINE,
    )


def build_part_html(part: WidgetPart, picture_url: Callable[[str], str]) -> str:
    """Return a part as a card; `picture_url` turns the name of a picture into its address."""
    title = (
        '<h2 class="soft" dir="auto" style="margin:0 0 12px;font-size:14px;line-height:1.4;font-weight:600;'
        f'color:{_SOFT};overflow-wrap:anywhere">{escape_html(part.title)}</h2>\n'
        if part.title
        else ""
    )
    body = _build_contents(part.contents, picture_url)
    return (
        '<tr><td style="padding:0 0 14px">'
        '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>'
        '<td class="card pad" style="padding:20px 22px;background:#ffffff;border-radius:12px;'
        f'border:1px solid {_LINE}">\n'
        f"{title}{body}\n</td></tr></table></td></tr>"
    )


def _build_contents(contents: Sequence[Content], picture_url: Callable[[str], str]) -> str:
    """Put numbers side by side, and everything else below each other."""
    blocks: list[str] = []
    for are_numbers, group in groupby(contents, lambda content: isinstance(content, BigNumber)):
        group_blocks = [_build_content(content, picture_url) for content in group]
        blocks += [_join_numbers(group_blocks)] if are_numbers else group_blocks
    return '\n<div style="height:12px;font-size:0"></div>\n'.join(blocks)


def _join_numbers(numbers: Sequence[str]) -> str:
    """Put numbers next to each other, with a gap between their rows; a single one has the row to itself."""
    width, gap = ("49%", "0 0 10px") if len(numbers) > 1 else ("100%", "0")
    return "\n".join(
        f'<div class="tile" style="display:inline-block;width:{width};min-width:210px;vertical-align:top;padding:{gap};'
        f'line-height:1.5;overflow-wrap:anywhere">{number}</div>'
        for number in numbers
    )


def _build_content(content: Content, picture_url: Callable[[str], str]) -> str:
    match content:
        case BigNumber():
            return _build_number(content)
        case MailTable():
            return _build_table(content)
        case MailChart():
            return _build_chart(content, picture_url)
        case MailNote():
            lines = "<br>\n".join(escape_html(line) for line in to_lines(content.text))
            return _build_paragraph("ink", lines, f"font-size:15px;color:{_INK}")


def _build_number(number: BigNumber) -> str:
    label = f'<div class="soft" dir="auto" style="font-size:13px;color:{_SOFT}">{escape_html(number.label)}</div>'
    goal = f'<div class="soft" style="font-size:13px;color:{_SOFT}">{escape_html(number.goal)}</div>'
    change = ""
    if number.change:
        mood = number.change.mood
        change = (
            f'<div class="{mood}" style="font-size:13px;font-weight:600;color:{_MOOD_COLORS[mood]}">'
            f"{number.change.arrow} {escape_html(number.change.description)}</div>"
        )
    return (
        f"{label if number.label else ''}"
        f'<div class="ink" style="font-size:30px;line-height:1.25;font-weight:700;color:{_INK}">'
        f"{escape_html(number.value)}</div>"
        f"{change}{goal if number.goal else ''}"
    )


def _build_table(table: MailTable) -> str:
    heads = zip(table.head, table.are_numbers, strict=True)
    rows = [
        "".join(
            _build_head_cell(index, name, "" if index or not table.bars else ' width="100%"', is_number=is_number)
            for index, (name, is_number) in enumerate(heads)
        )
    ]
    for number, row in enumerate(table.rows):
        bar = _build_bar(table.bars[number]) if table.bars else ""
        cells = enumerate(zip(row, table.are_numbers, strict=True))
        rows.append(
            "".join(
                _build_cell(index, text, "" if index else bar, is_number=is_number)
                for index, (text, is_number) in cells
            )
        )
    markup = '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">\n'
    markup += "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"
    return markup + (_build_paragraph("soft", escape_html(table.left_out), _SMALL) if table.left_out else "")


_SMALL = f"padding-top:8px;font-size:13px;color:{_SOFT}"


def _build_head_cell(index: int, name: str, width: str, *, is_number: bool) -> str:
    align = "right" if is_number else "left"
    return (
        f'<th scope="col" align="{align}"{width} class="soft" style="padding:0 0 6px {_padding(index)};font-size:12px;'
        f'font-weight:600;color:{_SOFT};vertical-align:bottom;white-space:nowrap">{escape_html(name)}</th>'
    )


def _build_cell(index: int, text: str, below_html: str, *, is_number: bool) -> str:
    flow = "white-space:nowrap" if is_number or len(text) <= _MAX_UNBROKEN else "overflow-wrap:anywhere"
    align = ' align="right"' if is_number else ""
    content = escape_html(text) if is_number else f'<span dir="auto">{escape_html(text)}</span>'
    return (
        f'<td{align} class="ink line cell" style="padding:7px 0 7px {_padding(index)};border-top:1px solid {_LINE};'
        f'font-size:14px;line-height:1.4;color:{_INK};vertical-align:top;{flow}">{content}{below_html}</td>'
    )


def _padding(index: int) -> str:
    return "12px" if index else "0"


def _build_bar(length: float) -> str:
    width = round(min(max(length, 0), 1) * 100, 1)
    return (
        f'<div class="track" style="margin-top:5px;height:5px;border-radius:3px;background:{_LINE};font-size:0">'
        f'<div class="bar" style="width:{width}%;height:5px;border-radius:3px;background:#2f72f4"></div></div>'
    )


def _build_chart(chart: MailChart, picture_url: Callable[[str], str]) -> str:
    if chart.picture is None and chart.table is not None:
        return _build_table(chart.table)
    if chart.picture is None:
        return _build_paragraph("ink", escape_html(chart.description), f"font-size:15px;color:{_INK}")
    return (
        f'<img src="{escape_html(picture_url(chart.picture))}" alt="{escape_html(chart.description)}" width="554"'
        ' style="display:block;width:100%;max-width:554px;height:auto;border:0;border-radius:8px;'
        f'background:#ffffff;color:{_SOFT};font-size:14px;line-height:1.5">'
    )


def _build_paragraph(css_class: str, content: str, style: str) -> str:
    return (
        f'<p class="{css_class}" dir="auto" style="margin:0;line-height:1.55;overflow-wrap:anywhere;{style}">'
        f"{content}</p>"
    )

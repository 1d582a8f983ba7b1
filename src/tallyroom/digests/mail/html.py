"""The HTML of a mail: simple tables with inline styles, as mail programs need them.

The colors are from the light theme. A style sheet has the dark ones for programs that support themes; the others show a
light mail.
"""

from collections.abc import Callable, Sequence
from importlib.resources import files
from itertools import groupby
from string import Template

from tallyroom.dashboards.mail.contents import (
    BigNumber,
    MailChart,
    MailContent,
    MailNote,
    MailTable,
    WidgetPart,
)
from tallyroom.digests.mail.head import DELAY_SENTENCE, MailHead, format_left_out_widgets
from tallyroom.digests.mail.untrusted_text import escape_html, to_lines

MAX_PARTS_BYTES = 90_000
"""The most for the parts: some programs cut off a larger mail."""

_INK_COLOR, _SOFT_COLOR, _LINE_COLOR = "#18181b", "#5b5b66", "#e6e6ea"
_COLOR_BY_MOOD = {"good": "#047857", "bad": "#b91c1c", "neutral": _SOFT_COLOR}
_MAX_UNBROKEN_LENGTH = 14  # a cell with so few letters is not broken
_FONT_FAMILY = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

_PAGE_TEMPLATE = Template(files("tallyroom.digests.mail").joinpath("page.html").read_text(encoding="utf-8"))


def build_html(head: MailHead, parts_html: Sequence[str], preview_text: str, unsubscribe_url: str) -> str:
    """Return the HTML of a mail; `preview_text` is what lists of mails show next to the subject."""
    dashboard_html = f'<span dir="auto">{escape_html(head.dashboard_name)}</span><br>' if head.dashboard_name else ""
    delay_html = "" if head.is_fresh else f"<br>{escape_html(DELAY_SENTENCE)}"
    left_out_text = format_left_out_widgets(head)
    left_out_html = f'<p class="soft" style="margin:0 0 14px;font-size:14px;color:{_SOFT_COLOR}">{left_out_text}</p>'
    return _PAGE_TEMPLATE.substitute(
        title=escape_html(head.title),
        heading=escape_html(head.title),
        preview=escape_html(preview_text),
        below=dashboard_html + escape_html(head.period_text) + delay_html,
        parts="\n".join(parts_html),
        more=left_out_html if head.left_out_count else "",
        link=escape_html(head.dashboard_url),
        rhythm=escape_html(head.rhythm_text),
        unsubscribe=escape_html(unsubscribe_url),
        font=_FONT_FAMILY,
        ink=_INK_COLOR,
        soft=_SOFT_COLOR,
        line=_LINE_COLOR,
    )


def build_part_html(part: WidgetPart, build_picture_url: Callable[[str], str]) -> str:
    """Return a part as a card; `build_picture_url` turns the name of a picture into its address."""
    title_html = (
        '<h2 class="soft" dir="auto" style="margin:0 0 12px;font-size:14px;line-height:1.4;font-weight:600;'
        f'color:{_SOFT_COLOR};overflow-wrap:anywhere">{escape_html(part.title)}</h2>\n'
        if part.title
        else ""
    )
    contents_html = _build_contents_html(part.contents, build_picture_url)
    return (
        '<tr><td style="padding:0 0 14px">'
        '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>'
        '<td class="card pad" style="padding:20px 22px;background:#ffffff;border-radius:12px;'
        f'border:1px solid {_LINE_COLOR}">\n'
        f"{title_html}{contents_html}\n</td></tr></table></td></tr>"
    )


def _build_contents_html(contents: Sequence[MailContent], build_picture_url: Callable[[str], str]) -> str:
    """Put numbers side by side, and everything else below each other."""
    blocks: list[str] = []
    for is_number_group, group in groupby(contents, lambda content: isinstance(content, BigNumber)):
        group_blocks = [_build_content_html(content, build_picture_url) for content in group]
        blocks += [_join_numbers_html(group_blocks)] if is_number_group else group_blocks
    return '\n<div style="height:12px;font-size:0"></div>\n'.join(blocks)


def _join_numbers_html(numbers_html: Sequence[str]) -> str:
    """Put numbers next to each other, with a gap between their rows; a single one has the row to itself."""
    width, tile_padding = ("49%", "0 0 10px") if len(numbers_html) > 1 else ("100%", "0")
    return "\n".join(
        f'<div class="tile" style="display:inline-block;width:{width};min-width:210px;vertical-align:top;'
        f'padding:{tile_padding};line-height:1.5;overflow-wrap:anywhere">{number_html}</div>'
        for number_html in numbers_html
    )


def _build_content_html(content: MailContent, build_picture_url: Callable[[str], str]) -> str:
    match content:
        case BigNumber():
            return _build_number_html(content)
        case MailTable():
            return _build_table_html(content)
        case MailChart():
            return _build_chart_html(content, build_picture_url)
        case MailNote():
            lines_html = "<br>\n".join(escape_html(line) for line in to_lines(content.text))
            return _build_paragraph_html("ink", lines_html, f"font-size:15px;color:{_INK_COLOR}")


def _build_number_html(number: BigNumber) -> str:
    label_html = (
        f'<div class="soft" dir="auto" style="font-size:13px;color:{_SOFT_COLOR}">{escape_html(number.label)}</div>'
    )
    change_html = ""
    if number.change:
        mood = number.change.mood
        change_html = (
            f'<div class="{mood}" style="font-size:13px;font-weight:600;color:{_COLOR_BY_MOOD[mood]}">'
            f"{number.change.arrow} {escape_html(number.change.description)}</div>"
        )
    return (
        f"{label_html if number.label else ''}"
        f'<div class="ink" style="font-size:30px;line-height:1.25;font-weight:700;color:{_INK_COLOR}">'
        f"{escape_html(number.value)}</div>"
        f"{change_html}{_build_goal_html(number.goal.share, number.goal.sentence) if number.goal else ''}"
        f"{_build_remark_html(number.note) if number.note else ''}"
    )


def _build_goal_html(share: float, sentence: str) -> str:
    return f'<div style="max-width:220px">{_build_bar_html(share)}</div>{_build_remark_html(sentence)}'


def _build_remark_html(text: str) -> str:
    return f'<div class="soft" style="padding-top:3px;font-size:13px;color:{_SOFT_COLOR}">{escape_html(text)}</div>'


def _build_table_html(table: MailTable) -> str:
    columns = zip(table.column_names, table.is_number_by_column, strict=True)
    rows_html = [
        "".join(
            _build_head_cell_html(
                column_index,
                column_name,
                "" if column_index or not table.bar_lengths else ' width="100%"',
                is_number=is_number,
            )
            for column_index, (column_name, is_number) in enumerate(columns)
        )
    ]
    for row_index, row in enumerate(table.rows):
        bar_html = _build_bar_html(table.bar_lengths[row_index]) if table.bar_lengths else ""
        cells = enumerate(zip(row, table.is_number_by_column, strict=True))
        rows_html.append(
            "".join(
                _build_cell_html(column_index, text, "" if column_index else bar_html, is_number=is_number)
                for column_index, (text, is_number) in cells
            )
        )
    table_html = '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">\n'
    table_html += "\n".join(f"<tr>{row}</tr>" for row in rows_html) + "\n</table>"
    return table_html + (
        _build_paragraph_html("soft", escape_html(table.left_out_note), _SMALL_STYLE) if table.left_out_note else ""
    )


_SMALL_STYLE = f"padding-top:8px;font-size:13px;color:{_SOFT_COLOR}"


def _build_head_cell_html(column_index: int, column_name: str, width_attribute: str, *, is_number: bool) -> str:
    align = "right" if is_number else "left"
    return (
        f'<th scope="col" align="{align}"{width_attribute} class="soft" style="padding:0 0 6px '
        f'{_left_padding(column_index)};font-size:12px;font-weight:600;color:{_SOFT_COLOR};vertical-align:bottom;white-space:nowrap">{escape_html(column_name)}</th>'
    )


def _build_cell_html(column_index: int, text: str, below_html: str, *, is_number: bool) -> str:
    wrapping_style = (
        "white-space:nowrap" if is_number or len(text) <= _MAX_UNBROKEN_LENGTH else "overflow-wrap:anywhere"
    )
    align_attribute = ' align="right"' if is_number else ""
    content_html = escape_html(text) if is_number else f'<span dir="auto">{escape_html(text)}</span>'
    return (
        f'<td{align_attribute} class="ink line cell" style="padding:7px 0 7px {_left_padding(column_index)};'
        f"border-top:1px solid {_LINE_COLOR};font-size:14px;line-height:1.4;color:{_INK_COLOR};vertical-align:top;"
        f'{wrapping_style}">{content_html}{below_html}</td>'
    )


def _left_padding(column_index: int) -> str:
    return "12px" if column_index else "0"


def _build_bar_html(fraction: float) -> str:
    width_percent = round(min(max(fraction, 0), 1) * 100, 1)
    return (
        f'<div class="track" style="margin-top:5px;height:5px;border-radius:3px;background:{_LINE_COLOR};font-size:0">'
        f'<div class="bar" style="width:{width_percent}%;height:5px;border-radius:3px;background:#2f72f4"></div></div>'
    )


def _build_chart_html(chart: MailChart, build_picture_url: Callable[[str], str]) -> str:
    if chart.picture is None and chart.table is not None:
        return _build_table_html(chart.table)
    if chart.picture is None:
        return _build_paragraph_html("ink", escape_html(chart.description), f"font-size:15px;color:{_INK_COLOR}")
    return (
        f'<img src="{escape_html(build_picture_url(chart.picture))}" alt="{escape_html(chart.description)}" width="554"'
        ' style="display:block;width:100%;max-width:554px;height:auto;border:0;border-radius:8px;'
        f'background:#ffffff;color:{_SOFT_COLOR};font-size:14px;line-height:1.5">'
    )


def _build_paragraph_html(css_class: str, content_html: str, style: str) -> str:
    return (
        f'<p class="{css_class}" dir="auto" style="margin:0;line-height:1.55;overflow-wrap:anywhere;{style}">'
        f"{content_html}</p>"
    )

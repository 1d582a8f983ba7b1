"""Tables and ranked lists in the HTML of a mail."""

from tallyroom.dashboards.mail.contents import MailTable
from tallyroom.digests.mail.bar_html import build_bar_html
from tallyroom.digests.mail.untrusted_text import escape_html
from tallyroom.mail.html.styles import INK_COLOR, LINE_COLOR, SOFT_COLOR, TABLE_ATTRIBUTES

_MAX_UNBROKEN_LENGTH = 14  # a cell with so few letters is not broken
_NOTE_STYLE = f"font-size:12px;line-height:16px;color:{SOFT_COLOR}"


def build_table_html(table: MailTable) -> str:
    """Return a table; bars and notes are below the first cells of its rows."""
    head_html = _build_head_html(table) if table.has_head else ""
    rows_html = (_build_row_html(table, row_number) for row_number in range(len(table.rows)))
    left_out_html = (
        f'<div class="soft" style="padding-top:8px;{_NOTE_STYLE}">{escape_html(table.left_out_note)}</div>'
        if table.left_out_note
        else ""
    )
    return (
        f'<table class="ink" width="100%" {TABLE_ATTRIBUTES} '
        f'style="font-size:14px;line-height:20px;color:{INK_COLOR}">\n{head_html}'
        + "\n".join(rows_html)
        + f"\n</table>{left_out_html}"
    )


def _build_head_html(table: MailTable) -> str:
    cells = zip(table.column_names, table.is_number_by_column, strict=True)
    cells_html = (
        f'<th scope="col" align="{"right" if is_number else "left"}" valign="bottom" class="soft" style="padding:0 0 '
        f'4px {_left_padding(column)};font-size:12px;line-height:16px;font-weight:500;color:{SOFT_COLOR}">'
        f"{escape_html(name)}</th>"
        for column, (name, is_number) in enumerate(cells)
    )
    return f"<tr>{''.join(cells_html)}</tr>\n"


def _build_row_html(table: MailTable, row_number: int) -> str:
    cells = zip(table.rows[row_number], table.is_number_by_column, strict=True)
    line_style = "" if table.bar_lengths else f";border-top:1px solid {LINE_COLOR}"
    cells_html = (
        _build_cell_html(text, column, line_style, is_number=is_number)
        for column, (text, is_number) in enumerate(cells)
    )
    below_html = _build_below_html(table, row_number)
    return f"<tr>{''.join(cells_html)}</tr>{below_html}"


def _build_cell_html(text: str, column: int, line_style: str, *, is_number: bool) -> str:
    is_unbroken = is_number or len(text) <= _MAX_UNBROKEN_LENGTH
    wrapping_style = "white-space:nowrap" if is_unbroken else "overflow-wrap:anywhere"
    attributes = ' align="right"' if is_number else ' align="left" dir="auto"'
    if not column and not line_style:
        attributes += ' width="100%"'  # beside a label with a bar, numbers take no more room than they need
    css_classes = [*(["line"] if line_style else []), *([] if is_number else ["text"])]
    class_attribute = f' class="{" ".join(css_classes)}"' if css_classes else ""
    return (
        f'<td{attributes}{class_attribute} valign="top" style="padding:4px 0 {"4px" if line_style else "0"} '
        f'{_left_padding(column)};{wrapping_style}{line_style}">{escape_html(text)}</td>'
    )


def _build_below_html(table: MailTable, row_number: int) -> str:
    """Return the bar and the note of a row, across all of its columns."""
    if not table.bar_lengths:
        return ""
    note = table.row_notes[row_number] if table.row_notes else ""
    note_html = f'<div class="soft" style="padding:2px 0 4px;{_NOTE_STYLE}">{escape_html(note)}</div>' if note else ""
    bar_html = build_bar_html(table.bar_lengths[row_number])
    return f'<tr><td colspan="{len(table.column_names)}">{bar_html}{note_html}</td></tr>'


def _left_padding(column: int) -> str:
    return "12px" if column else "0"

"""Numbers in the HTML of a mail: in columns, each with its change and its goal."""

from collections.abc import Sequence

from tallyroom.dashboards.mail.contents import BigNumber
from tallyroom.dashboards.mail.numbers import Mood, NumberChange
from tallyroom.digests.mail.bar_html import build_bar_html
from tallyroom.digests.mail.rows import split_evenly
from tallyroom.digests.mail.untrusted_text import escape_html
from tallyroom.mail.html.styles import BAD_COLOR, GOOD_COLOR, INK_COLOR, LAYOUT_ATTRIBUTES, LINE_COLOR, SOFT_COLOR

_MIN_COLUMN_WIDTH = 150  # of a number next to others
_MAX_COLUMNS = 3
_UNIT_SPACE = "\u2009"
_UNIT_LETTER_WIDTH = 10
_COLUMN_PADDING = 14
_FONT_SIZES = (26, 22, 18, 15)
_COLOR_BY_MOOD: dict[Mood, str] = {"good": GOOD_COLOR, "bad": BAD_COLOR, "neutral": SOFT_COLOR}
_PHONE_FONT_SIZE = 20  # of numbers two in a row, in the style sheet of the page
_DIGIT_WIDTH_SHARE = 0.62  # of the font size, in the widest typefaces of mail programs


def build_numbers_html(numbers: Sequence[BigNumber], width: int) -> str:
    """Return numbers in columns, in a width in pixels."""
    if len(numbers) == 1:
        return _build_number_html(numbers[0], width)
    rows = split_evenly(numbers, min(max(width // _MIN_COLUMN_WIDTH, 1), _MAX_COLUMNS))
    column_width = width // len(rows[0])
    rows_html = (_build_row_html(row, len(rows[0]), column_width, is_first=row is rows[0]) for row in rows)
    return f'<table {LAYOUT_ATTRIBUTES} width="100%">{"".join(rows_html)}</table>'


def _build_row_html(row: Sequence[BigNumber], column_count: int, column_width: int, *, is_first: bool) -> str:
    cells_html = []
    for column in range(column_count):
        left = _COLUMN_PADDING if column else 0
        edge = f";border-left:1px solid {LINE_COLOR}" if column else ""
        number_html = _build_number_html(row[column], column_width - 2 * _COLUMN_PADDING) if column < len(row) else ""
        cells_html.append(
            f'<td class="number line" width="{column_width}" valign="top" style="padding:0 {_COLUMN_PADDING}px 0 '
            f'{left}px{edge if number_html else ""}">{number_html}</td>'
        )
    gap_html = "" if is_first else f'<tr class="gap"><td colspan="{column_count}" height="14"></td></tr>'
    return f"{gap_html}<tr>{''.join(cells_html)}</tr>"


def _build_number_html(number: BigNumber, width: int) -> str:
    label_html = (
        f'<div class="soft" dir="auto" style="font-size:13px;line-height:18px;color:{SOFT_COLOR}">'
        f"{escape_html(number.label)}</div>"
        if number.label
        else ""
    )
    value, _, unit = number.value.partition(_UNIT_SPACE)
    unit_style = f"font-size:14px;line-height:14px;font-weight:500;color:{SOFT_COLOR}"
    unit_html = f'<span class="soft" style="{unit_style}">{_UNIT_SPACE}{escape_html(unit)}</span>' if unit else ""
    font_size = _choose_font_size(value, width - len(unit) * _UNIT_LETTER_WIDTH)
    figure_class = " figure" if font_size > _PHONE_FONT_SIZE else ""
    return (
        f'{label_html}<div class="ink{figure_class}" style="font-size:{font_size}px;line-height:{font_size + 8}px;'
        f'font-weight:600;letter-spacing:-.02em;color:{INK_COLOR};overflow-wrap:anywhere">{escape_html(value)}{unit_html}</div>'
        f"{_build_change_html(number.change) if number.change else ''}"
        f"{_build_goal_html(number.goal.share, number.goal.sentence) if number.goal else ''}"
        f"{_build_remark_html(number.note) if number.note else ''}"
    )


def _choose_font_size(text: str, width: int) -> int:
    """Return the largest size at which a number fits in one line; the smallest if none does."""
    fitting_sizes = (size for size in _FONT_SIZES if len(text) * size * _DIGIT_WIDTH_SHARE <= width)
    return next(fitting_sizes, _FONT_SIZES[-1])


def _build_change_html(change: NumberChange) -> str:
    """Return the change as the web app shows it; a screen reader reads words instead of the arrow and the color."""
    change_html = (
        f'<span class="{change.mood}" role="img" aria-label="{escape_html(change.spoken_text)}" '
        f'style="font-weight:500;color:{_COLOR_BY_MOOD[change.mood]}">{escape_html(change.short_text)}</span> '
        if change.text
        else ""
    )
    return _build_remark_html(f"from {change.previous_text}", change_html)


def _build_goal_html(share: float, sentence: str) -> str:
    return build_bar_html(share) + _build_remark_html(sentence)


def _build_remark_html(text: str, before_html: str = "") -> str:
    return (
        f'<div class="soft" style="font-size:13px;line-height:18px;color:{SOFT_COLOR}">'
        f"{before_html}{escape_html(text)}</div>"
    )

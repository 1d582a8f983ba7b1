"""Labels and their values, each on a bar that starts at zero (rules/pictures#bars)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.images.charts.chart import Chart, begin, finished, head_of, pad_of, without_data
from tallyroom.images.charts.drawing import AxisLine, Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import written
from tallyroom.images.charts.scale import Scale
from tallyroom.images.charts.widths import cut, tabular_width

MAX_ROWS = 10

_ROW, _BAR = 30.0, 26.0
_SIZE, _SMALL = 13.0, 12.0
_BASELINE = 17.5  # from the top of a bar
_BESIDE = 10.0  # from the end of a bar to its label
_BETWEEN = 16.0  # from the bars to the values
_WIDEST = 0.45  # of the values, as a share of the picture
_RADIUS = 4.0
_MIN_WIDTH = 2.0
_FEW_ROWS = 4
_ABOVE = 4.0
_NAMELESS = "\u2013"  # an en dash


class BarRow(msgspec.Struct, frozen=True):
    """A label and its value, if it has one."""

    label: str
    value: float | None


class BarChart(Chart, frozen=True, kw_only=True):
    """Rows in the order in which they are shown."""

    rows: Sequence[BarRow]


class _Columns(NamedTuple):
    """The scale of the bars, and the width of the values beside them."""

    bars: Scale
    values: float


def bars_height(rows: int, width: int) -> int:
    """Return the height at which all rows fit that are ever shown."""
    visible_rows = min(max(rows, _FEW_ROWS), MAX_ROWS)
    more = _ROW if rows > MAX_ROWS else 0.0
    return ceil(head_of(width) + _ABOVE + visible_rows * _ROW - (_ROW - _BAR) + more + pad_of(width))


def draw_bars(chart: BarChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = begin(chart, marks) + _ABOVE
    if not chart.rows:
        return without_data(chart, top, marks)
    room = max(int((chart.bottom - top + _ROW - _BAR) / _ROW), 1)
    rows = chart.rows[: min(MAX_ROWS, room if len(chart.rows) <= room else max(room - 1, 1))]
    columns = _columns(chart, rows)
    for index, row in enumerate(rows):
        _put(row, top + index * _ROW, columns, chart, marks)
    if columns.bars.low < 0 < columns.bars.high:
        at = columns.bars.at(0)
        marks.append(AxisLine(at, top, at, top + len(rows) * _ROW - (_ROW - _BAR), "base"))
    phrases = [f"{row.label}: {written(row.value)}" for row in rows]
    if left_out := len(chart.rows) - len(rows):
        phrases.append(f"{left_out} more")
        y, x = top + len(rows) * _ROW + _BASELINE, chart.pad + _BESIDE
        marks += [Text(x, y, phrases[-1], _SMALL, "muted", columns.bars.end - x)] if y <= chart.height else []
    return finished(chart, f"{'; '.join(phrases)}.", marks)


def _columns(chart: BarChart, rows: Sequence[BarRow]) -> _Columns:
    """Return the columns: as much room for the values as the widest takes, and the rest for the bars."""
    widest = max(tabular_width(written(row.value), _SIZE, bold=True) for row in rows)
    widest = min(widest, chart.width * _WIDEST)
    values = [row.value for row in rows if row.value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    end = chart.right - widest - _BETWEEN
    return _Columns(Scale(low, high if high > low else low + 1.0, chart.pad, end), widest)


def _put(row: BarRow, y: float, columns: _Columns, chart: BarChart, marks: list[Mark]) -> None:
    bars = columns.bars
    if row.value:
        start, end = sorted((bars.at(0), bars.at(row.value)))
        width = max(end - start, _MIN_WIDTH)
        marks.append(Box(min(start, bars.end - width), y, width, _BAR, "bar", min(_RADIUS, width / 2)))
    room = bars.end - chart.pad - _BESIDE
    label = cut(row.label or _NAMELESS, _SIZE, room)
    marks.append(Text(chart.pad + _BESIDE, y + _BASELINE, label, _SIZE, "text", room))
    value = Text(chart.right, y + _BASELINE, written(row.value), _SIZE, "text", columns.values, anchor="end")
    marks.append(value._replace(bold=row.value is not None, tabular=True))

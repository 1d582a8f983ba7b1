"""Labels and their values, each on a bar that starts at zero (rules/pictures#bars)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.images.charts.chart import (
    Chart,
    build_drawing,
    build_empty_drawing,
    draw_title,
    edge_width,
    header_height,
)
from tallyroom.images.charts.drawing import AxisLine, Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import format_number
from tallyroom.images.charts.scale import Scale
from tallyroom.images.charts.widths import tabular_width, truncate

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
    values_width: float


def bars_height(row_count: int, width: int) -> int:
    """Return the height at which all rows fit that are ever shown."""
    visible_rows = min(max(row_count, _FEW_ROWS), MAX_ROWS)
    more_row_height = _ROW if row_count > MAX_ROWS else 0.0
    return ceil(
        header_height(width) + _ABOVE + visible_rows * _ROW - (_ROW - _BAR) + more_row_height + edge_width(width)
    )


def draw_bars(chart: BarChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = draw_title(chart, marks) + _ABOVE
    if not chart.rows:
        return build_empty_drawing(chart, top, marks)
    max_rows = max(int((chart.bottom - top + _ROW - _BAR) / _ROW), 1)
    rows = chart.rows[: min(MAX_ROWS, max_rows if len(chart.rows) <= max_rows else max(max_rows - 1, 1))]
    columns = _measure_columns(chart, rows)
    for index, row in enumerate(rows):
        _draw_row(row, top + index * _ROW, columns, chart, marks)
    if columns.bars.low < 0 < columns.bars.high:
        zero_x = columns.bars.to_pixel(0)
        marks.append(AxisLine(zero_x, top, zero_x, top + len(rows) * _ROW - (_ROW - _BAR), "base"))
    row_texts = [f"{row.label}: {format_number(row.value)}" for row in rows]
    if left_out := len(chart.rows) - len(rows):
        row_texts.append(f"{left_out} more")
        y, x = top + len(rows) * _ROW + _BASELINE, chart.pad + _BESIDE
        marks += [Text(x, y, row_texts[-1], _SMALL, "muted", columns.bars.end - x)] if y <= chart.height else []
    return build_drawing(chart, f"{'; '.join(row_texts)}.", marks)


def _measure_columns(chart: BarChart, rows: Sequence[BarRow]) -> _Columns:
    """Return the columns: as much room for the values as the widest takes, and the rest for the bars."""
    widest = max(tabular_width(format_number(row.value), _SIZE, bold=True) for row in rows)
    widest = min(widest, chart.width * _WIDEST)
    values = [row.value for row in rows if row.value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    end = chart.right - widest - _BETWEEN
    return _Columns(Scale(low, high if high > low else low + 1.0, chart.pad, end), widest)


def _draw_row(row: BarRow, y: float, columns: _Columns, chart: BarChart, marks: list[Mark]) -> None:
    bars = columns.bars
    if row.value:
        start, end = sorted((bars.to_pixel(0), bars.to_pixel(row.value)))
        width = max(end - start, _MIN_WIDTH)
        marks.append(Box(min(start, bars.end - width), y, width, _BAR, "bar", min(_RADIUS, width / 2)))
    max_width = bars.end - chart.pad - _BESIDE
    label = truncate(row.label or _NAMELESS, _SIZE, max_width)
    marks.append(Text(chart.pad + _BESIDE, y + _BASELINE, label, _SIZE, "text", max_width))
    value = Text(
        chart.right, y + _BASELINE, format_number(row.value), _SIZE, "text", columns.values_width, anchor="end"
    )
    marks.append(value._replace(bold=row.value is not None, tabular=True))

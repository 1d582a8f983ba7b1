"""Labels and their values, each on a bar that starts at zero (rules/pictures#bars)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.images.charts.chart import Chart, edge_width, header_height
from tallyroom.images.charts.drawing import AxisLine, Box, Drawing, Mark, Text
from tallyroom.images.charts.number_form import NumberForm
from tallyroom.images.charts.scale import Scale
from tallyroom.images.charts.widths import tabular_width, truncate

MAX_ROWS = 10

_ROW_HEIGHT, _BAR_HEIGHT = 30.0, 26.0
_FONT_SIZE, _SMALL_FONT_SIZE = 13.0, 12.0
_BASELINE_OFFSET = 17.5  # from the top of a bar
_LABEL_INDENT = 10.0  # from the end of a bar to its label
_VALUES_GAP = 16.0  # from the bars to the values
_MAX_VALUES_SHARE = 0.45  # of the values, as a share of the picture
_CORNER_RADIUS = 4.0
_MIN_BAR_WIDTH = 2.0
_MIN_ROOM_ROWS = 4
_TOP_MARGIN = 4.0
_NAMELESS = "\u2013"  # an en dash


class BarRow(msgspec.Struct, frozen=True):
    """A label and its value, if it has one."""

    label: str
    value: float | None


class BarChart(Chart, frozen=True, kw_only=True):
    """Rows in the order in which they are shown."""

    rows: Sequence[BarRow]
    number_form: NumberForm = NumberForm()

    def write_number(self, row: BarRow) -> str:
        """Return the value of a row in words, as exact as there is room."""
        return self.number_form.write(row.value, lambda text: _number_width(text) <= self.width * _MAX_VALUES_SHARE)


class _BarColumns(NamedTuple):
    bar_scale: Scale
    values_width: float


def _number_width(text: str) -> float:
    return tabular_width(text, _FONT_SIZE, bold=True)


def bars_height(row_count: int, width: int) -> int:
    """Return the height at which all visible rows fit."""
    visible_rows = min(max(row_count, _MIN_ROOM_ROWS), MAX_ROWS)
    more_row_height = _ROW_HEIGHT if row_count > MAX_ROWS else 0.0
    rows_bottom = header_height(width) + _TOP_MARGIN + visible_rows * _ROW_HEIGHT
    return ceil(rows_bottom - (_ROW_HEIGHT - _BAR_HEIGHT) + more_row_height + edge_width(width))


def draw_bars(chart: BarChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = chart.draw_title(marks) + _TOP_MARGIN
    if not chart.rows:
        return chart.build_empty_drawing(top, marks)
    max_rows = max(int((chart.bottom - top + _ROW_HEIGHT - _BAR_HEIGHT) / _ROW_HEIGHT), 1)
    rows = chart.rows[: min(MAX_ROWS, max_rows if len(chart.rows) <= max_rows else max(max_rows - 1, 1))]
    columns = _measure_columns(chart, rows)
    for index, row in enumerate(rows):
        _draw_row(row, top + index * _ROW_HEIGHT, columns, chart, marks)
    if columns.bar_scale.low < 0 < columns.bar_scale.high:
        zero_x = columns.bar_scale.to_pixel(0)
        marks.append(AxisLine(zero_x, top, zero_x, top + len(rows) * _ROW_HEIGHT - (_ROW_HEIGHT - _BAR_HEIGHT), "base"))
    row_texts = [f"{row.label}: {chart.write_number(row)}" for row in rows]
    if left_out_count := len(chart.rows) - len(rows):
        row_texts.append(f"{left_out_count} more")
        y, x = top + len(rows) * _ROW_HEIGHT + _BASELINE_OFFSET, chart.pad + _LABEL_INDENT
        if y <= chart.height:
            marks.append(Text(x, y, row_texts[-1], _SMALL_FONT_SIZE, "muted", columns.bar_scale.end_pixel - x))
    return chart.build_drawing(f"{'; '.join(row_texts)}.", marks)


def _measure_columns(chart: BarChart, rows: Sequence[BarRow]) -> _BarColumns:
    values_width = max(_number_width(chart.write_number(row)) for row in rows)
    values = [row.value for row in rows if row.value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    bars_right = chart.right - values_width - _VALUES_GAP
    return _BarColumns(Scale(low, high if high > low else low + 1.0, chart.pad, bars_right), values_width)


def _draw_row(row: BarRow, y: float, columns: _BarColumns, chart: BarChart, marks: list[Mark]) -> None:
    bar_scale = columns.bar_scale
    if row.value:
        start_x, end_x = sorted((bar_scale.to_pixel(0), bar_scale.to_pixel(row.value)))
        width = max(end_x - start_x, _MIN_BAR_WIDTH)
        marks.append(
            Box(min(start_x, bar_scale.end_pixel - width), y, width, _BAR_HEIGHT, "bar", min(_CORNER_RADIUS, width / 2))
        )
    max_width = bar_scale.end_pixel - chart.pad - _LABEL_INDENT
    label = truncate(row.label or _NAMELESS, _FONT_SIZE, max_width)
    marks.append(Text(chart.pad + _LABEL_INDENT, y + _BASELINE_OFFSET, label, _FONT_SIZE, "text", max_width))
    number = chart.write_number(row)
    value_text = Text(chart.right, y + _BASELINE_OFFSET, number, _FONT_SIZE, "text", columns.values_width)
    marks.append(value_text._replace(anchor="end", bold=row.value is not None, tabular=True))

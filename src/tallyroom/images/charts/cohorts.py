"""Cohorts and the share of them that came back, as a triangle of shaded cells (rules/pictures#cohorts)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.images.charts.chart import Chart, edge_width, header_height
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import format_number, format_percent, format_short, format_whole_percent
from tallyroom.images.charts.shades import shade_step_of_share, text_paint_on
from tallyroom.images.charts.widths import tabular_width, text_width, truncate

_ROW_HEIGHT = 27.0
_CELL_GAP = 2.0
_FONT_SIZE = 12.0
_COLUMN_GAP = 12.0  # between labels, sizes and cells
_CELL_PADDING = 3.0  # of a cell, left and right of its words
_CORNER_RADIUS = 4.0
_MAX_LABEL_SHARE = 0.22  # of the labels, as a share of the picture
_PERCENT_SIGN = "\u2009%"


class CohortRow(msgspec.Struct, frozen=True):
    """A cohort, its size, and how many of it came back in each later period; the last period is not over."""

    label: str
    size: int
    returned: Sequence[int]


class GridChart(Chart, frozen=True, kw_only=True):
    """Cohorts, oldest first; `period` names the first column of cells, as in `Week 1`."""

    rows: Sequence[CohortRow]
    period: str


class _ColumnLayout(NamedTuple):
    label_width: float
    sizes_right: float
    cells_left: float
    cell_width: float
    cell_height: float
    font_size: float
    percent_sign: str

    def cell_left(self, index: int) -> float:
        return self.cells_left + index * (self.cell_width + _CELL_GAP)

    def baseline_y(self, top: float, font_size: float) -> float:
        return top + self.cell_height / 2 + font_size * 0.35


def cohorts_height(row_count: int, width: int) -> int:
    """Return the height at which all rows fit."""
    return ceil(header_height(width) + (max(row_count, 2) + 1) * _ROW_HEIGHT + edge_width(width))


def draw_cohorts(chart: GridChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = chart.draw_title(marks)
    if not any(row.size for row in chart.rows):
        return chart.build_empty_drawing(top, marks)
    columns = _measure_columns(chart)
    _draw_header(chart, columns, top, marks)
    for row_number, row in enumerate(chart.rows, 1):
        y = top + row_number * (columns.cell_height + _CELL_GAP)
        _draw_label_and_size(row, y, columns, chart, marks)
        for period, count in enumerate(row.returned):
            box = Box(columns.cell_left(period), y, columns.cell_width, columns.cell_height, "track", _CORNER_RADIUS)
            share = min(count / row.size, 1.0) if row.size else None
            _draw_cell(share, box, columns, marks, is_over=period + 1 < len(row.returned))
    row_texts = [
        f"{row.label}, {format_number(row.size)}: {', '.join(map(format_percent, _returned_shares(row)))}"
        for row in chart.rows
        if row.size and row.returned
    ]
    return chart.build_drawing(f"{'; '.join(row_texts) or 'No later period has begun'}.", marks)


def _returned_shares(row: CohortRow) -> list[float]:
    return [min(count / row.size, 1.0) for count in row.returned] if row.size else []


def _measure_columns(chart: GridChart) -> _ColumnLayout:
    period_count = max(1, *(len(row.returned) for row in chart.rows))
    label_width = min(max(text_width(row.label, _FONT_SIZE) for row in chart.rows), chart.width * _MAX_LABEL_SHARE)
    sizes_width = max(
        text_width("Size", _FONT_SIZE), *(tabular_width(format_short(row.size), _FONT_SIZE) for row in chart.rows)
    )
    cells_left = chart.pad + label_width + _COLUMN_GAP + sizes_width + _COLUMN_GAP
    cell_width = (chart.right - cells_left + _CELL_GAP) / period_count - _CELL_GAP
    percent_sign = (
        _PERCENT_SIGN if cell_width - 2 * _CELL_PADDING >= tabular_width(f"100{_PERCENT_SIGN}", _FONT_SIZE) else ""
    )
    shares = [share for row in chart.rows for share in _returned_shares(row)]
    cell_texts = {str(period_count), *map(format_whole_percent, shares)}
    max_text_width = max(tabular_width(cell_text, _FONT_SIZE) for cell_text in cell_texts)
    font_size = (
        _FONT_SIZE if percent_sign else min(_FONT_SIZE, _FONT_SIZE * (cell_width - _CELL_PADDING) / max_text_width)
    )
    return _ColumnLayout(
        label_width, cells_left - _COLUMN_GAP, cells_left, cell_width, _ROW_HEIGHT - _CELL_GAP, font_size, percent_sign
    )


def _draw_header(chart: GridChart, columns: _ColumnLayout, top: float, marks: list[Mark]) -> None:
    y = columns.baseline_y(top, _FONT_SIZE)
    max_width = columns.sizes_right - chart.pad - columns.label_width
    marks.append(Text(columns.sizes_right, y, "Size", _FONT_SIZE, "muted", max_width, anchor="end"))
    for index in range(max(len(row.returned) for row in chart.rows)):
        first_text = chart.period if tabular_width(chart.period, columns.font_size) <= columns.cell_width else "1"
        cell_text, middle = str(index + 1) if index else first_text, columns.cell_left(index) + columns.cell_width / 2
        marks.append(
            Text(middle, y, cell_text, columns.font_size, "muted", columns.cell_width, anchor="middle", tabular=True)
        )


def _draw_label_and_size(
    row: CohortRow, top: float, columns: _ColumnLayout, chart: GridChart, marks: list[Mark]
) -> None:
    y = columns.baseline_y(top, _FONT_SIZE)
    max_width = columns.sizes_right - chart.pad - columns.label_width - _COLUMN_GAP / 2
    label = truncate(row.label, _FONT_SIZE, columns.label_width)
    marks.append(Text(chart.pad, y, label, _FONT_SIZE, "text", columns.label_width + _COLUMN_GAP / 2))
    marks.append(
        Text(columns.sizes_right, y, format_short(row.size), _FONT_SIZE, "muted", max_width, anchor="end", tabular=True)
    )


def _draw_cell(share: float | None, box: Box, columns: _ColumnLayout, marks: list[Mark], *, is_over: bool) -> None:
    """Add a cell: shaded by its share, with a dashed frame if its period is not over, empty without a share."""
    if share is None:
        marks.append(box)
        return
    shade_step = shade_step_of_share(share)
    frame_box = box._replace(x=box.x + 0.5, y=box.y + 0.5, width=box.width - 1, height=box.height - 1, paint="frame")
    marks.append(box._replace(paint=f"r{shade_step}") if is_over else frame_box)
    middle, y = box.x + box.width / 2, columns.baseline_y(box.y, columns.font_size)
    cell_text = format_whole_percent(share) + columns.percent_sign
    if tabular_width(cell_text, columns.font_size) > columns.cell_width:
        cell_text = cell_text.removeprefix("<")
    text_paint = text_paint_on(shade_step) if is_over else "text"
    marks.append(
        Text(middle, y, cell_text, columns.font_size, text_paint, columns.cell_width, anchor="middle", tabular=True)
    )

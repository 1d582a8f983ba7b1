"""Cohorts and the share of them that came back, as a triangle of shaded cells (rules/pictures#cohorts)."""

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
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import format_number, format_percent, format_short, format_whole_percent
from tallyroom.images.charts.shades import shade_of_share, text_paint_on
from tallyroom.images.charts.widths import tabular_width, text_width, truncate

_ROW = 27.0
_GAP = 2.0
_SIZE = 12.0
_BESIDE = 12.0  # between labels, sizes and cells
_INSIDE = 3.0  # of a cell, left and right of its words
_RADIUS = 4.0
_WIDEST = 0.22  # of the labels, as a share of the picture
_SIGN = "\u2009%"


class CohortRow(msgspec.Struct, frozen=True):
    """A cohort, its size, and how many of it came back in each period after; the last period is not over."""

    label: str
    size: int
    returned: Sequence[int]


class GridChart(Chart, frozen=True, kw_only=True):
    """Cohorts from the oldest on; `period` names the first column of cells, as in `Week 1`."""

    rows: Sequence[CohortRow]
    period: str


class _Columns(NamedTuple):
    """Where the sizes end, where cells begin and how large they are, and how their words are written."""

    label_width: float
    sizes_right: float
    cells_left: float
    cell_width: float
    cell_height: float
    font_size: float
    sign: str

    def left(self, number: int) -> float:
        """The left end of a cell."""
        return self.cells_left + number * (self.cell_width + _GAP)

    def baseline(self, top: float, size: float) -> float:
        """The baseline of words in the middle of a row."""
        return top + self.cell_height / 2 + size * 0.35


def cohorts_height(row_count: int, width: int) -> int:
    """Return the height at which all rows fit."""
    return ceil(header_height(width) + (max(row_count, 2) + 1) * _ROW + edge_width(width))


def draw_cohorts(chart: GridChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = draw_title(chart, marks)
    if not any(row.size for row in chart.rows):
        return build_empty_drawing(chart, top, marks)
    columns = _measure_columns(chart)
    _draw_head(chart, columns, top, marks)
    for number, row in enumerate(chart.rows, 1):
        y = top + number * (columns.cell_height + _GAP)
        _draw_names(row, y, columns, chart, marks)
        for period, count in enumerate(row.returned):
            box = Box(columns.left(period), y, columns.cell_width, columns.cell_height, "track", _RADIUS)
            share = min(count / row.size, 1.0) if row.size else None
            _draw_cell(share, box, columns, marks, is_over=period + 1 < len(row.returned))
    row_texts = [
        f"{row.label}, {format_number(row.size)}: {', '.join(map(format_percent, _returned_shares(row)))}"
        for row in chart.rows
        if row.size and row.returned
    ]
    return build_drawing(chart, f"{'; '.join(row_texts) or 'Nobody could come back yet'}.", marks)


def _returned_shares(row: CohortRow) -> list[float]:
    return [min(count / row.size, 1.0) for count in row.returned] if row.size else []


def _measure_columns(chart: GridChart) -> _Columns:
    """Divide the width: labels and sizes get what they need, and the cells the rest."""
    period_count = max(1, *(len(row.returned) for row in chart.rows))
    label_width = min(max(text_width(row.label, _SIZE) for row in chart.rows), chart.width * _WIDEST)
    sizes_width = max(text_width("Size", _SIZE), *(tabular_width(format_short(row.size), _SIZE) for row in chart.rows))
    cells_left = chart.pad + label_width + _BESIDE + sizes_width + _BESIDE
    cell_width = (chart.right - cells_left + _GAP) / period_count - _GAP
    sign = _SIGN if cell_width - 2 * _INSIDE >= tabular_width(f"100{_SIGN}", _SIZE) else ""
    cell_text = {format_whole_percent(share) for row in chart.rows for share in _returned_shares(row)} | {
        str(period_count)
    }
    widest = max(tabular_width(cell_text, _SIZE) for cell_text in cell_text)
    font_size = _SIZE if sign else min(_SIZE, _SIZE * (cell_width - _INSIDE) / widest)
    return _Columns(label_width, cells_left - _BESIDE, cells_left, cell_width, _ROW - _GAP, font_size, sign)


def _draw_head(chart: GridChart, columns: _Columns, top: float, marks: list[Mark]) -> None:
    y = columns.baseline(top, _SIZE)
    max_width = columns.sizes_right - chart.pad - columns.label_width
    marks.append(Text(columns.sizes_right, y, "Size", _SIZE, "muted", max_width, anchor="end"))
    for number in range(max(len(row.returned) for row in chart.rows)):
        first = chart.period if tabular_width(chart.period, columns.font_size) <= columns.cell_width else "1"
        cell_text, middle = str(number + 1) if number else first, columns.left(number) + columns.cell_width / 2
        marks.append(
            Text(middle, y, cell_text, columns.font_size, "muted", columns.cell_width, anchor="middle", tabular=True)
        )


def _draw_names(row: CohortRow, top: float, columns: _Columns, chart: GridChart, marks: list[Mark]) -> None:
    y = columns.baseline(top, _SIZE)
    max_width = columns.sizes_right - chart.pad - columns.label_width - _BESIDE / 2
    marks.append(
        Text(
            chart.pad,
            y,
            truncate(row.label, _SIZE, columns.label_width),
            _SIZE,
            "text",
            columns.label_width + _BESIDE / 2,
        )
    )
    marks.append(
        Text(columns.sizes_right, y, format_short(row.size), _SIZE, "muted", max_width, anchor="end", tabular=True)
    )


def _draw_cell(share: float | None, box: Box, columns: _Columns, marks: list[Mark], *, is_over: bool) -> None:
    """Add a cell: shaded by its share, with a dashed frame if its period is not over, empty without a share."""
    if share is None:
        marks.append(box)
        return
    step = shade_of_share(share)
    frame = box._replace(x=box.x + 0.5, y=box.y + 0.5, width=box.width - 1, height=box.height - 1, paint="frame")
    marks.append(box._replace(paint=f"r{step}") if is_over else frame)
    middle, y = box.x + box.width / 2, columns.baseline(box.y, columns.font_size)
    cell_text = format_whole_percent(share) + columns.sign
    cell_text = (
        cell_text if tabular_width(cell_text, columns.font_size) <= columns.cell_width else cell_text.removeprefix("<")
    )
    ink = text_paint_on(step) if is_over else "text"
    marks.append(Text(middle, y, cell_text, columns.font_size, ink, columns.cell_width, anchor="middle", tabular=True))

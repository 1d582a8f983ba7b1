"""Cohorts and the share of them that came back, as a triangle of shaded cells (rules/pictures#cohorts)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.images.charts.chart import Chart, begin, finished, head_of, pad_of, without_data
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import percent, short, whole_percent, written
from tallyroom.images.charts.shades import ink_on, shade_of_share
from tallyroom.images.charts.widths import cut, tabular_width, width_of

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

    label: float
    sizes: float
    cells: float
    width: float
    height: float
    size: float
    sign: str

    def left(self, number: int) -> float:
        """The left end of a cell."""
        return self.cells + number * (self.width + _GAP)

    def baseline(self, top: float, size: float) -> float:
        """The baseline of words in the middle of a row."""
        return top + self.height / 2 + size * 0.35


def cohorts_height(rows: int, width: int) -> int:
    """Return the height at which all rows fit."""
    return ceil(head_of(width) + (max(rows, 2) + 1) * _ROW + pad_of(width))


def draw_cohorts(chart: GridChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = begin(chart, marks)
    if not any(row.size for row in chart.rows):
        return without_data(chart, top, marks)
    columns = _columns(chart)
    _put_head(chart, columns, top, marks)
    for number, row in enumerate(chart.rows, 1):
        y = top + number * (columns.height + _GAP)
        _put_names(row, y, columns, chart, marks)
        for period, count in enumerate(row.returned):
            box = Box(columns.left(period), y, columns.width, columns.height, "track", _RADIUS)
            share = min(count / row.size, 1.0) if row.size else None
            _put_cell(share, box, columns, marks, is_over=period + 1 < len(row.returned))
    phrases = [
        f"{row.label}, {written(row.size)}: {', '.join(map(percent, _shares(row)))}"
        for row in chart.rows
        if row.size and row.returned
    ]
    return finished(chart, f"{'; '.join(phrases) or 'Nobody could come back yet'}.", marks)


def _shares(row: CohortRow) -> list[float]:
    return [min(count / row.size, 1.0) for count in row.returned] if row.size else []


def _columns(chart: GridChart) -> _Columns:
    """Divide the width: labels and sizes get what they need, and the cells the rest."""
    periods = max(1, *(len(row.returned) for row in chart.rows))
    label = min(max(width_of(row.label, _SIZE) for row in chart.rows), chart.width * _WIDEST)
    sizes = max(width_of("Size", _SIZE), *(tabular_width(short(row.size), _SIZE) for row in chart.rows))
    cells = chart.pad + label + _BESIDE + sizes + _BESIDE
    width = (chart.right - cells + _GAP) / periods - _GAP
    sign = _SIGN if width - 2 * _INSIDE >= tabular_width(f"100{_SIGN}", _SIZE) else ""
    words = {whole_percent(share) for row in chart.rows for share in _shares(row)} | {str(periods)}
    widest = max(tabular_width(word, _SIZE) for word in words)
    size = _SIZE if sign else min(_SIZE, _SIZE * (width - _INSIDE) / widest)
    return _Columns(label, cells - _BESIDE, cells, width, _ROW - _GAP, size, sign)


def _put_head(chart: GridChart, columns: _Columns, top: float, marks: list[Mark]) -> None:
    y = columns.baseline(top, _SIZE)
    room = columns.sizes - chart.pad - columns.label
    marks.append(Text(columns.sizes, y, "Size", _SIZE, "muted", room, anchor="end"))
    for number in range(max(len(row.returned) for row in chart.rows)):
        first = chart.period if tabular_width(chart.period, columns.size) <= columns.width else "1"
        words, middle = str(number + 1) if number else first, columns.left(number) + columns.width / 2
        marks.append(Text(middle, y, words, columns.size, "muted", columns.width, anchor="middle", tabular=True))


def _put_names(row: CohortRow, top: float, columns: _Columns, chart: GridChart, marks: list[Mark]) -> None:
    y = columns.baseline(top, _SIZE)
    room = columns.sizes - chart.pad - columns.label - _BESIDE / 2
    marks.append(Text(chart.pad, y, cut(row.label, _SIZE, columns.label), _SIZE, "text", columns.label + _BESIDE / 2))
    marks.append(Text(columns.sizes, y, short(row.size), _SIZE, "muted", room, anchor="end", tabular=True))


def _put_cell(share: float | None, box: Box, columns: _Columns, marks: list[Mark], *, is_over: bool) -> None:
    """Add a cell: shaded by its share, with a dashed frame if its period is not over, empty without a share."""
    if share is None:
        marks.append(box)
        return
    step = shade_of_share(share)
    frame = box._replace(x=box.x + 0.5, y=box.y + 0.5, width=box.width - 1, height=box.height - 1, paint="frame")
    marks.append(box._replace(paint=f"r{step}") if is_over else frame)
    middle, y = box.x + box.width / 2, columns.baseline(box.y, columns.size)
    words = whole_percent(share) + columns.sign
    words = words if tabular_width(words, columns.size) <= columns.width else words.removeprefix("<")
    ink = ink_on(step) if is_over else "text"
    marks.append(Text(middle, y, words, columns.size, ink, columns.width, anchor="middle", tabular=True))

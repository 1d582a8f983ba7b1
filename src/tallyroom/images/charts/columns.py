"""Columns that start at zero: one for each moment, in which several series are stacked (rules/pictures#columns)."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.images.charts.axes import Plot
from tallyroom.images.charts.drawing import AxisLine, Box, Mark, Shape
from tallyroom.images.charts.graph import Series

_MAX_COLUMN_WIDTH = 48.0
_WIDTH_SHARE = 0.72  # of the room of a column
_DENSE_SLOT_WIDTH = 6.0  # pixels of room below which columns touch
_STACK_GAP = 1.0  # between stacked parts
_MIN_PIXELS = 1.0  # pixels, so that any value except zero is visible
_CORNER_RADIUS = 2.0
_MAX_FLOAT = sys.float_info.max


class StackedPart(NamedTuple):
    """A part of a column: its series, and the values at its two ends, the one nearer to zero first."""

    series_index: int
    moment: float
    inner_value: float
    outer_value: float


def stack_series(series: Sequence[Series]) -> list[StackedPart]:
    """Stack the series in their order, from zero upwards or, if they are negative, downwards."""
    top_by_moment: dict[float, float] = {}
    bottom_by_moment: dict[float, float] = {}
    parts = []
    for series_index, line in enumerate(series):
        for moment, value in line.points:
            end_by_moment = top_by_moment if value >= 0 else bottom_by_moment
            inner_value = end_by_moment.get(moment, 0.0)
            end_by_moment[moment] = max(min(inner_value + value, _MAX_FLOAT), -_MAX_FLOAT)
            parts.append(StackedPart(series_index, moment, inner_value, end_by_moment[moment]))
    return parts


def draw_columns(
    series: Sequence[Series], plot: Plot, slot_width: float, faint_moments: set[float], marks: list[Mark]
) -> None:
    """Add columns to `marks`, one shape for each series, and the line at their base; each has `slot_width` pixels."""
    width = max(slot_width - _STACK_GAP / 2, _MIN_PIXELS)
    if slot_width >= _DENSE_SLOT_WIDTH:
        width = min(slot_width * _WIDTH_SHARE, _MAX_COLUMN_WIDTH)
    paths_by_series: dict[tuple[int, bool], list[str]] = {}
    for part in stack_series(series):
        if part.outer_value != part.inner_value:
            path = _rectangle_path(part, plot, plot.x_scale.to_pixel(part.moment) - width / 2, width)
            paths_by_series.setdefault((part.series_index, part.moment in faint_moments), []).append(path)
    marks += [
        Shape("".join(path), f"p{series[series_index].paint_key(series_index)}", is_faint)
        for (series_index, is_faint), path in sorted(paths_by_series.items())
    ]
    marks.append(build_base_line(plot))


def _rectangle_path(part: StackedPart, plot: Plot, left: float, width: float) -> str:
    """Return a rectangle from one end of a part to the other, with a gap to the part below it."""
    start_y, end_y = plot.y_scale.to_pixel(part.inner_value), plot.y_scale.to_pixel(part.outer_value)
    sign = -1 if part.outer_value > part.inner_value else 1
    gap = _STACK_GAP if part.inner_value else 0.0
    height = max(abs(end_y - start_y) - gap, _MIN_PIXELS)
    return f"M{left:.1f} {start_y + sign * gap:.1f}h{width:.1f}v{sign * height:.1f}h{-width:.1f}z"


def build_base_line(plot: Plot) -> AxisLine:
    """Return the line at the base of columns."""
    base_y = round(plot.floor_y) + 0.5
    return AxisLine(plot.left, base_y, plot.right, base_y, "base")


def build_column(x: float, width: float, plot: Plot, value: float) -> list[Box]:
    """Return a single column from zero up to a value; none for zero."""
    if not value:
        return []
    height = max(plot.y_scale.to_pixel(0) - plot.y_scale.to_pixel(value), _MIN_PIXELS)
    return [Box(x, plot.y_scale.to_pixel(0) - height, width, height, "p0", min(_CORNER_RADIUS, width / 4))]

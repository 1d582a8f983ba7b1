"""Columns that stand on zero: one for each moment, in which several series are stacked (rules/pictures#columns)."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.images.charts.axes import Plot
from tallyroom.images.charts.drawing import AxisLine, Box, Mark, Shape
from tallyroom.images.charts.graph import GraphPoint, Series

_MAX_WIDTH = 48.0
_WIDTH_SHARE = 0.72  # of the room of a column
_DENSE_SLOT = 6.0  # pixels of room below which columns touch
_BETWEEN = 1.0  # between what is stacked
_MIN_SIZE = 1.0  # pixels, so that what is not zero can be seen
_RADIUS = 2.0
_HIGHEST = sys.float_info.max


class StackedPart(NamedTuple):
    """A piece of a column: its series, and the values at its two ends, the one nearer to zero first."""

    series: int
    moment: float
    inner: float
    outer: float


def stack_series(series: Sequence[Series]) -> list[StackedPart]:
    """Stack the series in their order, from zero upwards or, if they are negative, downwards."""
    up: dict[float, float] = {}
    down: dict[float, float] = {}
    parts = []
    for index, line in enumerate(series):
        for moment, value in line.points:
            heights = up if value >= 0 else down
            inner = heights.get(moment, 0.0)
            heights[moment] = max(min(inner + value, _HIGHEST), -_HIGHEST)
            parts.append(StackedPart(index, moment, inner, heights[moment]))
    return parts


def draw_columns(
    parts: Sequence[StackedPart], plot: Plot, slot_width: float, faint_moments: set[float], marks: list[Mark]
) -> None:
    """Add columns to `marks`, one shape for each series, and the line on which they stand.

    Args:
        parts: the columns.
        plot: where they stand.
        slot_width: the width that each moment has.
        faint_moments: the moments of incomplete columns.
        marks: gets the shapes.
    """
    width = (
        min(slot_width * _WIDTH_SHARE, _MAX_WIDTH)
        if slot_width >= _DENSE_SLOT
        else max(slot_width - _BETWEEN / 2, _MIN_SIZE)
    )
    paths: dict[tuple[int, bool], list[str]] = {}
    for part in parts:
        if part.outer != part.inner:
            path = _rectangle_path(part, plot, plot.x.to_pixel(part.moment) - width / 2, width)
            paths.setdefault((part.series, part.moment in faint_moments), []).append(path)
    marks += [Shape("".join(path), f"p{series}", is_faint) for (series, is_faint), path in sorted(paths.items())]
    marks.append(build_base_line(plot))


def _rectangle_path(part: StackedPart, plot: Plot, left: float, width: float) -> str:
    """Return a rectangle from one end of a part to the other, with a gap to what is stacked below it."""
    start, end = plot.y.to_pixel(part.inner), plot.y.to_pixel(part.outer)
    sign = -1 if part.outer > part.inner else 1
    gap = _BETWEEN if part.inner else 0.0
    height = max(abs(end - start) - gap, _MIN_SIZE)
    return f"M{left:.1f} {start + sign * gap:.1f}h{width:.1f}v{sign * height:.1f}h{-width:.1f}z"


def build_base_line(plot: Plot) -> AxisLine:
    """Return the line on which columns stand."""
    base = round(plot.floor) + 0.5
    return AxisLine(plot.left, base, plot.right, base, "base")


def build_column(x: float, width: float, plot: Plot, value: float) -> list[Box]:
    """Return a single column from zero up to a value; none for zero."""
    if not value:
        return []
    height = max(plot.y.to_pixel(0) - plot.y.to_pixel(value), _MIN_SIZE)
    return [Box(x, plot.y.to_pixel(0) - height, width, height, "p0", min(_RADIUS, width / 4))]


def fold_series(series: Sequence[Series], max_count: int, rest_name: str) -> list[Series]:
    """Return at most `max_count` series, the last of which is the sum of all others."""
    if len(series) <= max_count:
        return list(series)
    sums: dict[float, float] = {}
    for line in series[max_count - 1 :]:
        for moment, value in line.points:
            sums[moment] = max(min(sums.get(moment, 0.0) + value, _HIGHEST), -_HIGHEST)
    points: list[GraphPoint] = sorted(sums.items())
    return [*series[: max_count - 1], Series(rest_name, points)]

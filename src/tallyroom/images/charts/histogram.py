"""How values are distributed: a column for each range of values (rules/pictures#columns)."""

from collections.abc import Sequence

import msgspec

from tallyroom.images.charts.axes import AxisLook, Plot, plot_with_axes
from tallyroom.images.charts.chart import Chart, begin, finished, without_data
from tallyroom.images.charts.columns import base_line, column
from tallyroom.images.charts.drawing import Drawing, Mark
from tallyroom.images.charts.graph import Extent
from tallyroom.images.charts.number_format import short, written

_LONE = 48.0  # the width of a column without a range
_BETWEEN = 1.0
_ABOVE = 6.0


class ValueRange(msgspec.Struct, frozen=True):
    """How many values are between two bounds."""

    start: float
    end: float
    count: int


class HistogramChart(Chart, frozen=True, kw_only=True):
    """Ranges in ascending order, each of which begins where the one before ends."""

    ranges: Sequence[ValueRange]


def draw_histogram(chart: HistogramChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = begin(chart, marks) + _ABOVE
    if not any(value_range.count for value_range in chart.ranges):
        return without_data(chart, top, marks)
    first, last = chart.ranges[0].start, chart.ranges[-1].end
    highest = max(chart.ranges, key=lambda value_range: value_range.count)
    look = AxisLook(is_whole=True, is_timeless=True)
    extent = Extent(first, last, 0.0, highest.count)
    plot = plot_with_axes(chart.width, chart.height, extent, chart.pad, top, marks, look)
    for value_range in chart.ranges:
        left, width = _place(value_range, plot)
        marks += column(left, width, plot, value_range.count)
    marks.append(base_line(plot))
    total = sum(value_range.count for value_range in chart.ranges)
    peak = f"the most, {written(highest.count)}, from {short(highest.start)} to {short(highest.end)}"
    return finished(chart, f"{written(total)} values from {short(first)} to {short(last)}; {peak}.", marks)


def _place(value_range: ValueRange, plot: Plot) -> tuple[float, float]:
    """Return the left end and the width of a column."""
    left, right = plot.x.at(value_range.start), plot.x.at(value_range.end)
    if value_range.start == value_range.end:
        return left - _LONE / 2, _LONE
    between = min(_BETWEEN, (right - left) / 4)
    return left + between / 2, max(right - left - between, 0.5)

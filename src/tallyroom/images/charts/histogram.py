"""How values are distributed: a column for each range of values (rules/pictures#columns)."""

from collections.abc import Sequence

import msgspec

from tallyroom.images.charts.axes import AxisStyle, Plot, draw_axes
from tallyroom.images.charts.chart import Chart
from tallyroom.images.charts.columns import build_base_line, build_column
from tallyroom.images.charts.drawing import Drawing, Mark
from tallyroom.images.charts.graph import Extent
from tallyroom.images.charts.number_format import format_number, format_short

_LONE_COLUMN_WIDTH = 48.0  # the width of a column without a range
_COLUMN_GAP = 1.0
_TOP_MARGIN = 6.0


class ValueRange(msgspec.Struct, frozen=True):
    """How many values are between two bounds."""

    start: float
    end: float
    count: int


class HistogramChart(Chart, frozen=True, kw_only=True):
    """Ranges in ascending order without gaps."""

    ranges: Sequence[ValueRange]


def draw_histogram(chart: HistogramChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = chart.draw_title(marks) + _TOP_MARGIN
    if not any(value_range.count for value_range in chart.ranges):
        return chart.build_empty_drawing(top, marks)
    first_bound, last_bound = chart.ranges[0].start, chart.ranges[-1].end
    highest_range = max(chart.ranges, key=lambda value_range: value_range.count)
    style = AxisStyle(is_whole=True, is_timeless=True)
    extent = Extent(first_bound, last_bound, 0.0, highest_range.count)
    plot = draw_axes(chart.width, chart.height, extent, chart.pad, top, marks, style)
    for value_range in chart.ranges:
        left, width = _column_span(value_range, plot)
        marks += build_column(left, width, plot, value_range.count)
    marks.append(build_base_line(plot))
    total = sum(value_range.count for value_range in chart.ranges)
    peak_bounds = f"from {format_short(highest_range.start)} to {format_short(highest_range.end)}"
    all_bounds = f"from {format_short(first_bound)} to {format_short(last_bound)}"
    peak_text = f"Peak: {format_number(highest_range.count)} {peak_bounds}"
    return chart.build_drawing(f"{format_number(total)} values {all_bounds}. {peak_text}.", marks)


def _column_span(value_range: ValueRange, plot: Plot) -> tuple[float, float]:
    left, right = plot.x_scale.to_pixel(value_range.start), plot.x_scale.to_pixel(value_range.end)
    if value_range.start == value_range.end:
        return left - _LONE_COLUMN_WIDTH / 2, _LONE_COLUMN_WIDTH
    gap = min(_COLUMN_GAP, (right - left) / 4)
    return left + gap / 2, max(right - left - gap, 0.5)

"""Values over time: as lines, shaded lines or columns, with gaps where there is no value (rules/pictures#over-time)."""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from functools import partial
from itertools import pairwise
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import structs

from tallyroom.images.charts.axes import AxisStyle, Plot, draw_axes
from tallyroom.images.charts.chart import Chart
from tallyroom.images.charts.columns import draw_columns, stack_series
from tallyroom.images.charts.drawing import Drawing, Mark
from tallyroom.images.charts.graph import Extent, Graph, Series, find_extent
from tallyroom.images.charts.incomplete import draw_rings, draw_so_far, leave_out
from tallyroom.images.charts.label_boxes import Obstacle
from tallyroom.images.charts.layers import draw_layers, stack_graph
from tallyroom.images.charts.legend import draw_legend
from tallyroom.images.charts.lines import draw_lines
from tallyroom.images.charts.number_form import NumberForm
from tallyroom.images.charts.number_format import format_among
from tallyroom.images.charts.thresholds import Threshold, draw_thresholds
from tallyroom.images.charts.time_ticks import format_moment

_MAX_EXACT_INTEGER = 2**53
_MIN_WIDTH_FOR_YEARS = 480  # pictures below it have no room for years
_PLOT_MARGIN_TOP = 6.0
_THRESHOLD_HEADROOM_SHARE = 0.12  # above a threshold, as a share of the axis, for its label


class TimeSeries(msgspec.Struct, frozen=True):
    """A name, a value or None for each moment that all series of a chart share, and the number of the whole window.

    `palette_key` is as in `Series`.
    """

    name: str
    points: Sequence[tuple[float, float | None]]
    total: float | None = None
    palette_key: str | None = None


class TimeChart(Chart, frozen=True, kw_only=True):
    """Series over the same moments; the values at `incomplete` moments do not cover all of their bucket.

    Such a bucket is not over, unless it is the first of several, of which the window has only a part. Columns are
    stacked, and areas if they are `is_stacked`. With `has_zero`, the axis includes zero, as it does for both of these.
    """

    series: Sequence[TimeSeries]
    timezone: str = "UTC"
    shape: Literal["line", "area", "column"] = "line"
    thresholds: Sequence[Threshold] = ()
    incomplete: Sequence[float] = ()
    is_stacked: bool = False
    has_zero: bool = False
    has_legend: bool = True
    number_form: NumberForm = NumberForm()

    @property
    def has_layers(self) -> bool:
        """Whether areas are on top of each other."""
        return self.shape == "area" and self.is_stacked and len(self.series) > 1


def draw_time(chart: TimeChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = chart.draw_title(marks)
    graph = _build_graph(chart)
    extent = find_extent(graph)
    if extent is None:
        return chart.build_empty_drawing(top, marks)
    zone = UTC if chart.timezone == "UTC" else ZoneInfo(chart.timezone)
    column_count = len(chart.series[0].points) if chart.shape == "column" else 0
    plot_extent = _extend_extent(chart, graph, extent)
    legend_bottom = draw_legend(graph, extent, chart.pad, top, marks) if chart.has_legend else top
    top = max(legend_bottom, top + _PLOT_MARGIN_TOP)
    style = AxisStyle(
        zone, column_count=column_count, is_whole=_has_whole_values(chart), has_year=chart.width >= _MIN_WIDTH_FOR_YEARS
    )
    plot = draw_axes(chart.width, chart.height, plot_extent, chart.pad, top, marks, style)
    if column_count:
        draw_columns(graph.series, plot, (plot.right - plot.left) / column_count, set(chart.incomplete), marks)
    else:
        _draw_lines(chart, graph, plot, marks)
    outline = graph if chart.shape == "column" else _outline(chart, graph)
    obstacles = _build_obstacles(chart, outline, plot)
    obstacles += _draw_so_far(chart, outline, plot, obstacles, marks)
    draw_thresholds(chart.thresholds, plot, obstacles, marks)
    return chart.build_drawing(_describe_chart(chart, graph, extent, zone), marks)


def _build_graph(chart: TimeChart) -> Graph:
    """Return the lines of a chart; a line is dotted where it has no value."""
    series = [
        Series(
            line.name,
            [(moment, value) for moment, value in line.points if value is not None],
            moments_after_gaps=_find_dotted_starts(line),
            total=line.total,
            palette_key=line.palette_key,
        )
        for line in chart.series
    ]
    moments = [moment for line in chart.series for moment, _ in line.points]
    return Graph(
        chart.title,
        series,
        chart.width,
        chart.height,
        fill=True if chart.shape == "area" else None,
        time_range=(min(moments), max(moments)) if moments else None,
        legend_value="total",
        number_form=chart.number_form,
    )


def _find_dotted_starts(series: TimeSeries) -> frozenset[float]:
    """Return the moments to which a line is dotted."""
    return frozenset(moment for (_, previous_value), (moment, _) in pairwise(series.points) if previous_value is None)


def _outline(chart: TimeChart, graph: Graph) -> Graph:
    """Return the lines as they are drawn: those of layers are on top of each other."""
    return stack_graph(graph) if chart.has_layers else graph


def _draw_lines(chart: TimeChart, graph: Graph, plot: Plot, marks: list[Mark]) -> None:
    whole_graph = leave_out(graph, chart.incomplete)
    whole_extent = find_extent(structs.replace(whole_graph, time_range=None))
    if whole_extent is not None:
        if chart.has_layers:
            draw_layers(whole_graph, plot, marks)
        draw_lines(_outline(chart, whole_graph), whole_extent, plot, marks)
    draw_rings(_outline(chart, graph), chart.incomplete, plot, marks)


def _draw_so_far(
    chart: TimeChart, graph: Graph, plot: Plot, obstacles: Sequence[Obstacle], marks: list[Mark]
) -> list[Obstacle]:
    current_moments = _list_current_moments(chart)
    if not current_moments:
        return []
    points = (
        [(part.moment, part.outer_value) for part in stack_series(graph.series)]
        if chart.shape == "column"
        else [point for line in graph.series for point in line.points]
    )
    values = [value for moment, value in points if moment == current_moments[-1]]
    return draw_so_far(current_moments[-1], values, plot, obstacles, marks) if values else []


def _list_current_moments(chart: TimeChart) -> list[float]:
    """Return the moments of buckets that are not over; of the first of several, the window has only a part."""
    moments = [moment for moment, _ in chart.series[0].points]
    return [moment for moment in chart.incomplete if moment != moments[0] or len(moments) == 1]


def _extend_extent(chart: TimeChart, graph: Graph, extent: Extent) -> Extent:
    """Return the extent of the plot: with zero if it must have it, and with room for thresholds."""
    lowest, highest = extent.lowest, extent.highest
    if chart.shape == "column" or chart.has_layers:
        outer_values = [part.outer_value for part in stack_series(graph.series)]
        lowest, highest = min(outer_values), max(outer_values)
    if chart.shape != "line" or chart.has_zero:
        lowest, highest = min(lowest, 0.0), max(highest, 0.0)
    threshold_values = [threshold.value for threshold in chart.thresholds]
    if threshold_values:
        lowest, highest_threshold = min(lowest, *threshold_values), max(threshold_values)
        headroom = (max(highest, highest_threshold) / 2 - lowest / 2) * _THRESHOLD_HEADROOM_SHARE
        highest = max(
            highest, highest_threshold + headroom * 2 if highest_threshold < _MAX_EXACT_INTEGER else highest_threshold
        )
    return extent._replace(lowest=lowest, highest=highest)


def _has_whole_values(chart: TimeChart) -> bool:
    values = (value for line in chart.series for _, value in line.points if value is not None)
    return all(abs(value) < _MAX_EXACT_INTEGER and value == round(value) for value in values)


def _build_obstacles(chart: TimeChart, graph: Graph, plot: Plot) -> list[Obstacle]:
    if chart.shape != "column":
        return [
            Obstacle([(plot.x_scale.to_pixel(moment), plot.y_scale.to_pixel(value)) for moment, value in line.points])
            for line in leave_out(graph, chart.incomplete).series
        ]
    top_by_moment: dict[float, float] = {}
    for part in stack_series(graph.series):
        top_by_moment[part.moment] = max(top_by_moment.get(part.moment, 0.0), part.outer_value)
    top_points = [
        (plot.x_scale.to_pixel(moment), plot.y_scale.to_pixel(value)) for moment, value in sorted(top_by_moment.items())
    ]
    return [Obstacle(top_points, plot.floor_y)]


def _describe_chart(chart: TimeChart, graph: Graph, extent: Extent, zone: tzinfo) -> str:
    earliest, latest = extent.earliest, extent.latest
    _, _, lowest, highest = find_extent(leave_out(graph, chart.incomplete)) or extent
    format_value = partial(format_among, lowest=lowest, highest=highest)
    span = f"{format_moment(earliest, zone)} to {format_moment(latest, zone)}"
    current_moments = _list_current_moments(chart)
    named_values = [
        (line.name, format_value(value) + (" so far" if moment in current_moments else ""))
        for line in graph.series
        for moment, value in line.points[-1:]
    ]
    values_text = "; ".join(f"{name}: {value_text}" if name else value_text for name, value_text in named_values)
    last_values = f"the last value{'s' if len(named_values) > 1 else ''}: {values_text}"
    threshold_labels = [threshold.label for threshold in chart.thresholds]
    value_range = f"from {format_value(lowest)} to {format_value(highest)}"
    return f"{span}, {value_range}; {'; '.join([last_values, *threshold_labels])}."

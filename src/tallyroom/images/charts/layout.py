"""Lays a graph out as a drawing, by pure functions: equal graphs give equal drawings."""

from functools import partial

from tallyroom.images.charts.axes import build_bare_plot, draw_axes
from tallyroom.images.charts.drawing import Drawing, Mark
from tallyroom.images.charts.graph import Extent, Graph, find_extent
from tallyroom.images.charts.heading import draw_heading, draw_no_data
from tallyroom.images.charts.legend import draw_legend
from tallyroom.images.charts.lines import LINE_WIDTH, draw_lines
from tallyroom.images.charts.number_format import format_among, format_short
from tallyroom.images.charts.time_ticks import format_utc_moment, is_time

_TITLE_SIZE = 18.0
_SMALL_HEIGHT, _SMALL_WIDTH = 110, 180  # below either, a picture has only the lines


def draw_graph(graph: Graph) -> Drawing:
    """Return the drawing of a graph."""
    extent = find_extent(graph)
    marks: list[Mark] = []
    pad = min(20.0, graph.width * 0.04, graph.height * 0.06)
    is_small = graph.height < _SMALL_HEIGHT or graph.width < _SMALL_WIDTH
    top = pad
    if graph.title and not is_small:
        top = draw_heading(graph.title, _TITLE_SIZE, graph.width, pad, marks)
    if extent is None:
        draw_no_data(graph.width, graph.height, top, marks)
        return Drawing(graph.width, graph.height, graph.title, "No data.", marks)
    if not is_small:
        top = draw_legend(graph, extent, pad, top, marks)
        plot = draw_axes(graph.width, graph.height, extent, pad, top, marks)
    else:
        plot = build_bare_plot(graph.width, graph.height, extent, max(pad, 2 * LINE_WIDTH))
    draw_lines(graph, extent, plot, marks)
    return Drawing(graph.width, graph.height, graph.title, _describe_graph(graph, extent), marks)


def _describe_graph(graph: Graph, extent: Extent) -> str:
    earliest, latest, lowest, highest = extent
    if is_time(earliest, latest):
        start, end = format_utc_moment(earliest), format_utc_moment(latest)
        span_text = f"{start} to {end}" if earliest < latest else start
    else:
        span_text = f"{format_short(earliest)} to {format_short(latest)}"
    format_value = partial(format_among, lowest=lowest, highest=highest)
    line_texts = [
        f"{series.name or 'A line'} ends at {format_value(series.points[-1][1])}"
        for series in graph.series
        if series.points
    ]
    kind = "Graph of one series" if len(line_texts) == 1 else f"Graph of {len(line_texts)} series"
    return f"{kind}, {span_text}, from {format_value(lowest)} to {format_value(highest)}. {'; '.join(line_texts)}."

"""Lays a graph out as a drawing, by pure functions: equal graphs give equal drawings."""

from functools import partial

from tallyroom.images.charts.axes import LABEL_SIZE, AxisStyle, Plot, build_bare_plot, draw_axes
from tallyroom.images.charts.drawing import Drawing, Mark
from tallyroom.images.charts.flags import FLAG_ROW_HEIGHT, draw_flags
from tallyroom.images.charts.graph import Extent, Graph, Series, find_extent
from tallyroom.images.charts.heading import draw_heading, draw_no_data
from tallyroom.images.charts.legend import draw_legend
from tallyroom.images.charts.line_ends import draw_line_ends, measure_line_ends
from tallyroom.images.charts.lines import LINE_WIDTH, draw_lines
from tallyroom.images.charts.number_format import format_among, format_short
from tallyroom.images.charts.time_ticks import format_utc_moment, is_time

_TITLE_SIZE = 18.0
_SMALL_HEIGHT, _SMALL_WIDTH = 110, 180  # below either, a picture has only the lines
_MIN_HEIGHT_WITH_FLAGS = 200


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
        plot = _draw_surroundings(graph, extent, pad, top, marks)
    else:
        plot = build_bare_plot(graph.width, graph.height, extent, max(pad, 2 * LINE_WIDTH))
    draw_lines(graph, extent, plot, marks)
    return Drawing(graph.width, graph.height, graph.title, _describe_graph(graph, extent), marks)


def _draw_surroundings(graph: Graph, extent: Extent, pad: float, top: float, marks: list[Mark]) -> Plot:
    """Add everything around the lines below `top`, and return the plot that remains for them."""
    has_flags = bool(graph.flags) and graph.height >= _MIN_HEIGHT_WITH_FLAGS
    flag_row_height = FLAG_ROW_HEIGHT if has_flags else 0.0
    room = measure_line_ends(graph, graph.height - top - flag_row_height - 2 * LABEL_SIZE - pad)
    if not room:
        top = draw_legend(graph, extent, pad, top, marks)
    style = AxisStyle(sign=graph.sign)
    plot = draw_axes(graph.width - room, graph.height, extent, pad, top + flag_row_height, marks, style)
    if has_flags:
        draw_flags(graph, plot, marks)
    if room:
        draw_line_ends(graph, plot, room, marks)
    return plot


def _describe_graph(graph: Graph, extent: Extent) -> str:
    earliest, latest, lowest, highest = extent
    if is_time(earliest, latest):
        start, end = format_utc_moment(earliest), format_utc_moment(latest)
        span_text = f"{start} to {end}" if earliest < latest else start
    else:
        span_text = f"{format_short(earliest)} to {format_short(latest)}"
    format_value = partial(format_among, lowest=lowest, highest=highest)
    line_texts = [
        f"{series.name or 'A line'} ends at {_write_end(series) or format_value(series.points[-1][1])}"
        for series in graph.series
        if series.points
    ]
    kind = "Graph of one series" if len(line_texts) == 1 else f"Graph of {len(line_texts)} series"
    range_text = f"from {format_value(lowest)} to {format_value(highest)}"
    sentences = [f"{kind}, {span_text}, {range_text}", "; ".join(line_texts), *(flag.label for flag in graph.flags)]
    return "".join(f"{sentence}. " for sentence in sentences).rstrip()


def _write_end(series: Series) -> str:
    return "" if series.end is None else series.end.value_text

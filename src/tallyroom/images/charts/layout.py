"""Lays a graph out as a drawing. It is pure: equal graphs give equal drawings."""

from functools import partial

from tallyroom.images.charts.axes import bare_plot, plot_with_axes
from tallyroom.images.charts.drawing import Drawing, Mark
from tallyroom.images.charts.graph import Extent, Graph, bounds
from tallyroom.images.charts.heading import heading, nothing
from tallyroom.images.charts.legend import legend
from tallyroom.images.charts.lines import LINE, draw_lines
from tallyroom.images.charts.number_format import short, told
from tallyroom.images.charts.time_ticks import described, is_time

_TITLE = 18.0
_SMALL_HEIGHT, _SMALL_WIDTH = 110, 180  # below either, a picture has only the lines


def draw(graph: Graph) -> Drawing:
    """Return the drawing of a graph."""
    extent = bounds(graph)
    marks: list[Mark] = []
    pad = min(20.0, graph.width * 0.04, graph.height * 0.06)
    small = graph.height < _SMALL_HEIGHT or graph.width < _SMALL_WIDTH
    top = pad
    if graph.title and not small:
        top = heading(graph.title, _TITLE, graph.width, pad, marks)
    if extent is None:
        nothing(graph.width, graph.height, top, marks)
        return Drawing(graph.width, graph.height, graph.title, "No data.", marks)
    if not small:
        top = legend(graph, extent, pad, top, marks)
        plot = plot_with_axes(graph.width, graph.height, extent, pad, top, marks)
    else:
        plot = bare_plot(graph.width, graph.height, extent, max(pad, 2 * LINE))
    draw_lines(graph, extent, plot, marks)
    return Drawing(graph.width, graph.height, graph.title, _described(graph, extent), marks)


def _described(graph: Graph, extent: Extent) -> str:
    """Describe the picture in words."""
    earliest, latest, lowest, highest = extent
    if is_time(earliest, latest):
        span = f"{described(earliest)} to {described(latest)}" if earliest < latest else described(earliest)
    else:
        span = f"{short(earliest)} to {short(latest)}"
    value = partial(told, lowest=lowest, highest=highest)
    lines = [
        f"{series.name or 'A line'} ends at {value(series.points[-1][1])}" for series in graph.series if series.points
    ]
    kind = "Graph of one series" if len(lines) == 1 else f"Graph of {len(lines)} series"
    return f"{kind}, {span}, from {value(lowest)} to {value(highest)}. {'; '.join(lines)}."

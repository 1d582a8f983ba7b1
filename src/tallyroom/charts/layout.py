"""Lays a graph out as a drawing. It is pure: equal graphs give equal drawings."""

from functools import partial

from tallyroom.charts.axes import LABEL, bare_plot, plot_with_axes
from tallyroom.charts.drawing import Drawing, Mark, Text
from tallyroom.charts.graph import Extent, Graph, bounds
from tallyroom.charts.legend import legend
from tallyroom.charts.lines import LINE, draw_lines
from tallyroom.charts.moments import described, is_time
from tallyroom.charts.numbers import short, told
from tallyroom.charts.widths import cut, width_of

_TITLE = 18.0
_LINE_HEIGHT = 1.4
_GAP = 8.0
_SMALL_HEIGHT, _SMALL_WIDTH = 110, 180  # below either, a picture has only the lines


def draw(graph: Graph) -> Drawing:
    """Return the drawing of a graph."""
    found = bounds(graph)
    marks: list[Mark] = []
    pad = min(20.0, graph.width * 0.04, graph.height * 0.06)
    small = graph.height < _SMALL_HEIGHT or graph.width < _SMALL_WIDTH
    top = pad
    if graph.title and not small:
        top = _title(graph, pad, marks)
    if found is None:
        _nothing(graph, top, marks)
        return Drawing(graph.width, graph.height, graph.title, "No data.", marks)
    if not small:
        top = legend(graph, found, pad, top, marks)
        plot = plot_with_axes(graph.width, graph.height, found, pad, top, marks)
    else:
        plot = bare_plot(graph.width, graph.height, found, max(pad, 2 * LINE))
    draw_lines(graph, found, plot, marks)
    return Drawing(graph.width, graph.height, graph.title, _described(graph, found), marks)


def _title(graph: Graph, pad: float, marks: list[Mark]) -> float:
    room = graph.width - 2 * pad
    words = cut(graph.title, _TITLE, room, bold=True)
    marks.append(Text(pad, pad + _TITLE * 0.95, words, _TITLE, "text", room, bold=True))
    return pad + _TITLE * _LINE_HEIGHT + _GAP / 2


def _nothing(graph: Graph, top: float, marks: list[Mark]) -> None:
    words, size = "No data", LABEL + 2
    if width_of(words, size) <= graph.width and size * _LINE_HEIGHT <= graph.height - top:
        middle = top + (graph.height - top) / 2
        marks.append(Text(graph.width / 2, middle, words, size, "muted", graph.width, anchor="middle"))


def _described(graph: Graph, found: Extent) -> str:
    """Describe the picture in words."""
    earliest, latest, lowest, highest = found
    if is_time(earliest, latest):
        span = f"{described(earliest)} to {described(latest)}" if earliest < latest else described(earliest)
    else:
        span = f"{short(earliest)} to {short(latest)}"
    value = partial(told, lowest=lowest, highest=highest)
    lines = [f"{each.name or 'A line'} ends at {value(each.points[-1][1])}" for each in graph.series if each.points]
    kind = "Graph of one series" if len(lines) == 1 else f"Graph of {len(lines)} series"
    return f"{kind}, {span}, from {value(lowest)} to {value(highest)}. {'; '.join(lines)}."

"""From a graph to a drawing: where everything stands. Pure: the same graph is the same drawing."""

import sys
from itertools import pairwise
from typing import NamedTuple

from tallyroom.charts.drawing import Area, Dot, Drawing, Mark, Rule, Stroke, Text
from tallyroom.charts.graph import Graph, Point, Series, bounds, breaks, thinned
from tallyroom.charts.legend import legend
from tallyroom.charts.moments import Tick, described, is_time, time_ticks
from tallyroom.charts.numbers import short, tick
from tallyroom.charts.scale import Scale, Ticks, value_ticks
from tallyroom.charts.typeface import cut, width_of

_TITLE = 18.0
_LABEL = 12.0
_LINE_HEIGHT = 1.4
_GAP = 8.0
_PER_VALUE = 38.0  # pixels from one value of the axis to the next, at least
_PER_MOMENT = 28.0  # pixels between the words of two moments, at least
_LONGEST_LABEL = "00:00:00"
_SMALL_HEIGHT, _SMALL_WIDTH = 110, 180  # below either, a picture is a line and nothing else
_LINE = 2.25
_THIN_LINE = 1.75
_MANY = 4  # series, from which on lines are thin
_FEW_DOTS = 8
_LONE = 1.0  # seconds around a lone moment
_DASHES = ("", "6 4", "2 4", "8 3 2 3")
_COLORS = 8


class _Plot(NamedTuple):
    x: Scale
    y: Scale
    top: float
    bottom: float

    @property
    def floor(self) -> float:
        """Where what is below a line ends: at zero if it is there, else at the bottom."""
        return self.y.at(0.0) if self.y.low <= 0 <= self.y.high else self.bottom


def draw(graph: Graph) -> Drawing:
    """Lay a graph out."""
    found = bounds(graph.series)
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
        top = legend(graph, pad, top, marks)
    plot = _small_plot(graph, found, pad) if small else _axes(graph, found, pad, top, marks)
    _lines(graph, plot, marks)
    return Drawing(graph.width, graph.height, graph.title, _described(graph, found), marks)


def _title(graph: Graph, pad: float, marks: list[Mark]) -> float:
    room = graph.width - 2 * pad
    words = cut(graph.title, _TITLE, room, bold=True)
    marks.append(Text(pad, pad + _TITLE * 0.95, words, _TITLE, "text", room, bold=True))
    return pad + _TITLE * _LINE_HEIGHT + _GAP / 2


def _nothing(graph: Graph, top: float, marks: list[Mark]) -> None:
    middle = top + (graph.height - top) / 2
    marks.append(Text(graph.width / 2, middle, "No data", _LABEL + 2, "muted", graph.width, anchor="middle"))


def _small_plot(graph: Graph, found: tuple[float, float, float, float], pad: float) -> _Plot:
    earliest, latest, lowest, highest = found
    edge = max(pad, 2 * _LINE)
    x = Scale(*_widened(earliest, latest), edge, graph.width - edge)
    y = Scale(lowest, highest, graph.height - edge, edge)  # without words that name values, only the shape counts
    return _Plot(x, y, edge, graph.height - edge)


def _axes(graph: Graph, found: tuple[float, float, float, float], pad: float, top: float, marks: list[Mark]) -> _Plot:
    earliest, latest, lowest, highest = found
    top += _LABEL / 2
    bottom = graph.height - pad - _LABEL * _LINE_HEIGHT
    values = value_ticks(lowest, highest, max(int((bottom - top) / _PER_VALUE) + 1, 2))
    labels = _labels(values)
    widest = max(width_of(label, _LABEL) for label in labels)
    left, right = pad + widest + _GAP, graph.width - pad
    y = Scale(values.values[0], values.values[-1], bottom, top)
    for value, label in zip(values.values, labels, strict=True):
        at = y.at(value)
        marks.append(Rule(left, right, at, "axis" if value == 0 and lowest < 0 else "grid"))
        marks.append(Text(left - _GAP, at + _LABEL * 0.35, label, _LABEL, "muted", widest, anchor="end"))
    x = Scale(*_widened(earliest, latest), left, right)
    _moments(x, graph.height - pad, pad, graph.width - pad, marks)
    return _Plot(x, y, top, bottom)


def _moments(x: Scale, baseline: float, first: float, last: float, marks: list[Mark]) -> None:
    """The words below the plot, none of which touches another or the edge."""
    room = width_of(_LONGEST_LABEL, _LABEL) + _PER_MOMENT
    most = max(int((x.end - x.start) / room), 1)
    taken = first
    for at, words in _named(x, most):
        width = width_of(words, _LABEL)
        middle = min(max(x.at(at), first + width / 2), last - width / 2)
        if middle - width / 2 >= taken:
            marks.append(Text(middle, baseline, words, _LABEL, "muted", width, anchor="middle"))
            taken = middle + width / 2 + _GAP


def _named(x: Scale, most: int) -> list[Tick]:
    if is_time(x.low, x.high):
        return time_ticks(x.low, x.high, most)
    ticks: Ticks = value_ticks(x.low, x.high, most)
    named = zip(ticks.values, _labels(ticks), strict=True)
    return [Tick(value, label) for value, label in named if x.low <= value <= x.high]


def _labels(ticks: Ticks) -> list[str]:
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    return [tick(value, ticks.step, largest) for value in ticks.values]


def _widened(earliest: float, latest: float) -> tuple[float, float]:
    """A span that is not empty."""
    if earliest < latest:
        return earliest, latest
    margin = max(_LONE, abs(earliest) * 1e-9) * (1800 if is_time(earliest, latest) else 1)
    return max(earliest - margin, -sys.float_info.max), min(latest + margin, sys.float_info.max)


def _lines(graph: Graph, plot: _Plot, marks: list[Mark]) -> None:
    filled = len(graph.series) == 1 if graph.fill is None else graph.fill
    width = _THIN_LINE if len(graph.series) >= _MANY else _LINE
    drawn = [_Line(each, at, plot, width) for at, each in enumerate(graph.series) if each.points]
    if filled:
        marks += [mark for line in drawn for mark in line.areas()]
    for line in drawn:
        marks += line.strokes()
    if len(drawn) <= _FEW_DOTS:
        marks += [line.dot() for line in drawn]


class _Line:
    """One series within a plot."""

    def __init__(self, series: Series, number: int, plot: _Plot, width: float) -> None:
        self._paint = f"s{number}"
        round_ = number // _COLORS  # of the palette
        self._dashes = _DASHES[round_ % len(_DASHES)] if series.color is None else ""
        self._plot = plot
        self._width = width
        columns = max(int(plot.x.end - plot.x.start), 1)
        interrupted = breaks(series.points)
        points = thinned(series.points, plot.x.low, plot.x.high, columns)
        starts = {series.points[at] for at in interrupted}
        self._pieces: list[list[Point]] = []
        for point in points:
            if not self._pieces or point in starts:
                self._pieces.append([])
            self._pieces[-1].append((plot.x.at(point[0]), plot.y.at(point[1])))

    def areas(self) -> list[Mark]:
        """What is below it."""
        bottom = self._plot.floor
        return [
            Area(
                f"M{piece[0][0]:.1f} {bottom:.1f}L{_path(piece)[1:]}V{bottom:.1f}Z",
                self._paint,
                self._plot.top,
                self._plot.bottom,
            )
            for piece in self._pieces
            if len(piece) > 1
        ]

    def strokes(self) -> list[Mark]:
        """The line, and a faint one across each interruption."""
        gaps = [
            Stroke(_path([before[-1], after[0]]), self._paint, self._width, faint=True)
            for before, after in pairwise(self._pieces)
        ]
        whole = "".join(_path(piece) for piece in self._pieces if len(piece) > 1)
        lone = [Dot(*piece[0], self._width, self._paint) for piece in self._pieces if len(piece) == 1]
        return [*gaps, *lone, *([Stroke(whole, self._paint, self._width, dashes=self._dashes)] if whole else [])]

    def dot(self) -> Mark:
        """Its end, which is where it stands now."""
        x, y = self._pieces[-1][-1]
        return Dot(x, y, self._width * 1.6, self._paint)


def _path(points: list[Point]) -> str:
    return "M" + "L".join([f"{x:.1f} {y:.1f}" for x, y in points])


def _described(graph: Graph, found: tuple[float, float, float, float]) -> str:
    """The picture in words."""
    earliest, latest, lowest, highest = found
    if is_time(earliest, latest):
        span = f"{described(earliest)} to {described(latest)}" if earliest < latest else described(earliest)
    else:
        span = f"{short(earliest)} to {short(latest)}"
    lines = [f"{each.name or 'A line'} ends at {short(each.points[-1][1])}" for each in graph.series if each.points]
    kind = "Graph of one series" if len(lines) == 1 else f"Graph of {len(lines)} series"
    return f"{kind}, {span}, from {short(lowest)} to {short(highest)}. {'; '.join(lines)}."

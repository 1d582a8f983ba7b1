"""The lines of a picture: their paths, the shaded areas below them, and the dots at their ends.

See rules/pictures#lines.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from operator import itemgetter

from tallyroom.images.charts.axes import Plot
from tallyroom.images.charts.drawing import Area, Dot, Mark, Stroke
from tallyroom.images.charts.graph import Extent, Graph, Series, find_breaks, has_ended, thin_points
from tallyroom.images.charts.scale import Scale

LINE_WIDTH = 2.25
"""The width of a line in pixels if there is room."""

_THIN_LINE = 1.75
_THINNEST_LINE = 1.5
_MIN_THIN_SERIES = 4  # the number of series from which lines are thin
_MAX_SHADES = 8
_MAX_DOTS = 8
_LONE_DOT = 5.0
_DASHES = ("", "6 4", "2 4", "8 3 2 3")
_COLORS = 8
_MAX_DASHED_POINTS = 4_000  # points of a graph; with more, dashes take long to draw and cannot be seen
_DENSE = 0.3  # points per pixel from which nobody can see the shape of a joint
_LARGEST_TENTH = 20_000
_MIN_SPAN, _MAX_SPAN = 1e-290, 1e290  # between them, the scale factor of a span is a finite number

_moment, _value = itemgetter(0), itemgetter(1)


def draw_lines(graph: Graph, extent: Extent, plot: Plot, marks: list[Mark]) -> None:
    """Add shaded areas, then lines, then dots to `marks`."""
    has_areas = len(graph.series) == 1 and plot.shades if graph.fill is None else graph.fill
    lines = [_PlottedLine(series, index, graph, plot) for index, series in enumerate(graph.series) if series.points]
    if has_areas and len(lines) <= _MAX_SHADES:
        marks += [mark for line in lines for mark in line.build_areas()]
    for line in lines:
        marks += line.build_strokes()
    marks += [
        line.build_dot() for line in lines if line.is_lone or (len(lines) <= _MAX_DOTS and not line.has_ended(extent))
    ]


def choose_dashes(graph: Graph, index: int) -> str:
    """Return the dash pattern of a series, which tells lines of the same color apart; "" for a solid line."""
    dashes = _DASHES[index // _COLORS % len(_DASHES)]
    series = graph.series[index]
    if not dashes or series.color is not None or len(series.points) == 1:
        return ""
    return dashes if sum(len(line.points) for line in graph.series) <= _MAX_DASHED_POINTS else ""


class _PlottedLine:
    """One series within a plot."""

    def __init__(self, series: Series, index: int, graph: Graph, plot: Plot) -> None:
        self._series = series
        self._paint = f"s{index}"
        self._dashes = choose_dashes(graph, index)
        self._plot = plot
        columns = max(int(plot.x.end - plot.x.start), 1)
        self._width = _choose_width(len(graph.series), len(series.points), columns)
        self._is_dense = len(series.points) > columns * _DENSE
        points = thin_points(series.points, plot.x.low, plot.x.high, columns)
        self._positions = list(
            zip(
                _format_positions(plot.x, list(map(_moment, points))),
                _format_positions(plot.y, list(map(_value, points))),
                strict=True,
            )
        )
        starts = {series.points[index] for index in find_breaks(series)}
        cut_indices = [index for index, point in enumerate(points) if point in starts] if starts else []
        self._segments = [self._positions[start:end] for start, end in pairwise([0, *cut_indices, len(points)])]

    @property
    def is_lone(self) -> bool:
        """True if the line is a single point, which is visible only as a dot."""
        return len(self._positions) == 1

    def has_ended(self, extent: Extent) -> bool:
        """Return True if the line ended long before the end of the picture."""
        return has_ended(self._series, extent.latest)

    def build_areas(self) -> list[Mark]:
        """Return the areas between the line and the floor."""
        floor = f"{self._plot.floor:.1f}"
        top, bottom = self._plot.top, self._plot.bottom
        return [
            Area(f"M{segment[0][0]} {floor}L{_path(segment)}V{floor}Z", self._paint, top, bottom)
            for segment in self._segments
            if len(segment) > 1
        ]

    def build_strokes(self) -> list[Mark]:
        """Return the line, and a faint line across each interruption."""
        across = "".join(f"M{_path([before[-1], after[0]])}" for before, after in pairwise(self._segments))
        gaps = [Stroke(across, self._paint, self._width, faint=True)] if across else []
        path = "".join(f"M{_path(segment)}" for segment in self._segments if len(segment) > 1)
        lone_dots = (
            []
            if self.is_lone
            else [self._build_dot(segment[0], self._width) for segment in self._segments if len(segment) == 1]
        )
        if not path:
            return [*gaps, *lone_dots]
        return [*gaps, *lone_dots, Stroke(path, self._paint, self._width, dashes=self._dashes, dense=self._is_dense)]

    def build_dot(self) -> Mark:
        """Return the dot at the end of the line, its last value."""
        return self._build_dot(self._positions[-1], _LONE_DOT if self.is_lone else self._width * 1.6)

    def _build_dot(self, position: tuple[str, str], radius: float) -> Dot:
        x, y = position
        return Dot(float(x), float(y), radius, self._paint)


def _choose_width(series_count: int, point_count: int, columns: int) -> float:
    if point_count > columns:
        return _THINNEST_LINE
    return _THIN_LINE if series_count >= _MIN_THIN_SERIES else LINE_WIDTH


def _path(positions: Sequence[tuple[str, str]]) -> str:
    return "L".join(map(" ".join, positions))


def _format_positions(scale: Scale, values: Sequence[float]) -> list[str]:
    """Return the positions of values for a path, as text rounded to a tenth of a pixel."""
    texts = _list_tenths()
    span = scale.high - scale.low
    if not _MIN_SPAN < span < _MAX_SPAN:
        return [texts[round(scale.to_pixel(value) * 10)] for value in values]
    low, factor, start = scale.low, (scale.end - scale.start) / span * 10, scale.start * 10 + 0.5
    return [texts[int((value - low) * factor + start)] for value in values]


@cache
def _list_tenths() -> list[str]:
    """Return numbers from 0 as text, in steps of a tenth: formatting one takes four times as long as looking it up."""
    return [f"{number // 10}.{number % 10}".removesuffix(".0") for number in range(_LARGEST_TENTH + 2)]

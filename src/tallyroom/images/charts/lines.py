"""The lines of a picture: their paths, the shades below them, and the dots at their ends (rules/pictures#lines)."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from tallyroom.images.charts.axes import Plot
from tallyroom.images.charts.drawing import Area, Dot, Mark, Stroke
from tallyroom.images.charts.graph import Extent, Graph, Series, find_break_indices, has_ended_early, thin_points
from tallyroom.images.charts.scale import Scale

LINE_WIDTH = 2.25  # if there is room
_THIN_LINE_WIDTH = 1.75
_THINNEST_LINE_WIDTH = 1.5
_MIN_THIN_SERIES = 4  # the number of series from which lines are thin
_MAX_SHADED_LINES = 8
_MAX_DOTTED_LINES = 8
_LONE_DOT_RADIUS = 5.0
_DASH_PATTERNS = ("", "6 4", "2 4", "8 3 2 3")
_COLOR_COUNT = 8
_MAX_DASHED_POINTS = 4_000  # points of a graph; with more, dashes take long to draw and cannot be seen
_DENSE_POINTS_PER_PIXEL = 0.3  # points per pixel from which no one can see the shape of a joint
_MAX_PIXELS = 20_000
_MIN_SPAN, _MAX_SPAN = 1e-290, 1e290  # between them, the scale factor of a span is a finite number


def draw_lines(graph: Graph, extent: Extent, plot: Plot, marks: list[Mark]) -> None:
    """Add shaded areas, then lines, then dots to `marks`."""
    has_areas = len(graph.series) == 1 and plot.may_shade if graph.fill is None else graph.fill
    lines = [_PlottedLine(series, index, graph, plot) for index, series in enumerate(graph.series) if series.points]
    if has_areas and len(lines) <= _MAX_SHADED_LINES:
        marks += [mark for line in lines for mark in line.build_areas()]
    for line in lines:
        marks += line.build_strokes()
    marks += [
        line.build_dot()
        for line in lines
        if line.is_lone or (len(lines) <= _MAX_DOTTED_LINES and not line.has_ended_early(extent))
    ]


def choose_dashes(graph: Graph, index: int) -> str:
    """Return the dash pattern of a series, which distinguishes lines of the same color; "" for a solid line."""
    dash_pattern = _DASH_PATTERNS[index // _COLOR_COUNT % len(_DASH_PATTERNS)]
    series = graph.series[index]
    if not dash_pattern or series.color or series.palette_key or len(series.points) == 1:
        return ""
    return dash_pattern if sum(len(line.points) for line in graph.series) <= _MAX_DASHED_POINTS else ""


class _Segment(NamedTuple):
    """A part of a line without gaps: the positions of its points, as texts for a path."""

    x_texts: list[str]
    y_texts: list[str]

    @property
    def is_point(self) -> bool:
        return len(self.x_texts) == 1

    @property
    def path(self) -> str:
        """The path from the first to the last point, without the command that goes to the first one."""
        parts = ["", " ", "", "L"] * len(self.x_texts)
        parts[::4] = self.x_texts
        parts[2::4] = self.y_texts
        return "".join(parts[:-1])

    def cut_out(self, start: int, end: int | None) -> "_Segment":
        return _Segment(self.x_texts[start:end], self.y_texts[start:end])


class _PlottedLine:
    def __init__(self, series: Series, index: int, graph: Graph, plot: Plot) -> None:
        self._series = series
        self._paint = f"s{series.paint_key(index)}"
        self._dash_pattern = choose_dashes(graph, index)
        self._plot = plot
        column_count = max(int(plot.x_scale.end_pixel - plot.x_scale.start_pixel), 1)
        self._line_width = _choose_width(len(graph.series), len(series.points), column_count)
        self._is_dense = len(series.points) > column_count * _DENSE_POINTS_PER_PIXEL
        visible_points = thin_points(series.points, plot.x_scale.low, plot.x_scale.high, column_count)
        self._line = _Segment(
            _format_positions(plot.x_scale, [moment for moment, _ in visible_points]),
            _format_positions(plot.y_scale, [value for _, value in visible_points]),
        )
        points_after_gaps = {series.points[index] for index in find_break_indices(series)}
        cut_indices = (
            [index for index, point in enumerate(visible_points) if point in points_after_gaps]
            if points_after_gaps
            else []
        )
        self._segments = [
            self._line.cut_out(start, end) for start, end in pairwise([0, *cut_indices, len(visible_points)])
        ]

    @property
    def is_lone(self) -> bool:
        return self._line.is_point

    def has_ended_early(self, extent: Extent) -> bool:
        return has_ended_early(self._series, extent.latest)

    def build_areas(self) -> list[Mark]:
        floor_y_text = f"{self._plot.floor_y:.1f}"
        top, bottom = self._plot.top, self._plot.bottom
        return [
            Area(f"M{segment.x_texts[0]} {floor_y_text}L{segment.path}V{floor_y_text}Z", self._paint, top, bottom)
            for segment in self._segments
            if not segment.is_point
        ]

    def build_strokes(self) -> list[Mark]:
        gap_path = "".join(
            f"M{before.cut_out(-1, None).path}L{after.cut_out(0, 1).path}" for before, after in pairwise(self._segments)
        )
        gap_strokes = [Stroke(gap_path, self._paint, self._line_width, is_faint=True)] if gap_path else []
        line_path = "".join(f"M{segment.path}" for segment in self._segments if not segment.is_point)
        lone_dots = (
            []
            if self.is_lone
            else [self._build_dot(segment, self._line_width) for segment in self._segments if segment.is_point]
        )
        stroke = Stroke(line_path, self._paint, self._line_width, dashes=self._dash_pattern, is_dense=self._is_dense)
        return [*gap_strokes, *lone_dots, *([stroke] if line_path else [])]

    def build_dot(self) -> Mark:
        return self._build_dot(self._line, _LONE_DOT_RADIUS if self.is_lone else self._line_width * 1.6)

    def _build_dot(self, segment: _Segment, radius: float) -> Dot:
        """Return the dot at the end of a segment."""
        return Dot(float(segment.x_texts[-1]), float(segment.y_texts[-1]), radius, self._paint)


def _choose_width(series_count: int, point_count: int, column_count: int) -> float:
    if point_count > column_count:
        return _THINNEST_LINE_WIDTH
    return _THIN_LINE_WIDTH if series_count >= _MIN_THIN_SERIES else LINE_WIDTH


def _format_positions(scale: Scale, values: Sequence[float]) -> list[str]:
    """Return the positions of values for a path, as text rounded to a tenth of a pixel."""
    tenth_texts = _list_tenths()
    span = scale.high - scale.low
    if not _MIN_SPAN < span < _MAX_SPAN:
        return [tenth_texts[round(scale.to_pixel(value) * 10)] for value in values]
    low, factor, start = scale.low, (scale.end_pixel - scale.start_pixel) / span * 10, scale.start_pixel * 10 + 0.5
    return [tenth_texts[int((value - low) * factor + start)] for value in values]


@cache
def _list_tenths() -> list[str]:
    """Return numbers from 0 as text, in steps of a tenth: formatting one takes four times as long as looking it up."""
    return [f"{number // 10}.{number % 10}".removesuffix(".0") for number in range(_MAX_PIXELS + 2)]

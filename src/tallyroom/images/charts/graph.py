"""A graph as numbers: series over time, and the look of the picture."""

from collections.abc import Sequence
from operator import lt, sub
from typing import Literal, NamedTuple

import msgspec

from tallyroom.images.charts.colors import Color
from tallyroom.images.charts.number_form import NumberForm
from tallyroom.images.charts.signed_numbers import Sign

GraphPoint = tuple[float, float]  # seconds since 1970 UTC, and a value


class LineEnd(msgspec.Struct, frozen=True):
    """The label at the end of a line, which follows the name of its series."""

    value_text: str
    detail: str = ""


class Flag(msgspec.Struct, frozen=True):
    """A marked moment, and what happened at it."""

    moment: float
    label: str


class Extent(NamedTuple):
    """The ranges of time and of values that a graph shows."""

    earliest: float
    latest: float
    lowest: float
    highest: float


OWN_COLOR = "own"  # before the position, in the paint key of a series with a color that was chosen


class Series(msgspec.Struct, frozen=True):
    """One line: its name, its points sorted by time with distinct moments, and its color, if one was chosen.

    `palette_key` names a color of the theme, `0` to `7` or `rest`; None takes the one at the series' position, unless
    `color` was chosen.
    `moments_after_gaps` are the first points after gaps; None finds gaps with `find_break_indices`. `total` is the
    number of the whole window, if there is one. `end` replaces the last value in words.
    """

    name: str
    points: Sequence[GraphPoint]
    color: Color | None = None
    moments_after_gaps: frozenset[float] | None = None
    total: float | None = None
    palette_key: str | None = None
    end: LineEnd | None = None

    def paint_key(self, index: int) -> str:
        """Return what follows the kind of mark in the paints of the series at a position, as in `s0`."""
        if self.color is not None:
            return f"{OWN_COLOR}{index}"
        return str(index) if self.palette_key is None else self.palette_key


class Graph(msgspec.Struct, frozen=True):
    """Everything that determines a picture: equal graphs give equal pictures.

    `fill` shades the area below each line; None shades it only if there is a single line. `time_range` has the moments
    that the picture includes at least. `sign` is what its values are.
    """

    title: str
    series: Sequence[Series]
    width: int = 1000
    height: int = 400
    theme: Literal["light", "dark", "auto"] = "light"
    fill: bool | None = None
    background: Color | None = None
    time_range: tuple[float, float] | None = None
    legend_value: Literal["last", "total"] = "last"
    number_form: NumberForm = NumberForm()
    sign: Sign = "none"
    flags: Sequence[Flag] = ()


def sort_points(points: Sequence[GraphPoint]) -> list[GraphPoint]:
    """Sort points by time; if several have the same moment, the last one given wins."""
    moments = [moment for moment, _ in points]
    if all(map(lt, moments, moments[1:])):
        return list(points)
    return sorted({x: (x, y) for x, y in points}.values())


def find_break_indices(series: Series) -> set[int]:
    """Find the gaps of a line: the indices of points that follow unusually long after the one before."""
    points = series.points
    if series.moments_after_gaps is not None:
        return {index for index, (moment, _) in enumerate(points) if index and moment in series.moments_after_gaps}
    steps = _list_time_steps(points)
    if not steps or max(steps) <= min(steps) * _GAP_FACTOR:
        return set()
    max_step = _median_step(steps) * _GAP_FACTOR
    return {index + 1 for index, step in enumerate(steps) if step > max_step}


def has_ended_early(series: Series, latest: float) -> bool:
    """Return True if a line ended long before the latest moment, so that its end is not the current value."""
    last_moment = series.points[-1][0]
    if series.moments_after_gaps is not None:
        return last_moment < latest
    steps = _list_time_steps(series.points)
    return bool(steps) and latest - last_moment > _median_step(steps) * _GAP_FACTOR


def _list_time_steps(points: Sequence[GraphPoint]) -> list[float]:
    """Return the time from each point to the next; empty if there are too few points to know what is usual."""
    if len(points) < _MIN_POINTS_FOR_BREAKS:
        return []
    moments = [moment for moment, _ in points]
    return list(map(sub, moments[1:], moments))


def _median_step(steps: Sequence[float]) -> float:
    return sorted(steps)[len(steps) // 2]


def thin_points(points: Sequence[GraphPoint], low: float, high: float, columns: int) -> Sequence[GraphPoint]:
    """Keep as many points as can be seen: the first, lowest, highest and last one in each column of pixels."""
    if len(points) <= columns * _MIN_POINTS_PER_COLUMN:
        return points
    span = (high / 2 - low / 2) or 1.0  # halves, because the span of huge values would overflow
    extremes: list[GraphPoint] = []
    column: list[GraphPoint] = []
    column_index = -1
    for point in points:
        index = int((point[0] / 2 - low / 2) / span * columns)
        if index != column_index:
            extremes += _keep_extremes(column)
            column, column_index = [], index
        column.append(point)
    return extremes + _keep_extremes(column)


_MIN_POINTS_FOR_BREAKS = 8
_GAP_FACTOR = 4.0
_MIN_POINTS_PER_COLUMN = 2
_KEPT_POINTS_PER_COLUMN = 4


def _keep_extremes(column: list[GraphPoint]) -> list[GraphPoint]:
    if len(column) <= _KEPT_POINTS_PER_COLUMN:
        return column
    points = {column[0], min(column, key=_point_value), max(column, key=_point_value), column[-1]}
    return sorted(points)


def _point_value(point: GraphPoint) -> float:
    return point[1]


def find_extent(graph: Graph) -> Extent | None:
    """Return the bounds of a graph; None if it has no points."""
    lines = [series.points for series in graph.series if series.points]
    if not lines:
        return None
    values = [value for points in lines for _, value in points]
    moments = [*(points[0][0] for points in lines), *(points[-1][0] for points in lines), *(graph.time_range or ())]
    return Extent(min(moments), max(moments), min(values), max(values))

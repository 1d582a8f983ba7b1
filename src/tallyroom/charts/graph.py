"""A graph as numbers: series over time, and how it is to look."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from tallyroom.charts.colors import Color

GraphPoint = tuple[float, float]
"""Seconds since 1970 UTC, and a value."""


class Bounds(NamedTuple):
    """What a graph shows."""

    earliest: float
    latest: float
    lowest: float
    highest: float


class Series(msgspec.Struct, frozen=True):
    """One line: its name, its points by time with no moment twice, and its color, when it has one of its own.

    Attributes:
        starts: the moments of points before which nothing was told; None when only the points tell (`breaks`).
    """

    name: str
    points: Sequence[GraphPoint]
    color: Color | None = None
    starts: frozenset[float] | None = None


class Graph(msgspec.Struct, frozen=True):
    """All that decides a picture; the same graph is the same picture.

    Attributes:
        fill: shade what is below a line; None shades below a single one.
        background: None is that of the theme.
        span: moments from which and to which the picture goes at least, with or without points.
    """

    title: str
    series: Sequence[Series]
    width: int = 1000
    height: int = 400
    theme: Literal["light", "dark", "auto"] = "light"
    fill: bool | None = None
    background: Color | None = None
    span: tuple[float, float] | None = None


def ordered(points: Iterable[GraphPoint]) -> list[GraphPoint]:
    """Points by time; of several of one moment the last given holds."""
    return sorted({x: (x, y) for x, y in points}.values())


def breaks(series: Series) -> set[int]:
    """Where a line is interrupted: the indices of points that come long after the one before, as the others go."""
    points = series.points
    if series.starts is not None:
        return {at for at, (moment, _) in enumerate(points) if at and moment in series.starts}
    steps = _steps(points)
    if not steps or max(steps) <= min(steps) * _LONG:
        return set()
    long = _usual(steps) * _LONG
    return {at + 1 for at, step in enumerate(steps) if step > long}


def has_ended(series: Series, latest: float) -> bool:
    """Whether a line ended long before the latest moment of its picture, so that its end is not what holds now."""
    last = series.points[-1][0]
    if series.starts is not None:
        return last < latest
    steps = _steps(series.points)
    return bool(steps) and latest - last > _usual(steps) * _LONG


def _steps(points: Sequence[GraphPoint]) -> list[float]:
    """From each point to the next; nothing where points are too few to tell what is usual."""
    if len(points) < _FEWEST_FOR_BREAKS:
        return []
    return [following[0] - point[0] for point, following in pairwise(points)]


def _usual(steps: Sequence[float]) -> float:
    return sorted(steps)[len(steps) // 2]


def thinned(points: Sequence[GraphPoint], low: float, high: float, columns: int) -> Sequence[GraphPoint]:
    """As many points as can be seen: of each pixel's column the first, the lowest, the highest and the last."""
    if len(points) <= columns * _POINTS_A_COLUMN:
        return points
    span = (high / 2 - low / 2) or 1.0  # halves: the span of huge values has no number
    kept: list[GraphPoint] = []
    column: list[GraphPoint] = []
    place = -1
    for point in points:
        here = int((point[0] / 2 - low / 2) / span * columns)
        if here != place:
            kept += _extremes(column)
            column, place = [], here
        column.append(point)
    return kept + _extremes(column)


_FEWEST_FOR_BREAKS = 8
_LONG = 4.0
_POINTS_A_COLUMN = 2
_FEW = 4


def _extremes(column: list[GraphPoint]) -> list[GraphPoint]:
    if len(column) <= _FEW:
        return column
    chosen = {column[0], min(column, key=_value), max(column, key=_value), column[-1]}
    return sorted(chosen)


def _value(point: GraphPoint) -> float:
    return point[1]


def bounds(graph: Graph) -> Bounds | None:
    """The bounds of what a graph shows; None without a point."""
    some = [each.points for each in graph.series if each.points]
    if not some:
        return None
    values = [value for points in some for _, value in points]
    moments = [*(points[0][0] for points in some), *(points[-1][0] for points in some), *(graph.span or ())]
    return Bounds(min(moments), max(moments), min(values), max(values))

"""A graph as numbers: series over time, and how it is to look."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from tallyroom.charts.colors import Color

Point = tuple[float, float]
"""Seconds since 1970 UTC, and a value."""


class Series(msgspec.Struct, frozen=True):
    """One line: its name, its points by time with no moment twice, and its color, when it has one of its own."""

    name: str
    points: Sequence[Point]
    color: Color | None = None


class Graph(msgspec.Struct, frozen=True):
    """All that decides a picture; the same graph is the same picture.

    Attributes:
        fill: shade what is below a line; None shades below a single one.
        background: None is that of the theme.
    """

    title: str
    series: Sequence[Series]
    width: int = 1000
    height: int = 400
    theme: Literal["light", "dark", "auto"] = "light"
    fill: bool | None = None
    background: Color | None = None


def ordered(points: Iterable[Point]) -> list[Point]:
    """Points by time; of several of one moment the last given holds."""
    return sorted({x: (x, y) for x, y in points}.values())


def breaks(points: Sequence[Point]) -> set[int]:
    """Where a line is interrupted: the indices of points that come long after the one before, as the others go."""
    if len(points) < _FEWEST_FOR_BREAKS:
        return set()
    steps = [following[0] - point[0] for point, following in pairwise(points)]
    if max(steps) <= min(steps) * _LONG:
        return set()
    usual = sorted(steps)[len(steps) // 2]
    return {at + 1 for at, step in enumerate(steps) if step > usual * _LONG}


def thinned(points: Sequence[Point], low: float, high: float, columns: int) -> Sequence[Point]:
    """As many points as can be seen: of each pixel's column the first, the lowest, the highest and the last."""
    if len(points) <= columns * _POINTS_A_COLUMN:
        return points
    span = (high / 2 - low / 2) or 1.0  # halves: the span of huge values has no number
    kept: list[Point] = []
    column: list[Point] = []
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


def _extremes(column: list[Point]) -> list[Point]:
    if len(column) <= _FEW:
        return column
    chosen = {column[0], min(column, key=_value), max(column, key=_value), column[-1]}
    return sorted(chosen)


def _value(point: Point) -> float:
    return point[1]


def bounds(series: Iterable[Series]) -> tuple[float, float, float, float] | None:
    """The earliest and latest moment, the lowest and highest value; None without a point."""
    some = [each.points for each in series if each.points]
    if not some:
        return None
    values = [value for points in some for _, value in points]
    return min(points[0][0] for points in some), max(points[-1][0] for points in some), min(values), max(values)

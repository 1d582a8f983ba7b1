"""What a chart says, whoever draws it: the words and colors of the app's HTML and of the server's pictures, side by side."""

from collections.abc import Iterable
from typing import NamedTuple


class LegendEntry(NamedTuple):
    """A series in a legend: its color, 1 to 8 or `rest`, and its number in words."""

    name: str
    color: str
    number: str


class TimeContent(NamedTuple):
    """A chart over time.

    Attributes:
        unnamed_count: how many series the legend has no room for.
        values: labels of values, the lowest first, with their places from 0 at the bottom to 1 at the top.
        moments: labels of moments, with their places from 0 at the first moment to 1 at the last; None if a label was
            moved aside.
        colors: of lines, areas and columns of whole buckets.
        partial_colors: of the marks of partial buckets.
        heights: how high the points of lines and the rings are, from 0 to 1, by their color.
        is_cut: whether a mark shows that the axis of values leaves out those up to zero.
        goal: what the line of the goal is called.
    """

    legend: list[LegendEntry]
    unnamed_count: int
    values: list[tuple[float, str]]
    moments: list[tuple[float | None, str]]
    colors: set[str]
    partial_colors: set[str]
    heights: dict[str, list[float]]
    is_so_far: bool
    is_cut: bool
    goal: str | None


class BarRow(NamedTuple):
    """A row of a ranked list; `start` and `end` are where its bar begins and ends, the same for a row without one."""

    label: str
    number: str
    start: float
    end: float


class NumberContent(NamedTuple):
    """A number with its unit, its change, and the number before; `mood` is `better`, `worse` or neither."""

    label: str
    number: str
    change: str
    mood: str
    previous: str
    goal: str


class StepContent(NamedTuple):
    """A step of a funnel, with the shares that have reached it or may reach it, and what happened after it."""

    label: str
    number: str
    share: str
    reached: float
    reachable: float
    outcome: str


def heights_by_color(colors_heights: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    """Return the heights of each color, the lowest first."""
    heights: dict[str, list[float]] = {}
    for color, height in sorted(colors_heights):
        heights.setdefault(color, []).append(height)
    return heights

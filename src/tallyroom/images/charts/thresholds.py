"""Thresholds: dashed lines across a plot, each with a label that stands where nothing is drawn, if possible.

See rules/pictures#thresholds.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from tallyroom.images.charts.axes import LABEL, Plot
from tallyroom.images.charts.drawing import AxisLine, Box, Mark, Text
from tallyroom.images.charts.widths import cut, width_of

_ABOVE, _BELOW = 6.0, 15.0  # from the line to the baseline of the label
_ASCENT, _DESCENT = LABEL * 0.8, LABEL * 0.25
_INSET = 6.0
_AROUND = 3.0
_STEP = 12.0  # from one place to the next
_WIDEST = 0.6  # of a label, as a share of the plot


class Threshold(msgspec.Struct, frozen=True):
    """A value that is marked: a `limit` that matters when it is passed, or a `goal` to reach."""

    value: float
    label: str
    kind: Literal["limit", "goal"] = "limit"


class Obstacle(NamedTuple):
    """A line of a chart in pixels, which labels keep off; with a `floor`, also the area between the two."""

    places: Sequence[tuple[float, float]]
    floor: float | None = None


class _Room(NamedTuple):
    """A place for a label."""

    left: float
    top: float
    right: float
    bottom: float

    def is_free(self, obstacles: Sequence[Obstacle]) -> bool:
        """Return True if nothing is drawn here."""
        return not any(
            high <= self.bottom and self.top <= low for obstacle in obstacles for high, low in self._spans(obstacle)
        )

    def _spans(self, obstacle: Obstacle) -> Iterator[tuple[float, float]]:
        """Yield how far up and down the pieces of an obstacle reach between the left and the right of this place."""
        for (x1, y1), (x2, y2) in pairwise(obstacle.places):
            if x2 < self.left or self.right < x1:
                continue
            slope = (y2 - y1) / (x2 - x1) if x2 > x1 else 0.0
            ends = y1 + slope * (max(self.left, x1) - x1), y1 + slope * (min(self.right, x2) - x1)
            yield min(ends), max(ends) if obstacle.floor is None else max(*ends, obstacle.floor)


def draw_thresholds(
    thresholds: Sequence[Threshold], plot: Plot, obstacles: Sequence[Obstacle], marks: list[Mark]
) -> None:
    """Add the lines and their labels to `marks`."""
    all_obstacles = list(obstacles)
    for threshold in thresholds:
        at = plot.y.at(threshold.value)
        marks.append(AxisLine(plot.left, at, plot.right, at, threshold.kind))
        label = cut(threshold.label, LABEL, (plot.right - plot.left) * _WIDEST)
        rooms = [room for is_above in (True, False) for room in _rooms(label, at, plot, is_above=is_above)]
        inside = [room for room in rooms if room.top >= plot.top - _ABOVE and room.bottom <= plot.bottom] or rooms
        free = [room for room in inside if room.is_free(all_obstacles)]
        room = (free or inside)[0]
        width = room.right - room.left
        if not free:
            marks.append(Box(room.left, room.top, width, room.bottom - room.top, "chip", _AROUND))
        paint = "worse" if threshold.kind == "limit" else "muted"
        marks.append(Text(room.left + _AROUND, room.bottom - _DESCENT, label, LABEL, paint, width - _AROUND))
        all_obstacles.append(Obstacle([(room.left, room.top), (room.right, room.top)], room.bottom))


def _rooms(label: str, at: float, plot: Plot, *, is_above: bool) -> Iterator[_Room]:
    """Yield places for a label above or below its line, from left to right."""
    width = width_of(label, LABEL) + 2 * _AROUND
    baseline = at - _ABOVE if is_above else at + _BELOW
    left = plot.left + _INSET
    while left + width <= plot.right - _INSET or left == plot.left + _INSET:
        yield _Room(left, baseline - _ASCENT, left + width, baseline + _DESCENT)
        left += _STEP

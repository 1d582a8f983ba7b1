"""Places for the labels in a plot, and what they must not cover."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tallyroom.images.charts.axes import LABEL_SIZE

ASCENT, DESCENT = LABEL_SIZE * 0.8, LABEL_SIZE * 0.25  # of a label, from its baseline


class Obstacle(NamedTuple):
    """A line of a chart in pixels, which labels avoid; with a `floor_y`, also the area between the two."""

    points: Sequence[tuple[float, float]]
    floor_y: float | None = None


class LabelBox(NamedTuple):
    """Where a label may be, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def is_free(self, obstacles: Sequence[Obstacle]) -> bool:
        """Return True if a label here covers none of the obstacles."""
        return not any(
            high <= self.bottom and self.top <= low
            for obstacle in obstacles
            for high, low in self._vertical_spans(obstacle)
        )

    def _vertical_spans(self, obstacle: Obstacle) -> Iterator[tuple[float, float]]:
        """Yield how far up and down the parts of an obstacle reach between the left and the right of this place."""
        for (x1, y1), (x2, y2) in pairwise(obstacle.points):
            if x2 < self.left or self.right < x1:
                continue
            slope = (y2 - y1) / (x2 - x1) if x2 > x1 else 0.0
            edge_ys = y1 + slope * (max(self.left, x1) - x1), y1 + slope * (min(self.right, x2) - x1)
            yield min(edge_ys), max(edge_ys) if obstacle.floor_y is None else max(*edge_ys, obstacle.floor_y)

"""Thresholds: dashed lines across a plot, with labels in empty places if there are any (rules/pictures#thresholds)."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from tallyroom.images.charts.axes import LABEL_SIZE, Plot
from tallyroom.images.charts.drawing import AxisLine, Box, Mark, Text
from tallyroom.images.charts.label_boxes import ASCENT, DESCENT, LabelBox, Obstacle
from tallyroom.images.charts.widths import text_width, truncate

_BASELINE_ABOVE, _BASELINE_BELOW = 6.0, 15.0  # from the line to the baseline of the label
_PLOT_INSET = 6.0
_LABEL_PADDING = 3.0
_PLACE_STEP = 12.0  # from one place to the next
_MAX_LABEL_SHARE = 0.6  # of a label, as a share of the plot


class Threshold(msgspec.Struct, frozen=True):
    """A marked value: a `limit` that matters when it is passed, or a `goal` to reach."""

    value: float
    label: str
    kind: Literal["limit", "goal"] = "limit"


def draw_thresholds(
    thresholds: Sequence[Threshold], plot: Plot, obstacles: Sequence[Obstacle], marks: list[Mark]
) -> None:
    """Add the lines and their labels to `marks`."""
    all_obstacles = list(obstacles)
    for threshold in thresholds:
        line_y = plot.y_scale.to_pixel(threshold.value)
        marks.append(AxisLine(plot.left, line_y, plot.right, line_y, threshold.kind))
        label = truncate(threshold.label, LABEL_SIZE, (plot.right - plot.left) * _MAX_LABEL_SHARE)
        boxes = [box for is_above in (True, False) for box in _list_label_boxes(label, line_y, plot, is_above=is_above)]
        boxes_inside = [
            box for box in boxes if box.top >= plot.top - _BASELINE_ABOVE and box.bottom <= plot.bottom
        ] or boxes
        free_boxes = [box for box in boxes_inside if box.is_free(all_obstacles)]
        box = (free_boxes or boxes_inside)[0]
        width = box.right - box.left
        if not free_boxes:
            marks.append(Box(box.left, box.top, width, box.bottom - box.top, "chip", _LABEL_PADDING))
        paint = "worse" if threshold.kind == "limit" else "muted"
        marks.append(
            Text(box.left + _LABEL_PADDING, box.bottom - DESCENT, label, LABEL_SIZE, paint, width - _LABEL_PADDING)
        )
        all_obstacles.append(Obstacle([(box.left, box.top), (box.right, box.top)], box.bottom))


def _list_label_boxes(label: str, line_y: float, plot: Plot, *, is_above: bool) -> Iterator[LabelBox]:
    width = text_width(label, LABEL_SIZE) + 2 * _LABEL_PADDING
    baseline = line_y - _BASELINE_ABOVE if is_above else line_y + _BASELINE_BELOW
    left = plot.left + _PLOT_INSET
    while left + width <= plot.right - _PLOT_INSET or left == plot.left + _PLOT_INSET:
        yield LabelBox(left, baseline - ASCENT, left + width, baseline + DESCENT)
        left += _PLACE_STEP

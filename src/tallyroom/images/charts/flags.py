"""Marked moments: lines down the plot, with words above it (rules/pictures#race)."""

from tallyroom.images.charts.axes import LABEL_SIZE, Plot
from tallyroom.images.charts.drawing import AxisLine, Mark, Text
from tallyroom.images.charts.graph import Graph
from tallyroom.images.charts.widths import text_width

FLAG_ROW_HEIGHT = 18.0
"""The height of the row of words above a plot."""

_GAP = 6.0  # from a line to its words, and from words to the next line


def draw_flags(graph: Graph, plot: Plot, marks: list[Mark]) -> None:
    """Add the flags, the latest first; those whose words have no room beside later ones are left out."""
    free_right = plot.right
    for flag in sorted(graph.flags, key=lambda flag: flag.moment, reverse=True):
        x = plot.x_scale.to_pixel(flag.moment)
        width = text_width(flag.label, LABEL_SIZE)
        has_room_before = x - _GAP - width >= plot.left
        left = x - _GAP - width if has_room_before else x + _GAP
        if x > free_right or left + width > free_right:
            continue
        marks.append(AxisLine(x, plot.top - FLAG_ROW_HEIGHT + _GAP, x, plot.bottom, "grid"))
        marks.append(Text(left, plot.top - LABEL_SIZE * 0.6, flag.label, LABEL_SIZE, "muted", width + _GAP))
        free_right = min(left, x) - _GAP

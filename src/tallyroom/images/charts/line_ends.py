"""Names and values beside the ends of lines, in place of a legend (rules/pictures#race)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from tallyroom.images.charts.axes import LABEL_SIZE, Plot
from tallyroom.images.charts.drawing import Mark, Text
from tallyroom.images.charts.graph import Graph, LineEnd
from tallyroom.images.charts.widths import text_width, truncate

_MIN_PICTURE_WIDTH = 480
_MAX_ROOM_SHARE = 0.34  # of the picture's width
_MIN_NAME_WIDTH = 24.0
_GAP = 10.0  # from the end of a line to its words
_ROW_HEIGHT = 15.0
_WORD_GAP = 4.0


class _Label(NamedTuple):
    y: float  # of its middle
    name: str
    end: LineEnd


def measure_line_ends(graph: Graph, plot_height: float) -> float:
    """Return the room on the right that the words need, in pixels; 0 if the lines have none, or they would not fit."""
    ends = [series.end for series in graph.series if series.points and series.end is not None]
    if not ends or graph.width < _MIN_PICTURE_WIDTH or len(ends) * _ROW_HEIGHT > plot_height:
        return 0.0
    max_room = graph.width * _MAX_ROOM_SHARE
    if max(_value_width(end) for end in ends) + _MIN_NAME_WIDTH > max_room:
        return 0.0
    widest = max(
        text_width(series.name, LABEL_SIZE, bold=True) + _value_width(series.end)
        for series in graph.series
        if series.end is not None
    )
    return _GAP + min(ceil(widest), max_room)


def draw_line_ends(graph: Graph, plot: Plot, room: float, marks: list[Mark]) -> None:
    """Add the name and the value of each line at the height of its end; labels that would touch move apart."""
    labels = [
        _Label(plot.y_scale.to_pixel(series.points[-1][1]), series.name, series.end)
        for series in graph.series
        if series.points and series.end is not None
    ]
    has_details = len(labels) * 2 * _ROW_HEIGHT <= plot.bottom - plot.top and any(label.end.detail for label in labels)
    height = 2 * _ROW_HEIGHT if has_details else _ROW_HEIGHT
    text_room = room - _GAP
    x = plot.right + _GAP
    for label in _spread_labels(labels, height, plot):
        baseline_y = label.y - height / 2 + _ROW_HEIGHT * 0.75
        name = truncate(label.name, LABEL_SIZE, text_room - _value_width(label.end), bold=True)
        text = f"{name} {label.end.value_text}" if name else label.end.value_text
        marks.append(Text(x, baseline_y, text, LABEL_SIZE, "text", text_room, bold=True))
        if has_details:
            detail = truncate(label.end.detail, LABEL_SIZE, text_room)
            marks.append(Text(x, baseline_y + _ROW_HEIGHT, detail, LABEL_SIZE, "muted", text_room))


def _value_width(end: LineEnd) -> float:
    return _WORD_GAP + text_width(end.value_text, LABEL_SIZE, bold=True)


def _spread_labels(labels: Sequence[_Label], height: float, plot: Plot) -> list[_Label]:
    """Move labels down until none touches the one above, then up until all are inside the plot."""
    spread: list[_Label] = []
    min_y = plot.top
    for label in sorted(labels, key=lambda label: label.y):
        y = max(label.y, min_y)
        spread.append(label._replace(y=y))
        min_y = y + height
    max_y = max(plot.bottom, plot.top + height * (len(labels) - 1))
    for index in reversed(range(len(spread))):
        y = min(spread[index].y, max_y)
        spread[index] = spread[index]._replace(y=y)
        max_y = y - height
    return spread

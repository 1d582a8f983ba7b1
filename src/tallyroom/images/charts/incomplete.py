"""Values that do not cover all of their bucket: rings apart from the lines, and "so far" (rules/pictures#over-time)."""

from collections.abc import Collection, Sequence

from msgspec import structs

from tallyroom.images.charts.axes import LABEL_SIZE, Plot
from tallyroom.images.charts.drawing import Mark, Ring, Text
from tallyroom.images.charts.graph import Graph
from tallyroom.images.charts.label_boxes import ASCENT, DESCENT, LabelBox, Obstacle
from tallyroom.images.charts.lines import LINE_WIDTH
from tallyroom.images.charts.widths import text_width

RING_RADIUS = LINE_WIDTH * 1.6
_WORDS = "so far"
_WORDS_GAP = 4.0  # from a ring or a column to the words


def leave_out(graph: Graph, incomplete: Collection[float]) -> Graph:
    """Return a graph without its values at incomplete moments, to which no line leads."""
    series = [
        structs.replace(line, points=[point for point in line.points if point[0] not in incomplete])
        for line in graph.series
    ]
    return structs.replace(graph, series=series)


def draw_rings(graph: Graph, incomplete: Collection[float], plot: Plot, marks: list[Mark]) -> None:
    """Add a ring for each value at an incomplete moment."""
    marks += [
        Ring(plot.x_scale.to_pixel(moment), plot.y_scale.to_pixel(value), RING_RADIUS, f"s{line.paint_key(index)}")
        for index, line in enumerate(graph.series)
        for moment, value in line.points
        if moment in incomplete
    ]


def draw_so_far(
    moment: float, values: Sequence[float], plot: Plot, obstacles: Sequence[Obstacle], marks: list[Mark]
) -> list[Obstacle]:
    """Add "so far" next to the values of the current bucket if there is room, and return the room that it takes."""
    width = text_width(_WORDS, LABEL_SIZE)
    right = min(plot.x_scale.to_pixel(moment) + RING_RADIUS, plot.right)
    pixels = [plot.y_scale.to_pixel(value) for value in values]
    highest, lowest = min(pixels) - RING_RADIUS, max(pixels) + RING_RADIUS
    baselines = [
        highest - _WORDS_GAP,
        lowest + _WORDS_GAP + ASCENT,
        plot.top + ASCENT,
        plot.bottom - _WORDS_GAP,
    ]
    boxes = [LabelBox(right - width, baseline - ASCENT, right, baseline + DESCENT) for baseline in baselines]
    values_obstacle = Obstacle([(right - 2 * RING_RADIUS, highest), (right, highest)], lowest)
    free_boxes = [
        box
        for box in boxes
        if box.top >= plot.top - ASCENT and box.bottom <= plot.bottom and box.is_free([*obstacles, values_obstacle])
    ]
    if not free_boxes:
        return []
    box = free_boxes[0]
    marks.append(Text(right, box.bottom - DESCENT, _WORDS, LABEL_SIZE, "muted", width, anchor="end"))
    return [Obstacle([(box.left, box.top), (box.right, box.top)], box.bottom)]

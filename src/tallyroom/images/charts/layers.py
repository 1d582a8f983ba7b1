"""Areas on top of each other: each reaches from the one below it to its own line (rules/pictures#over-time)."""

from collections.abc import Sequence

from msgspec import structs

from tallyroom.images.charts.axes import Plot
from tallyroom.images.charts.columns import StackedPart, stack_series
from tallyroom.images.charts.drawing import Layer, Mark
from tallyroom.images.charts.graph import Graph, Series


def stack_graph(graph: Graph) -> Graph:
    """Return the graph of the upper ends of layers, without shades below its lines."""
    parts = stack_series(graph.series)
    series = [
        structs.replace(line, points=[(part.moment, part.outer_value) for part in parts if part.series_index == index])
        for index, line in enumerate(graph.series)
    ]
    return structs.replace(graph, series=series, fill=False)


def draw_layers(graph: Graph, plot: Plot, marks: list[Mark]) -> None:
    """Add the layer of each series, with gaps where it has no value."""
    parts = stack_series(graph.series)
    for index, line in enumerate(graph.series):
        runs = _split_at_gaps([part for part in parts if part.series_index == index], line)
        path = "".join(_layer_path(run, plot) for run in runs if len(run) > 1)
        if path:
            marks.append(Layer(path, f"p{line.paint_key(index)}"))


def _split_at_gaps(parts: Sequence[StackedPart], line: Series) -> list[list[StackedPart]]:
    runs: list[list[StackedPart]] = []
    for part in parts:
        if not runs or part.moment in (line.moments_after_gaps or ()):
            runs.append([])
        runs[-1].append(part)
    return runs


def _layer_path(parts: Sequence[StackedPart], plot: Plot) -> str:
    """Return the outline of a layer: forwards along its outer ends, and back along its inner ends."""
    corners = [(part.moment, part.outer_value) for part in parts]
    corners += [(part.moment, part.inner_value) for part in reversed(parts)]
    pixels = (f"{plot.x_scale.to_pixel(moment):.1f} {plot.y_scale.to_pixel(value):.1f}" for moment, value in corners)
    return f"M{'L'.join(pixels)}Z"

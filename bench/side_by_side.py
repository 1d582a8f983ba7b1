"""What the tests compare pictures by, as the product draws it and as Chart.js does, next to each other."""

import tempfile
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image
from tests.harness.builders.graphs import CASES

from bench.drawer import chart_js
from tallyroom.images.charts.graph import Graph
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.charts.svg import to_svg

_BETWEEN = 10
_BEHIND = "#8899aa"  # unlike any background, so that the edges are seen


def draw_cases(folder: Path) -> None:
    """Write one picture for each case into `folder`: ours on the left, Chart.js on the right."""
    folder.mkdir(parents=True, exist_ok=True)
    peer, rasterizer = chart_js(), ResvgRasterizer()
    with tempfile.TemporaryDirectory() as scratch:
        bodies = Path(scratch) / "bodies.jsonl"
        bodies.write_bytes(b"".join(_body(graph) + b"\n" for graph in CASES.values()))
        peer.draw("usual", bodies, Path(scratch))
        peer.stop()
        for number, (name, graph) in enumerate(CASES.items()):
            file = folder / f"{name}.png"
            file.write_bytes(rasterizer.render_png(to_svg(draw_graph(graph), graph), graph.width, graph.height, 1))
            _joined(file, Path(scratch) / f"{number}.png").save(file)


def _body(graph: Graph) -> bytes:
    """The graph as the body of a request."""
    points = [{"id": each.name, "x": x, "y": y} for each in graph.series for x, y in each.points]
    colors = [each.color and each.color.hex + f"{round(each.color.alpha * 255):02x}" for each in graph.series]
    asked: dict[str, Any] = {"name": graph.title, "data_points": points, "colors": colors, "theme": graph.theme}
    asked |= {"width": graph.width, "height": graph.height, "fill": graph.fill}
    if graph.background:
        asked["background"] = graph.background.hex + f"{round(graph.background.alpha * 255):02x}"
    return msgspec.json.encode(asked)


def _joined(left: Path, right: Path) -> Image.Image:
    with Image.open(left) as ours, Image.open(right) as theirs:
        both = Image.new("RGB", (ours.width + _BETWEEN + theirs.width, max(ours.height, theirs.height)), _BEHIND)
        for picture, x in ((ours, 0), (theirs, ours.width + _BETWEEN)):
            both.paste(picture, (x, 0), picture.convert("RGBA"))
        return both

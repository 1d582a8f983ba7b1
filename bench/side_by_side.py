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
from tallyroom.images.charts.styles import is_opaque
from tallyroom.images.charts.svg import to_svg

_GAP_PIXELS = 10
_GAP_COLOR = "#8899aa"  # unlike any background, so that the edges are seen


def draw_cases(folder: Path) -> None:
    """Write one picture for each case into `folder`: ours on the left, Chart.js on the right."""
    folder.mkdir(parents=True, exist_ok=True)
    chart_js_drawer, rasterizer = chart_js(), ResvgRasterizer()
    with tempfile.TemporaryDirectory() as scratch:
        bodies = Path(scratch) / "bodies.jsonl"
        bodies.write_bytes(b"".join(_body(graph) + b"\n" for graph in CASES.values()))
        chart_js_drawer.draw("usual", bodies, Path(scratch))
        chart_js_drawer.stop()
        for number, (name, graph) in enumerate(CASES.items()):
            file = folder / f"{name}.png"
            file.write_bytes(rasterizer.render_png(to_svg(draw_graph(graph), graph), is_opaque=is_opaque(graph)))
            _join_pictures(file, Path(scratch) / f"{number}.png").save(file)


def _body(graph: Graph) -> bytes:
    """The graph as the body of a request."""
    points = [{"id": series.name, "x": x, "y": y} for series in graph.series for x, y in series.points]
    colors = [series.color and series.color.hex + f"{round(series.color.alpha * 255):02x}" for series in graph.series]
    body: dict[str, Any] = {"name": graph.title, "data_points": points, "colors": colors, "theme": graph.theme}
    body |= {"width": graph.width, "height": graph.height, "fill": graph.fill}
    if graph.background:
        body["background"] = graph.background.hex + f"{round(graph.background.alpha * 255):02x}"
    return msgspec.json.encode(body)


def _join_pictures(left: Path, right: Path) -> Image.Image:
    with Image.open(left) as left_picture, Image.open(right) as right_picture:
        joined = Image.new(
            "RGB",
            (left_picture.width + _GAP_PIXELS + right_picture.width, max(left_picture.height, right_picture.height)),
            _GAP_COLOR,
        )
        for picture, x in ((left_picture, 0), (right_picture, left_picture.width + _GAP_PIXELS)):
            joined.paste(picture, (x, 0), picture.convert("RGBA"))
        return joined

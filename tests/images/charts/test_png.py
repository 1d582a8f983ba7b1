"""Pictures have the same pixels, whoever encodes them."""

import io

import pytest
from PIL import Image

from harness.builders.graphs import CASES
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.png import encode_png
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.charts.styles import is_opaque
from tallyroom.images.charts.svg import to_svg


def pixels(png: bytes) -> tuple[tuple[int, int], bytes]:
    picture = Image.open(io.BytesIO(png))
    picture.load()  # which raises for a wrong checksum
    return picture.size, picture.convert("RGBA").tobytes()


def test_a_png_has_the_pixels_in_the_order_of_rows() -> None:
    rows = bytes([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]) + bytes([1, 2, 3, 255]) * 3
    assert pixels(encode_png(rows, 3, 2)) == ((3, 2), rows)


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("name", ["one", "three-dark", "ten", "crowd", "auto"])
def test_an_opaque_picture_has_the_pixels_of_the_library(name: str, scale: int) -> None:
    graph, rasterizer = CASES[name], ResvgRasterizer()
    assert is_opaque(graph)
    svg = to_svg(draw_graph(graph), graph, rasterizer.outline_words, scale)
    size, drawn = pixels(rasterizer.render_png(svg, is_opaque=True))
    assert size == (graph.width * scale, graph.height * scale)
    assert (size, drawn) == pixels(rasterizer.render_png(svg, is_opaque=False))


def test_what_can_be_seen_through_stays_transparent() -> None:
    graph = next(graph for graph in CASES.values() if graph.background and graph.background.alpha == 0)
    assert not is_opaque(graph)
    svg = to_svg(draw_graph(graph), graph)
    _, drawn = pixels(ResvgRasterizer().render_png(svg, is_opaque=is_opaque(graph)))
    assert drawn[3] == 0

"""People see the SVG as their browser draws it, or the PNG as the server does: the same lines in the same places."""

import io
import re
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

from harness.builders.graphs import CASES
from tallyroom.images.charts.colors import THEMES, Color
from tallyroom.images.charts.graph import Graph
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.charts.styles import is_opaque
from tallyroom.images.charts.svg import to_svg

GRAPHS = ["one", "three", "three-dark", "negative", "gap", "colors", "spark"]
NEAR = 48  # of 255, in each color
AWAY = 2  # pixels
FEWEST = 20  # pixels of a line
AGREE = 0.99
WORDS = re.compile("<text.*?</text>")

rasterizer = ResvgRasterizer()


def mask(picture: Image.Image, color: tuple[int, ...]) -> Image.Image:
    """White where a picture has about this color."""
    plain = Image.new("RGB", picture.size, color)
    red, green, blue = (
        band.point(lambda value: 255 * (value < NEAR)) for band in ImageChops.difference(picture, plain).split()
    )
    return ImageChops.darker(red, ImageChops.darker(green, blue))


def count(mask_: Image.Image) -> int:
    return mask_.histogram()[255]


def share_near(one: Image.Image, other: Image.Image) -> float:
    """How much of a mask is where the other one is, or close to it."""
    wider = other.filter(ImageFilter.MaxFilter(2 * AWAY + 1))
    return count(ImageChops.darker(one, wider)) / max(count(one), 1)


def line_colors(graph: Graph) -> list[tuple[int, ...]]:
    """Of the lines that are opaque."""
    palette = THEMES["dark" if graph.theme == "dark" else "light"].series
    found = [each.color or Color(palette[at % len(palette)]) for at, each in enumerate(graph.series)]
    return [tuple(bytes.fromhex(color.hex[1:])) for color in dict.fromkeys(found) if color.alpha == 1]


def whole(graph: Graph) -> Any:
    return {"x": 0, "y": 0, "width": graph.width, "height": graph.height}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_browser_and_the_server_draw_the_same(sheet: Page, name: str) -> None:
    graph = CASES[name]
    svg = WORDS.sub("", to_svg(draw_graph(graph), graph))  # each draws them in a typeface of its own
    sheet.evaluate("svg => { document.body.innerHTML = svg }", svg)
    shown = Image.open(io.BytesIO(sheet.screenshot(clip=whole(graph)))).convert("RGB")
    drawn: Any = Image.new("RGBA", shown.size, "white")
    drawn.alpha_composite(
        Image.open(io.BytesIO(rasterizer.render_png(svg, is_opaque=is_opaque(graph)))).convert("RGBA")
    )
    drawn = drawn.convert("RGB")
    assert shown.size == drawn.size == (graph.width, graph.height)
    for color in line_colors(graph):
        in_browser, in_png = mask(shown, color), mask(drawn, color)
        assert min(count(in_browser), count(in_png)) >= FEWEST, color
        assert min(share_near(in_browser, in_png), share_near(in_png, in_browser)) >= AGREE, color


def test_another_line_is_noticed() -> None:
    """Lines that stand elsewhere do not agree."""
    graph, other = CASES["one"], CASES["years"]
    pictures = [
        Image.open(
            io.BytesIO(rasterizer.render_png(to_svg(draw_graph(each), each), is_opaque=is_opaque(each)))
        ).convert("RGB")
        for each in (graph, other)
    ]
    color = line_colors(graph)[0]
    assert share_near(*(mask(each, color) for each in pictures)) < AGREE / 2

"""Pictures that somebody has looked at stay as they are. To change one, delete it, run the test twice, and look."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops, ImageStat

from harness.builders.graphs import CASES
from harness.suite.few import few
from tallyroom.images.charts.drawing import Text
from tallyroom.images.charts.graph import Graph
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.raster import Rasterizer, ResvgRasterizer
from tallyroom.images.charts.styles import is_opaque
from tallyroom.images.charts.svg import to_svg

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
TOLERANCE = 1.5  # of 255, on average over all pixels and colors


@pytest.fixture(scope="module")
def rasterizer() -> Rasterizer:
    return ResvgRasterizer()


def texts(svg: str) -> Iterator[str]:
    for element in ET.fromstring(svg).iter(f"{SVG}text"):
        yield element.text or ""


@pytest.mark.parametrize("name", CASES)
def test_the_svg_is_as_it_was(name: str) -> None:
    made = to_svg(draw_graph(CASES[name]), CASES[name])
    path = GOLDEN / f"{name}.svg"
    if not path.exists():
        path.write_text(made, encoding="utf-8")
        pytest.fail(f"{path} was not there: look at it")
    assert made == path.read_text(encoding="utf-8")
    assert made == to_svg(draw_graph(CASES[name]), CASES[name])


@few(10, "name", CASES)
def test_the_png_is_as_it_was(name: str, rasterizer: Rasterizer) -> None:
    graph = CASES[name]
    svg = to_svg(draw_graph(graph), graph, rasterizer.outline_words)
    made = rasterizer.render_png(svg, is_opaque=is_opaque(graph))
    path = GOLDEN / f"{name}.png"
    if not path.exists():
        path.write_bytes(made)
        pytest.fail(f"{path} was not there: look at it")
    one, other = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (made, path.read_bytes()))
    assert one.size == other.size == (graph.width, graph.height)
    difference = ImageStat.Stat(ImageChops.difference(one, other)).mean
    assert max(difference) < TOLERANCE, difference


@pytest.mark.parametrize("name", CASES)
def test_no_text_touches_another_or_the_edge(name: str) -> None:
    graph = CASES[name]
    boxes = []
    for mark in draw_graph(graph).marks:
        if isinstance(mark, Text):
            left = {"start": mark.x, "middle": mark.x - mark.width / 2, "end": mark.x - mark.width}[mark.anchor]
            boxes.append((left, mark.y - mark.size * 0.8, left + mark.width, mark.y + mark.size * 0.2, mark.text))
    for at, (left, top, right, bottom, text) in enumerate(boxes):
        assert -0.5 <= left <= right <= graph.width + 0.5, text
        assert -0.5 <= top <= bottom <= graph.height + 0.5, text
        for other in boxes[:at]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (text, other[4])


@pytest.mark.parametrize("name", CASES)
def test_it_says_what_was_sent_and_runs_nothing(name: str) -> None:
    graph: Graph = CASES[name]
    svg = to_svg(draw_graph(graph), graph)
    root = ET.fromstring(svg)
    assert (root.find(f"{SVG}title").text, root.get("role")) == (graph.title, "img")  # type: ignore[union-attr] # each picture has one
    if name not in {"spark", "crowd"}:
        assert graph.title in set(texts(svg))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "style", "defs", "linearGradient", "stop", "rect", "path", "text", "circle")
    }
    assert not re.search(
        r"(?i)\bon\w+=|href|javascript:|url\((?!#)|@import|<!", svg.split("</desc>", 1)[1].replace("&lt;", "")
    )

"""Words as shapes stand where text would stand, and look like it."""

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from harness.builders.graphs import CASES
from tallyroom.images.charts.drawing import Text
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.outlines import outline_text
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.charts.svg import text_element, to_svg
from tallyroom.images.charts.widths import exact_width


@pytest.mark.parametrize("name", ["three", "small-dark", "negative"])
def test_a_picture_with_shapes_looks_like_one_with_text(name: str) -> None:
    graph, rasterizer = CASES[name], ResvgRasterizer()
    with_text, with_shapes = (
        Image.open(io.BytesIO(rasterizer.render_png(svg, is_opaque=True))).convert("RGB")
        for svg in (to_svg(draw_graph(graph), graph, scale=2), to_svg(draw_graph(graph), graph, outline_text, 2))
    )
    assert "<text" not in to_svg(draw_graph(graph), graph, outline_text)
    difference = ImageStat.Stat(ImageChops.difference(with_text, with_shapes)).mean
    assert max(difference) < 1, difference
    nothing = Image.new("RGB", with_text.size, with_text.getpixel((1, 1)))
    assert max(ImageStat.Stat(ImageChops.difference(with_text, nothing)).mean) > 3


@pytest.mark.parametrize("words", ["日本", "e\u0301", "\u16a0"])
def test_what_widths_alone_cannot_set_stays_text(words: str) -> None:
    assert outline_text(Text(0, 0, words, 12, "text", 100)) is None


@pytest.mark.parametrize(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_an_anchor_is_where_text_has_it(anchor: str, share: float) -> None:
    shown = outline_text(Text(50, 20, "HHHH", 12, "muted", 100, anchor=anchor))
    assert shown is not None
    width = exact_width("HHHH", 12)
    assert width is not None
    assert float(shown.split("matrix(")[1].split()[4]) == pytest.approx(50 - width * share, abs=0.01)
    assert shown.count("<path") == 4


def test_spaces_take_room_and_no_shape() -> None:
    shown = outline_text(Text(0, 0, "a  b", 12, "text", 100))
    assert shown is not None
    assert shown.count("<path") == 2


def test_tabular_digits_stand_at_equal_distances() -> None:
    steps = []
    for words in ("00", "01", "10", "11"):
        shown = outline_text(Text(0, 0, f"{words}k", 12, "text", 100, tabular=True))
        assert shown is not None
        steps.append(float(shown.split("translate(")[3].split(")")[0]))
    assert len(set(steps)) == 1
    assert outline_text(Text(0, 0, "11", 12, "text", 100)) != outline_text(
        Text(0, 0, "11", 12, "text", 100, tabular=True)
    )


def test_text_elements_ask_for_tabular_digits() -> None:
    assert "tabular-nums" in text_element(Text(0, 0, "1", 12, "text", 100, tabular=True))
    assert "tabular-nums" not in text_element(Text(0, 0, "1", 12, "text", 100))

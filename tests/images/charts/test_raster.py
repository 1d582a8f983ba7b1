"""What the own typeface has not is drawn by that of a folder, or is a box (rules/pictures#typefaces)."""

import io
from pathlib import Path
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image

from harness.builders.graphs import T0
from tallyroom.images.charts.graph import Graph, Series
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.charts.svg import to_svg

EM = 1000
NOTO_EMOJI = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")
RUNE = "\u16a0"
"""A letter that the program's typeface has not."""
FACE = "\N{GRINNING FACE}"
RED = (1.0, 0.0, 0.0, 1.0)


def make_font(folder: Path, name: str, height: int, letter: str = RUNE, *, colored: bool = False) -> None:
    """A typeface of one letter, which is a solid bar of a height; red when it is to have colors."""
    folder.mkdir(exist_ok=True)
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, height), (EM, height), (EM, 0)):
        pen.lineTo(corner)
    pen.closePath()
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "bar"])
    builder.setupCharacterMap({ord(letter): "bar"})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "bar": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (EM, 0), "bar": (EM, 0)})
    builder.setupHorizontalHeader(ascent=EM, descent=0)
    builder.setupNameTable({"familyName": name, "styleName": "Regular", "psName": f"{name}-Regular"})
    builder.setupOS2(sTypoAscender=EM, usWeightClass=400)
    builder.setupPost()
    if colored:
        builder.setupCPAL([[RED]])
        builder.setupCOLR({"bar": [("bar", 0)]}, version=0)
    builder.save(folder / f"{name}.ttf")


def title_of(text: str, folders: list[Path]) -> Image.Image:
    """The title of a picture as it is drawn, alone."""
    graph = Graph(text, [Series("", [(T0, 1), (T0 + 60, 2)])], width=400, height=200)
    rasterizer = ResvgRasterizer(folders)
    png = rasterizer.render_png(to_svg(draw_graph(graph), graph, rasterizer.outline_words, 2), is_opaque=True)
    return Image.open(io.BytesIO(png)).convert("RGB").crop((0, 0, 800, 74))


def dark_pixels(image: Image.Image) -> int:
    return sum(image.convert("L").histogram()[:100])


def test_a_letter_that_nobody_has_is_a_box() -> None:
    box, nothing = title_of(RUNE, []), title_of(" ", [])
    assert dark_pixels(box) > dark_pixels(nothing) == 0
    assert title_of(RUNE * 2, []).tobytes() != box.tobytes()


def test_a_folder_draws_it(tmp_path: Path) -> None:
    make_font(tmp_path, "Bars", 700)
    solid = 36 * 36 * 0.7  # of 18 pixels at scale 2
    assert dark_pixels(title_of(RUNE, [tmp_path])) == pytest.approx(solid, rel=0.1)
    assert title_of("Inter", [tmp_path]).tobytes() == title_of("Inter", []).tobytes()


def test_the_same_typeface_draws_it_wherever_files_lie(tmp_path: Path) -> None:
    """Folders as they are named, then those without serifs, then by name."""
    first, second = tmp_path / "first", tmp_path / "second"
    make_font(first, "ASerif", 900)
    make_font(first, "BSans", 300)
    make_font(first, "CSans", 600)
    make_font(second, "AAA", 100)
    one, other = (dark_pixels(title_of(RUNE, folders)) for folders in ([first, second], [second, first]))
    assert one == pytest.approx(36 * 36 * 0.3, rel=0.15)
    assert other == pytest.approx(36 * 36 * 0.1, rel=0.3)


def test_other_files_of_a_folder_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "README.txt").write_text("about these typefaces")
    (tmp_path / "broken.ttf").write_bytes(b"no typeface")
    make_font(tmp_path / "deep", "Bars", 700)
    assert dark_pixels(title_of(RUNE, [tmp_path])) > 700


def red_pixels(image: Image.Image) -> int:
    found: Any = image.getcolors(1_000_000) or ()
    return sum(int(count) for count, (red, green, blue) in found if red > 200 and max(green, blue) < 60)


def test_emoji_are_drawn_out_of_the_box() -> None:
    one = dark_pixels(title_of(FACE, []))
    assert one > 100
    assert dark_pixels(title_of("\N{PILE OF POO}", [])) != one
    assert dark_pixels(title_of(f"Inter {FACE}", [])) == pytest.approx(
        one + dark_pixels(title_of("Inter", [])), rel=0.02
    )


def test_a_colored_typeface_of_a_folder_draws_emoji(tmp_path: Path) -> None:
    make_font(tmp_path / "b", "Colored", 700, FACE, colored=True)
    (tmp_path / "a.ttf").write_bytes(b"no typeface")
    assert red_pixels(title_of(FACE, [tmp_path])) == pytest.approx(36 * 36 * 0.7, rel=0.15)
    assert red_pixels(title_of(f"ok {FACE} 日本 {FACE}", [tmp_path])) == pytest.approx(2 * 36 * 36 * 0.7, rel=0.15)
    other = "\N{PILE OF POO}"
    assert title_of(other, [tmp_path]).tobytes() == title_of(other, []).tobytes(), "one that it has not"


def test_the_first_colored_typeface_draws_emoji_and_none_without_colors_does(tmp_path: Path) -> None:
    make_font(tmp_path / "1", "Plain", 900, FACE)
    assert title_of(FACE, [tmp_path / "1"]).tobytes() == title_of(FACE, []).tobytes()
    make_font(tmp_path / "2", "First", 300, FACE, colored=True)
    make_font(tmp_path / "3", "Second", 700, FACE, colored=True)
    shown = title_of(FACE, [tmp_path / "1", tmp_path / "2", tmp_path / "3"])
    assert red_pixels(shown) == pytest.approx(36 * 36 * 0.3, rel=0.15)


@pytest.mark.long
@pytest.mark.skipif(not NOTO_EMOJI.is_file(), reason="needs Debian's fonts-noto-color-emoji")
@pytest.mark.parametrize(
    "words", [FACE, f"ok {FACE}", f"\N{HEAVY BLACK HEART}\ufe0f ok {FACE} 1\ufe0f\u20e3 日"], ids=ascii
)
def test_emoji_have_their_colors(words: str) -> None:
    found: Any = title_of(words, [NOTO_EMOJI.parent]).getcolors(1_000_000) or ()
    assert sum(count for count, (red, green, blue) in found if red > 200 and green > 150 and blue < 100) > 300

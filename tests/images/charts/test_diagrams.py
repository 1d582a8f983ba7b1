"""Whatever an answer says, its picture is whole, says it, and stays as it is (rules/pictures#answers)."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from harness.builders.answers import RESULTS
from harness.builders.diagrams import SHOWN, TITLE, Place, diagram_of, places
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.svg import to_svg

GOLDEN = Path(__file__).parent / "golden" / "diagrams"
SVG = "{http://www.w3.org/2000/svg}"
EACH = [(name, width) for name in RESULTS for width in (320, 330, 600, 1000)]


@pytest.mark.parametrize("name", SHOWN)
def test_the_svg_is_as_it_was(name: str) -> None:
    diagram = SHOWN[name]
    made = to_svg(draw_diagram(diagram), diagram)
    path = GOLDEN / f"{name}.svg"
    if not path.exists():
        path.write_text(made, encoding="utf-8")
        pytest.fail(f"{path} was not there: look at it")
    assert made == path.read_text(encoding="utf-8")
    assert made == to_svg(draw_diagram(diagram), diagram)


@pytest.mark.parametrize(("name", "width"), EACH)
def test_everything_is_inside_and_no_text_touches_another(name: str, width: int) -> None:
    drawing = draw_diagram(diagram_of(name, width=width))
    texts: list[Place] = []
    for place in places(drawing):
        assert -0.5 <= place.left <= place.right <= drawing.width + 0.5, place
        assert -0.5 <= place.top <= place.bottom <= drawing.height + 0.5, place
        if place.text:
            assert not any(place.touches(other) for other in texts), (place, texts)
            texts.append(place)


@pytest.mark.parametrize("name", RESULTS)
def test_it_is_a_picture_with_a_title_and_a_description_that_runs_nothing(name: str) -> None:
    diagram = diagram_of(name)
    svg = to_svg(draw_diagram(diagram), diagram)
    root = ET.fromstring(svg)
    title, described = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == TITLE
    assert described is not None
    assert (described.text == "No data.") is name.endswith(("-empty", "-zero")) & (name not in WITH_ZEROS)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "style", "defs", "linearGradient", "stop", "rect", "path", "text", "circle")
    }
    assert not re.search(r"(?i)\bon\w+=|href|javascript:|url\((?!#)|@import|<!", svg.split("</desc>", 1)[1])


WITH_ZEROS = {"line-zero", "bars-zero", "counter-zero", "funnel-zero"}
"""Pictures that show zeros; the others that count nothing say that there is no data."""


@pytest.mark.parametrize("name", ["bars", "line", "cohorts", "counter-worse"])
def test_a_dark_picture_has_other_colors_at_the_same_places(name: str) -> None:
    light, dark, auto = (
        to_svg(draw_diagram(diagram), diagram)
        for diagram in (diagram_of(name, theme=theme) for theme in ("light", "dark", "auto"))
    )
    assert "#17171b" in dark
    assert "#17171b" not in light
    assert "prefers-color-scheme:dark" in auto
    assert len({re.sub(r"g[0-9a-f]{8}", "", svg).split("</style>")[1] for svg in (light, dark, auto)}) == 1

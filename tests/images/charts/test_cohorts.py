"""The higher a share is, the darker its cell (rules/pictures#cohorts)."""

from hypothesis import given
from hypothesis import strategies as st

from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.cohorts import CohortRow, GridChart, draw_cohorts
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Box, Drawing, Text
from tallyroom.images.charts.shades import shade_step_of_share, text_paint_on

SPACE = "\N{THIN SPACE}"


def cells(drawing: Drawing) -> list[tuple[Box, Text]]:
    """Each cell with the words in it."""
    boxes = [mark for mark in drawing.marks if isinstance(mark, Box) and mark.paint != "track"]
    texts = [mark for mark in drawing.marks if isinstance(mark, Text) and mark.anchor == "middle"]
    found = []
    for box in boxes:
        (inside,) = [
            text for text in texts if box.x < text.x < box.x + box.width and box.y < text.y < box.y + box.height
        ]
        found.append((box, inside))
    return found


def test_cells_are_a_triangle_and_the_last_of_each_row_is_not_over() -> None:
    drawing = draw_diagram(diagram_of("cohorts"))
    found = cells(drawing)
    assert len(found) == 7 + 6 + 5 + 4 + 3 + 2 + 1
    assert sum(box.paint == "frame" for box, _ in found) == 7
    assert [text.text for _, text in found[:3]] == [f"59{SPACE}%", f"43{SPACE}%", f"30{SPACE}%"]
    names = [mark.text for mark in drawing.marks if isinstance(mark, Text)]
    assert names[2:6] == ["Size", "Week 1", "2", "3"]
    assert names[names.index("7") + 1 :][:2] == ["18 Sep", "384"]


@given(st.lists(st.integers(0, 1000), min_size=3, max_size=12))
def test_shade_follows_share(returned: list[int]) -> None:
    chart = GridChart(title="T", rows=[CohortRow("a", 1000, returned), CohortRow("b", 5, [])], period="Day 1")
    found = [(box, text) for box, text in cells(draw_cohorts(chart)) if box.paint != "frame"]
    for (box, text), count in zip(found, returned, strict=False):
        assert box.paint == f"r{shade_step_of_share(count / 1000)}"
        assert text.paint == text_paint_on(int(box.paint[1:]))
    shades = sorted(zip(returned, [int(box.paint[1:]) for box, _ in found], strict=False))
    assert [shade for _, shade in shades] == sorted(shade for _, shade in shades)


def test_narrow_cells_have_no_sign() -> None:
    texts = [text for _, text in cells(draw_diagram(diagram_of("cohorts-twelve", width=330)))]
    assert texts[0].text == "59"
    assert all(text.size >= 9 for text in texts)


def test_a_cohort_of_nobody_has_empty_cells() -> None:
    drawing = draw_diagram(diagram_of("cohorts-gaps"))
    assert [mark.paint for mark in drawing.marks if isinstance(mark, Box)].count("track") == 2
    assert [text.text for _, text in cells(drawing)] == [f"100{SPACE}%", f"0{SPACE}%", f"33{SPACE}%", f"<1{SPACE}%"]

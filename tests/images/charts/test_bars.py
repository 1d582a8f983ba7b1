"""Bars are as long as their values (rules/pictures#bars)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.bars import BarChart, BarRow, bars_height, draw_bars
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import AxisLine, Box, Drawing, Text


def boxes(drawing: Drawing) -> list[Box]:
    return [mark for mark in drawing.marks if isinstance(mark, Box)]


def words(drawing: Drawing, anchor: str) -> list[str]:
    return [mark.text for mark in drawing.marks if isinstance(mark, Text) and mark.anchor == anchor]


def chart(*values: float | None, height: int = 400) -> BarChart:
    return BarChart(title="T", rows=[BarRow(f"row {at}", value) for at, value in enumerate(values)], height=height)


@given(st.lists(st.floats(1, 1e9), min_size=1, max_size=10))
def test_bars_are_as_long_as_their_values(values: list[float]) -> None:
    drawn = boxes(draw_bars(chart(*values)))
    longest = max(values)
    for box, value in zip(drawn, values, strict=True):
        assert box.width == pytest.approx(max(value / longest * max(each.width for each in drawn), 2), rel=1e-6)
        assert box.x == 20


def test_negative_values_go_to_the_left_of_zero() -> None:
    drawing = draw_bars(chart(300, -100, 0, None))
    gain, loss = boxes(drawing)
    (zero,) = [mark for mark in drawing.marks if isinstance(mark, AxisLine)]
    assert [gain.x, loss.x + loss.width] == pytest.approx([zero.x1, zero.x1])
    assert gain.width == pytest.approx(3 * loss.width)
    assert words(drawing, "end") == ["300", "\N{MINUS SIGN}100", "0", "\N{EN DASH}"]


def test_ten_rows_are_shown_and_the_others_counted() -> None:
    drawing = draw_diagram(diagram_of("bars-many"))
    assert len(boxes(drawing)) == 10
    assert words(drawing, "start")[-1] == "13 more"
    assert drawing.description.endswith("; 13 more.")


@pytest.mark.parametrize("rows", range(12))
def test_at_the_usual_height_nothing_is_left_out_that_need_not_be(rows: int) -> None:
    drawing = draw_bars(chart(*range(1, rows + 1), height=bars_height(rows, 600)))
    assert len(boxes(drawing)) == min(rows, 10)


@pytest.mark.parametrize("height", [100, 130, 200, 250])
def test_a_low_picture_has_fewer_rows(height: int) -> None:
    drawing = draw_bars(chart(*range(9, 0, -1), height=height))
    shown = len(boxes(drawing))
    assert 1 <= shown < 9
    assert max(box.y + box.height for box in boxes(drawing)) <= height - 10
    assert drawing.description.endswith(f"; {9 - shown} more.")


def test_values_align_and_long_labels_are_cut() -> None:
    drawing = draw_diagram(diagram_of("bars-hostile"))
    ends = [mark for mark in drawing.marks if isinstance(mark, Text) and mark.anchor == "end"]
    assert {mark.x for mark in ends} == {580}
    assert all(mark.tabular for mark in ends)
    labels = words(drawing, "start")[1:]
    assert labels[0] == "<script>alert(1)</script>"
    assert labels[1].endswith("\N{HORIZONTAL ELLIPSIS}")
    assert labels[-2:] == ["(empty)", "evil"]

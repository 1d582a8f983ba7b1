"""Columns stand on zero, are as high as their values, and are stacked (rules/pictures#columns)."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.axes import Plot
from tallyroom.images.charts.columns import build_column, stack_series
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import AxisLine, Shape
from tallyroom.images.charts.graph import Series
from tallyroom.images.charts.scale import Scale
from tallyroom.queries.config import Display

RECTANGLE = re.compile(r"M(-?[\d.]+) (-?[\d.]+)h([\d.]+)v(-?[\d.]+)h-[\d.]+z")
BARS = Display(chart="bar")


def rectangles(shape: Shape) -> list[tuple[float, ...]]:
    found = [tuple(map(float, each)) for each in RECTANGLE.findall(shape.path)]
    assert len(found) == shape.path.count("M")
    return found


def shapes(name: str) -> list[Shape]:
    return [mark for mark in draw_diagram(diagram_of(name, BARS)).marks if isinstance(mark, Shape)]


def test_columns_are_as_high_as_their_values() -> None:
    (shape,) = shapes("line-negative")
    values = [-1200, -340, 560, 980, -120, 60, 1400]
    heights = [-height for _, _, _, height in rectangles(shape)]
    assert [height / value for height, value in zip(heights, values, strict=True)] == pytest.approx(
        [heights[0] / values[0]] * 7, abs=2e-3
    )
    marks = draw_diagram(diagram_of("line-negative", BARS)).marks
    (base,) = [mark for mark in marks if isinstance(mark, AxisLine) and mark.paint == "base"]
    assert all(abs(start - base.y1) <= 1 for _, start, _, _ in rectangles(shape))


def test_no_column_touches_the_next() -> None:
    for name in ("line", "line-hours", "line-few"):
        places = sorted(each for shape in shapes(name) for each in rectangles(shape))
        assert all(left + width <= after[0] for (left, _, width, _), after in pairwise(places))


def test_what_is_incomplete_is_faint() -> None:
    whole, part = shapes("line")
    assert (whole.is_faint, part.is_faint) == (False, True)
    assert len(rectangles(part)) == 1
    assert rectangles(part)[0][0] > max(left for left, *_ in rectangles(whole))


def test_series_are_stacked_up_and_down() -> None:
    found = stack_series(
        [Series("a", [(0, 3.0), (1, -1.0)]), Series("b", [(0, 2.0), (1, 5.0)]), Series("c", [(1, -4.0)])]
    )
    assert [tuple(part) for part in found] == [
        (0, 0, 0.0, 3.0),
        (0, 1, 0.0, -1.0),
        (1, 0, 3.0, 5.0),
        (1, 1, 0.0, 5.0),
        (2, 1, -1.0, -5.0),
    ]


values = st.floats(-1.7e308, 1.7e308)


@given(st.lists(st.lists(values, min_size=3, max_size=3), max_size=12))
def test_stacks_never_leave_the_range_of_numbers(rows: list[list[float]]) -> None:
    series = [Series("", list(enumerate(row))) for row in rows]
    for part in stack_series(series):
        assert abs(part.outer_value) <= 1.8e308
        assert abs(part.outer_value) >= abs(part.inner_value) - abs(part.inner_value) * 1e-12


def test_a_small_count_can_be_seen_and_none_has_no_column() -> None:
    plot = Plot(Scale(0, 1, 0, 1), Scale(0, 1e6, 200, 0), 0, 200, may_shade=True, left=0, right=1)
    assert build_column(5, 10, plot, 0) == []
    assert [(box.y, box.height) for box in build_column(5, 10, plot, 1)] == [(199, 1)]
    assert [(box.y, box.height) for box in build_column(5, 10, plot, 5e5)] == [(100, 100)]

"""Columns from bound to bound (rules/pictures#columns)."""

import pytest

from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Box, Text
from tallyroom.images.charts.histogram import HistogramChart, ValueRange, draw_histogram


def test_columns_stand_beside_each_other_and_are_as_high_as_their_counts() -> None:
    counts = [4, 8, 0, 2]
    ranges = [ValueRange(at * 10.0, at * 10.0 + 10, count) for at, count in enumerate(counts)]
    drawing = draw_histogram(HistogramChart(title="T", ranges=ranges, height=280))
    first, second, fourth = [mark for mark in drawing.marks if isinstance(mark, Box)]
    assert first.width == pytest.approx(second.width)
    assert second.x == pytest.approx(first.x + first.width + 1)
    assert fourth.x == pytest.approx(first.x + 3 * (first.width + 1))
    assert [first.height, second.height] == pytest.approx([2 * fourth.height, 4 * fourth.height])
    assert len({round(box.y + box.height, 6) for box in (first, second, fourth)}) == 1
    axis = [mark.text for mark in drawing.marks if isinstance(mark, Text) and mark.anchor == "middle"]
    assert axis == ["0", "5", "10", "15", "20", "25", "30", "35", "40"]
    assert drawing.description == "14 values from 0 to 40. Peak: 8 from 10 to 20."


def test_numbers_that_could_be_moments_are_numbers() -> None:
    ranges = [ValueRange(1.7e9, 1.75e9, 3), ValueRange(1.75e9, 1.8e9, 5)]
    drawing = draw_histogram(HistogramChart(title="T", ranges=ranges))
    assert any("B" in mark.text for mark in drawing.marks if isinstance(mark, Text))


@pytest.mark.parametrize("name", ["histogram-one", "histogram-fifty", "histogram-huge"])
def test_whatever_the_bounds_each_count_has_a_column_in_the_plot(name: str) -> None:
    diagram = diagram_of(name)
    assert isinstance(diagram, HistogramChart)
    boxes = [mark for mark in draw_diagram(diagram).marks if isinstance(mark, Box)]
    assert len(boxes) == sum(each.count > 0 for each in diagram.ranges)
    assert all(box.width >= 0.5 and box.height >= 1 for box in boxes)

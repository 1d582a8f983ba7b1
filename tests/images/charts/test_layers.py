"""Areas on top of each other (rules/pictures#over-time)."""

from harness.builders.answers import points
from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Layer, Stroke
from tallyroom.images.charts.graph import Graph, Series
from tallyroom.images.charts.layers import stack_graph
from tallyroom.queries.config import Display
from tallyroom.queries.metric_answers import Multiseries
from tallyroom.queries.metric_answers import Series as AnswerSeries


def test_a_line_is_on_top_of_those_before_it_and_negative_values_go_down() -> None:
    graph = Graph("T", [Series("a", [(0, 1), (1, -2)]), Series("b", [(0, 2), (1, 3)]), Series("c", [(0, 4), (1, -5)])])
    assert [series.points for series in stack_graph(graph).series] == [
        [(0, 1), (1, -2)],
        [(0, 3), (1, 3)],
        [(0, 7), (1, -7)],
    ]


def test_a_layer_has_a_gap_where_its_series_has_no_value() -> None:
    answer = Multiseries(
        interval="day",
        series=[AnswerSeries("a", points([1, 1, None, 1, 1])), AnswerSeries("b", points([2, None, 2, None, 2]))],
    )
    marks = draw_diagram(diagram_of(answer, Display(chart="area"))).marks
    [layer] = [mark for mark in marks if isinstance(mark, Layer)]
    assert layer.path.count("M") == 2


def test_areas_that_are_not_stacked_begin_at_zero() -> None:
    stacked, apart = (draw_diagram(diagram_of("lines", Display(chart="area", stack=stack))) for stack in (True, False))
    assert any(isinstance(mark, Layer) for mark in stacked.marks)
    assert not any(isinstance(mark, Layer) for mark in apart.marks)
    assert sum(isinstance(mark, Stroke) for mark in apart.marks) == 4

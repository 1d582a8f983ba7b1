"""Dashed lines that can be read (rules/pictures#thresholds)."""

import pytest

from harness.builders.answers import RESULTS, points
from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import AxisLine, Box, Mark, Text
from tallyroom.queries.config import Display
from tallyroom.queries.metric_answers import Timeseries
from tallyroom.queries.values import Value


def marks(values: list[Value], threshold: float | None = None, **display: float | str) -> list[Mark]:
    result = Timeseries(interval="day", points=points(values))
    return draw_diagram(diagram_of(result, Display(**display), threshold=threshold)).marks  # type: ignore[arg-type] # of any field


def lines(found: list[Mark], kind: str = "limit") -> list[AxisLine]:
    return [mark for mark in found if isinstance(mark, AxisLine) and mark.paint == kind]


def label(found: list[Mark], start: str = "Threshold") -> Text:
    (only,) = [mark for mark in found if isinstance(mark, Text) and mark.text.startswith(start)]
    return only


@pytest.mark.parametrize("threshold", [-40, 0, 15, 25, 70, 10_000])
@pytest.mark.parametrize("chart", ["line", "area", "bar"])
def test_the_axis_reaches_it(threshold: float, chart: str) -> None:
    found = marks([10, 20, 30], threshold, chart=chart)
    (line,) = lines(found)
    grid = [mark.y1 for mark in found if isinstance(mark, AxisLine) and mark.paint in {"grid", "axis"}]
    assert min(grid) - 1 <= line.y1 == line.y2 <= max(grid) + 1
    assert line.x2 - line.x1 > 400
    assert label(found).text == f"Threshold {threshold:,}".replace("-", "\N{MINUS SIGN}")
    assert abs(label(found).y - line.y1) < 16


def test_a_goal_is_quiet_and_a_threshold_is_not() -> None:
    found = marks([10, 20, 30], 25, goal=28)
    assert (len(lines(found)), len(lines(found, "goal"))) == (1, 1)
    assert (label(found).paint, label(found, "Goal").paint) == ("worse", "muted")


def test_a_label_stands_where_no_line_is() -> None:
    above = marks([11, 11, 11, 11, 0, 0, 0, 0, 0, 0], 10)
    assert label(above).x > 200
    assert not any(isinstance(mark, Box) for mark in above)
    below = marks([0, *[20] * 10], 19)
    assert label(below).y > lines(below)[0].y1


def test_a_label_without_such_a_place_has_a_ground_of_its_own() -> None:
    found = draw_diagram(diagram_of(RESULTS["line"], Display(chart="bar"), threshold=20_000)).marks
    chip = next(mark for mark in found if isinstance(mark, Box))
    assert chip.paint == "chip"
    assert chip.x < label(found).x < chip.x + chip.width


def test_two_labels_do_not_cover_each_other() -> None:
    found = marks([10, 20, 30], 25, goal=25)
    one, other = label(found), label(found, "Goal")
    assert abs(one.x - other.x) > 60 or abs(one.y - other.y) > 12


def test_where_nothing_is_counted_a_threshold_is_shown() -> None:
    assert lines(marks([0] * 5, 3))
    assert not lines(marks([None] * 5, 3))

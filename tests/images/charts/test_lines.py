"""Dots where a line ends now, and of points that are alone; what is dotted."""

import pytest

from harness.builders.graphs import DAY, HOUR, T0
from tallyroom.images.charts.drawing import Dot, Mark, Stroke, Swatch, Text
from tallyroom.images.charts.graph import Graph, GraphPoint, Series
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.lines import choose_dashes


def marks(*series: Series, time_range: tuple[float, float] | None = None) -> list[Mark]:
    return draw_graph(Graph("T", series, time_range=time_range)).marks


def hourly(count: int, since: float = T0) -> list[GraphPoint]:
    return [(since + HOUR * at, 10.0 + at % 3) for at in range(count)]


def dots(found: list[Mark]) -> list[str]:
    return [mark.paint for mark in found if isinstance(mark, Dot)]


@pytest.mark.parametrize(("behind", "has_dot"), [(0, True), (4, True), (5, False), (500, False)])
def test_only_a_line_that_ended_just_now_has_an_end_dot(behind: int, has_dot: bool) -> None:  # a case
    found = marks(Series("a", hourly(600)), Series("b", hourly(600 - behind)))
    assert dots(found) == (["s0", "s1"] if has_dot else ["s0"])


def test_a_line_too_short_to_have_a_usual_distance_ends_with_a_dot() -> None:
    assert dots(marks(Series("a", hourly(600)), Series("b", hourly(7)))) == ["s0", "s1"]


def test_a_line_that_is_known_to_have_ended_has_no_dot() -> None:
    line = Series("a", hourly(30), moments_after_gaps=frozenset())
    last = T0 + 29 * HOUR
    assert dots(marks(line, time_range=(T0, last))) == ["s0"]
    assert dots(marks(line, time_range=(T0 - DAY, last + HOUR))) == []


def test_a_line_that_is_known_to_begin_anew_is_dotted_there_and_nowhere_else() -> None:
    points = [*hourly(3), *hourly(2, T0 + 4 * HOUR), *hourly(3, T0 + 90 * HOUR)]
    faint = [
        mark.path
        for mark in marks(Series("a", points, moments_after_gaps=frozenset([T0 + 4 * HOUR])))
        if isinstance(mark, Stroke) and mark.is_faint
    ]
    assert len(faint) == 1
    assert faint[0].count("M") == 1


@pytest.mark.parametrize(("count", "is_dotted"), [(7, False), (8, True)])
def test_from_eight_points_on_a_long_silence_is_dotted(count: int, is_dotted: bool) -> None:  # a case
    points = [*hourly(count - 1), (T0 + (count + 4) * HOUR, 1.0)]  # six hours after the others
    assert any(isinstance(mark, Stroke) and mark.is_faint for mark in marks(Series("a", points))) is is_dotted


def test_lines_of_one_color_differ_by_their_dashes_in_turn() -> None:
    plain = [Series(str(at), hourly(3)) for at in range(33)]
    drawn = {mark.paint: mark.dashes for mark in marks(*plain) if isinstance(mark, Stroke)}
    kinds = [""] * 8 + ["6 4"] * 8 + ["2 4"] * 8 + ["8 3 2 3"] * 8 + [""]
    assert [drawn[f"s{number}"] for number in range(33)] == kinds
    large = Graph("T", [*plain[:9], Series("many", hourly(4_000))])
    assert choose_dashes(large, 8) == ""


def test_a_series_of_one_point_has_its_color_in_the_legend_and_a_dot_to_be_seen() -> None:
    found = marks(*(Series(f"n{at}", [(T0 + at, at)]) for at in range(11)))
    assert [mark.paint for mark in found if isinstance(mark, Swatch)] == [f"s{at}" for at in range(11)]
    assert not [mark for mark in found if isinstance(mark, Stroke)]
    assert [(mark.paint, mark.radius) for mark in found if isinstance(mark, Dot)] == [(f"s{at}", 5) for at in range(11)]


def test_the_legend_tells_values_apart() -> None:
    found = marks(*(Series(str(at), [(T0, 1000 + at / 1000), (T0 + 1, 1000 + at / 1000)]) for at in (1, 2, 3)))
    bold = [mark.text for mark in found if isinstance(mark, Text) and mark.bold][1:]
    assert bold == ["1,000.001", "1,000.002", "1,000.003"]

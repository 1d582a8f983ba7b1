"""Numbers and their change, told by more than a color (rules/pictures#numbers)."""

import pytest

from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Box, Text
from tallyroom.images.charts.number_chart import NumberChart, ShownNumber, draw_numbers
from tallyroom.queries.config import Display, GoodDirection

SPACE = "\N{THIN SPACE}"


def texts(name: str, **display: str) -> list[Text]:
    drawing = draw_diagram(diagram_of(name, Display(**display)))  # type: ignore[arg-type] # of texts
    return [mark for mark in drawing.marks if isinstance(mark, Text)][1:]


@pytest.mark.parametrize(("good", "paint"), [("up", "better"), ("down", "worse"), ("none", "text"), (None, "text")])
def test_a_change_has_an_arrow_and_a_color_only_if_a_direction_is_good(good: str | None, paint: str) -> None:
    number, change, before = texts("counter", **({"good": good} if good else {}))
    assert (number.text, number.bold, number.size) == ("48,213", True, 40)
    assert (change.text, change.paint) == (f"\N{UPWARDS ARROW} 9.3{SPACE}%", paint)
    assert (before.text, before.paint) == ("from 44,102", "muted")


def test_below_zero_a_change_is_the_difference() -> None:
    _, change, before = texts("counter-worse", good="up")
    assert (change.text, change.paint) == ("\N{MINUS SIGN}15.9", "worse")
    assert before.text == "from 3.2"


def test_more_than_three_times_as_much_is_a_factor() -> None:
    drawing = draw_numbers(NumberChart(title="T", numbers=[ShownNumber("a", 42, 10)]))
    assert f"\N{UPWARDS ARROW} 4.2{SPACE}\N{MULTIPLICATION SIGN}" in {
        mark.text for mark in drawing.marks if isinstance(mark, Text)
    }


@pytest.mark.parametrize(
    ("good", "paint", "words"),
    [("up", "better", "48,213 of 40,000, goal met"), ("down", "worse", "48,213 of 40,000, over the goal")],
)
def test_a_goal_is_a_bar_and_a_sentence(good: GoodDirection, paint: str, words: str) -> None:
    diagram = diagram_of("counter", Display(goal=40_000, good=good))
    marks = draw_diagram(diagram).marks
    track, bar = [mark for mark in marks if isinstance(mark, Box)]
    assert (bar.width, bar.paint) == (track.width, paint)
    [text] = [mark for mark in marks if isinstance(mark, Text) and mark.text == words]
    assert bar.y + bar.height < text.y - text.size < diagram.height
    assert words in draw_diagram(diagram).description


def test_half_of_a_goal_is_half_a_bar() -> None:
    marks = draw_diagram(diagram_of("counter", Display(goal=96_426))).marks
    track, bar = [mark for mark in marks if isinstance(mark, Box)]
    assert (bar.width, bar.paint) == (track.width / 2, "p0")


def test_nothing_to_compare_with_says_nothing() -> None:
    (alone,) = texts("counter-alone")
    assert alone.text == "1.94B"
    assert [text.text for text in texts("counter-zero")] == ["0", "no change", "from 0"]
    assert [text.text for text in texts("counter-none")] == ["\N{EN DASH}", "from 3"]


@pytest.mark.parametrize(("width", "beside"), [(330, 2), (600, 3), (1000, 6)])
def test_numbers_stand_beside_each_other_in_rows_of_one_length(width: int, beside: int) -> None:
    drawing = draw_diagram(diagram_of("kpi", width=width))
    numbers = [mark for mark in drawing.marks if isinstance(mark, Text) and mark.size >= 20]
    assert len(numbers) == 6
    assert len({round(mark.x, 6) for mark in numbers}) == beside
    assert len({mark.size for mark in numbers}) == 1


def test_a_number_is_made_smaller_and_never_cut() -> None:
    chart = NumberChart(title="T", numbers=[ShownNumber("a", -1.234e-300)] * 6, width=320, height=400)
    numbers = [mark for mark in draw_numbers(chart).marks if isinstance(mark, Text) and "e" in mark.text]
    assert len(numbers) == 6
    assert {mark.text for mark in numbers} == {"\N{MINUS SIGN}1.23e\N{MINUS SIGN}300"}

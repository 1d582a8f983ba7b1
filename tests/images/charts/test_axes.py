"""What stands at an axis, whatever its span."""

from itertools import pairwise

import pytest

from tallyroom.images.charts.axes import draw_axes
from tallyroom.images.charts.drawing import AxisLine, Mark, Text
from tallyroom.images.charts.graph import Extent
from tallyroom.images.charts.scale import build_value_ticks

T0 = 1_763_000_000
DAY = 86_400
SPANS = [0.5, 1, 7, 90, 3_600, 5_400, DAY, 9 * DAY, 40 * DAY, 100 * DAY, 400 * DAY, 4_000 * DAY, 40_000 * DAY]


def axes(
    span: float, width: float = 1000, height: float = 400, since: float = T0, values: tuple[float, float] = (0, 100)
) -> list[Mark]:
    marks: list[Mark] = []
    draw_axes(width, height, Extent(since, since + span, *values), 20, 20, marks)
    return marks


def labels(marks: list[Mark]) -> list[str]:
    return [mark.text for mark in marks if isinstance(mark, Text) and mark.anchor == "end"]


def slanted(marks: list[Mark]) -> list[AxisLine]:
    return [mark for mark in marks if isinstance(mark, AxisLine) and mark.x1 != mark.x2 and mark.y1 != mark.y2]


def moments(marks: list[Mark]) -> list[Text]:
    return [mark for mark in marks if isinstance(mark, Text) and mark.anchor == "middle"]


@pytest.mark.parametrize("width", [180, 360, 1000, 2000])
@pytest.mark.parametrize("span", SPANS)
def test_words_of_moments_stand_apart_and_say_the_date_or_the_year(span: float, width: float) -> None:
    words = moments(axes(span, width))
    assert words
    ends = [word.x + (word.width - 8) / 2 for word in words]
    starts = [word.x - (word.width - 8) / 2 for word in words]
    assert starts[0] >= 19.9
    assert ends[-1] <= width - 19.9
    assert all(start - end >= 18 for end, start in zip(ends, starts[1:], strict=False))
    assert any(part in word.text for word in words for part in ("Nov", "20", "21"))


@pytest.mark.parametrize("width", [240, 360, 1000, 2000])
@pytest.mark.parametrize("values", [(0, 100), (12_000, 12_100), (-9_999_999, 1), (1e15, 1e15 + 7)])
@pytest.mark.parametrize("span", SPANS[1:])
def test_no_word_of_a_moment_stands_below_those_of_values(
    span: float, values: tuple[float, float], width: float
) -> None:
    marks = axes(span, width, values=values)
    ends = [mark.x for mark in marks if isinstance(mark, Text) and mark.anchor == "end"]
    words = moments(marks)
    starts = [word.x - (word.width - 8) / 2 for word in words]
    room = width - 20 - max(ends)
    assert starts[0] >= max(ends) + 7.9 or words[0].width > room


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ((0, 100), None),
        ((800, 1000), None),
        ((860, 1000), "low"),
        ((12_000, 12_010), "low"),
        ((-12_010, -12_000), "high"),
        ((-1, 12_000), None),
        ((12_345, 12_345), None),
    ],
    ids=str,
)
def test_an_axis_that_magnifies_more_than_five_times_has_a_break_mark(
    values: tuple[float, float], where: str | None
) -> None:
    marks = axes(DAY, values=values)
    lines = [mark.y1 for mark in marks if isinstance(mark, AxisLine) and mark.y1 == mark.y2]
    strokes = slanted(marks)
    assert len(strokes) == (0 if where is None else 2)
    for stroke in strokes:
        assert stroke.x1 < stroke.x2
        assert stroke.y1 > stroke.y2
        assert abs((max if where == "low" else min)(lines) - (stroke.y1 + stroke.y2) / 2) < 12


@pytest.mark.parametrize(
    "values",
    [(1000.001, 1000.003), (0.3, 0.30000001), (1e15, 1e15 + 7), (-1e9 - 0.001, -1e9), (1.2e300, 1.2e300 * (1 + 1e-13))],
)
@pytest.mark.parametrize("width", [180, 480, 2000])
def test_values_that_differ_are_not_the_same_words(values: tuple[float, float], width: float) -> None:
    marks = axes(DAY, width, values=values)
    words = labels(marks)
    assert len(set(words)) == len(words) >= 2
    assert max(mark.width for mark in marks if isinstance(mark, Text) and mark.anchor == "end") < width


def test_values_too_long_for_the_room_are_told_from_the_lowest() -> None:
    assert labels(axes(DAY, 200, 240, values=(1e15, 1e15 + 7))) == ["1e15", "+2", "+4", "+6", "+8"]


def test_a_span_in_which_nothing_begins_tells_its_first_moment() -> None:
    (word,) = moments(axes(0.5, since=T0 + 0.2))
    assert word.text == "13 Nov 2025 02:13:20.2"


def test_numbers_that_are_no_times_are_named_as_numbers() -> None:
    assert next(word.text for word in moments(axes(4e17, since=1e18))) == "1e18"


@pytest.mark.parametrize(("height", "values"), [(120, 3), (240, 6), (400, 6), (2000, 6)])
def test_a_higher_picture_names_more_values_up_to_a_number(height: float, values: int) -> None:
    words = [mark for mark in axes(DAY, height=height) if isinstance(mark, Text) and mark.anchor == "end"]
    assert len(words) == values
    lines = [mark for mark in axes(DAY, height=height) if isinstance(mark, AxisLine) and mark.y1 == mark.y2]
    assert len(lines) == values


@pytest.mark.parametrize("most", range(2, 9))
@pytest.mark.parametrize(
    "values", [(-3, 7), (-1, 1), (-1e300, 1e300), (-1e-9, 5), (-1e308, 1e308), (0, 3), (-2, -1), (3, 3)]
)
def test_an_axis_reaches_around_all_values(values: tuple[float, float], most: int) -> None:
    found = build_value_ticks(*values, most)
    nothing = (found.values[-1] / 2 - found.values[0] / 2) * 1e-8
    assert found.values[0] <= values[0] + nothing
    assert found.values[-1] >= values[1] - nothing
    assert 2 <= len(found.values) <= max(most, 3)
    assert all(following > value for value, following in pairwise(found.values))

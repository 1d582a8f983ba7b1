"""charts.axes: what stands at an axis, whatever its span."""

from itertools import pairwise

import pytest

from tallyroom.charts.axes import plot_with_axes
from tallyroom.charts.drawing import Mark, Rule, Text
from tallyroom.charts.scale import value_ticks

T0 = 1_763_000_000
DAY = 86_400
SPANS = [0.5, 1, 7, 90, 3_600, 5_400, DAY, 9 * DAY, 40 * DAY, 100 * DAY, 400 * DAY, 4_000 * DAY, 40_000 * DAY]


def axes(span: float, width: float = 1000, height: float = 400, since: float = T0) -> list[Mark]:
    marks: list[Mark] = []
    plot_with_axes(width, height, (since, since + span, 0, 100), 20, 20, marks)
    return marks


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


def test_a_span_in_which_nothing_begins_tells_its_first_moment() -> None:
    (word,) = moments(axes(0.5, since=T0 + 0.2))
    assert word.text == "13 Nov 2025 02:13:20.2 UTC"


def test_numbers_that_are_no_times_are_named_as_numbers() -> None:
    assert next(word.text for word in moments(axes(4e17, since=1e18))) == "1e18"


@pytest.mark.parametrize(("height", "values"), [(120, 3), (240, 6), (400, 6), (2000, 6)])
def test_a_higher_picture_names_more_values_up_to_a_number(height: float, values: int) -> None:
    words = [mark for mark in axes(DAY, height=height) if isinstance(mark, Text) and mark.anchor == "end"]
    assert len(words) == values
    lines = [mark for mark in axes(DAY, height=height) if isinstance(mark, Rule) and mark.y1 == mark.y2]
    assert len(lines) == values


@pytest.mark.parametrize("most", range(2, 9))
@pytest.mark.parametrize(
    "values", [(-3, 7), (-1, 1), (-1e300, 1e300), (-1e-9, 5), (-1e308, 1e308), (0, 3), (-2, -1), (3, 3)]
)
def test_an_axis_reaches_around_all_values(values: tuple[float, float], most: int) -> None:
    found = value_ticks(*values, most)
    nothing = (found.values[-1] / 2 - found.values[0] / 2) * 1e-8
    assert found.values[0] <= values[0] + nothing
    assert found.values[-1] >= values[1] - nothing
    assert 2 <= len(found.values) <= max(most, 3)
    assert all(following > value for value, following in pairwise(found.values))

"""The more events an hour has, the darker its cell (rules/pictures#heatmaps)."""

from hypothesis import given
from hypothesis import strategies as st

from harness.builders.answers import RESULTS
from harness.builders.diagrams import diagram_of
from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Box, Drawing, Text
from tallyroom.images.charts.heatmap import HeatChart, draw_heat, heat_height


def cells(drawing: Drawing) -> list[Box]:
    return [mark for mark in drawing.marks if isinstance(mark, Box)][: 7 * 24]


def test_days_go_down_and_hours_to_the_right() -> None:
    drawing = draw_diagram(diagram_of("heat-one"))
    (dark,) = [at for at, box in enumerate(cells(drawing)) if box.paint == "r9"]
    assert divmod(dark, 24) == (2, 9)
    assert drawing.description == "1 in total. Peak: 1 on Wed at 09:00."
    words = [mark.text for mark in drawing.marks if isinstance(mark, Text)]
    assert words[1:] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "00:00", "06:00", "12:00", "18:00", "0", "1"]
    grid = cells(drawing)
    assert len({round(box.y, 6) for box in grid}) == 7
    assert len({round(box.x, 6) for box in grid}) == 24


@given(st.lists(st.lists(st.integers(0, 10**12), min_size=24, max_size=24), min_size=7, max_size=7))
def test_shade_follows_count(counts: list[list[int]]) -> None:
    drawing = draw_heat(HeatChart(title="T", cells=counts, height=heat_height(600)))
    pairs = sorted(
        zip((each for row in counts for each in row), cells(drawing), strict=False), key=lambda pair: pair[0]
    )
    shades = [int(box.paint[1:]) for _, box in pairs]
    assert shades == sorted(shades)
    assert all((shade == 1) is (count == 0) for shade, (count, _) in zip(shades, pairs, strict=True))


def test_the_key_names_the_highest_count() -> None:
    result = RESULTS["heat"]
    assert isinstance(result, Heatmap)
    drawing = draw_diagram(diagram_of("heat"))
    last = [mark.text for mark in drawing.marks if isinstance(mark, Text)][-1]
    assert last == f"{max(count or 0 for row in result.cells for count in row):,}"


def test_an_hour_outside_of_the_time_range_is_not_painted() -> None:
    counts: list[list[int | None]] = [[None] * 24 for _ in range(7)]
    counts[2][5:8] = [4, 0, 2]
    drawing = draw_heat(HeatChart(title="T", cells=counts, height=heat_height(600)))
    painted = [box for box in cells(drawing) if box.height > 12]
    assert [box.paint for box in painted] == ["r9", "r1", "r5"]

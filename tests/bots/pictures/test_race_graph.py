"""A race as a graph: its colors, its title and its words (rules/pictures#race)."""

from typing import Any

import pytest

from tallyroom.bots.pictures.race_graph import build_race_graph
from tallyroom.bots.pictures.race_reader import PublishedRace
from tallyroom.bots.race import RaceView
from tallyroom.bots.race_colors import assign_race_colors
from tallyroom.bots.series import TimeGrid
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.times import DAY_MS, HOUR_MS
from tallyroom.images.charts.colors import Color
from tallyroom.images.charts.graph import Graph, LineEnd
from tallyroom.images.schemas import GraphRequest

END_MS = 1_795_910_400_000  # 29 November 2026
IDS = ["583807014896140293", "646937666251915264", "432610292342587392"]
DAYS = TimeGrid(DAY_MS, 90, END_MS)


def race(
    *lines: list[int], names: tuple[str, ...] = ("Encore", "Quill", "Tamber"), grid: TimeGrid = DAYS
) -> PublishedRace:
    points = {
        bot_id: [(END_MS - (len(line) - 1 - at) * grid.step_ms, value) for at, value in enumerate(line)]
        for bot_id, line in zip(IDS, lines, strict=False)
    }
    return PublishedRace(dict(zip(points, names, strict=False)), points, "monthly_votes", grid)


def graph(found: PublishedRace, view: RaceView = "value", **asked: Any) -> Graph:
    return build_race_graph(found, view, GraphRequest([], **asked))


@pytest.mark.parametrize(
    ("view", "title", "ends"),
    [
        ("value", "Monthly votes", [LineEnd("150"), LineEnd("120")]),
        (
            "growth",
            "Monthly votes, growth since 27 Nov 2026",
            [LineEnd("+50.0\u2009%", "150"), LineEnd("+20.0\u2009%", "120")],
        ),
        ("gap", "Monthly votes, gap to Encore", [LineEnd("0", "150"), LineEnd("\u221230", "120")]),
    ],
)
def test_each_view_has_its_words(view: RaceView, title: str, ends: list[LineEnd]) -> None:
    found = graph(race([100, 120, 150], [100, 125, 120]), view)
    assert found.title == title
    assert [series.end for series in found.series] == ends
    assert [flag.label for flag in found.flags] == ["Encore passes Quill, 29 Nov"]
    assert found.flags[0].moment == END_MS / 1000


def test_the_axis_is_the_whole_time_frame() -> None:
    assert graph(race([1, 2], [3, 4])).time_range == ((END_MS - 89 * DAY_MS) / 1000, END_MS / 1000)
    assert graph(race([1, 2], [3, 4], grid=TimeGrid(DAY_MS, None, END_MS))).time_range == (
        (END_MS - DAY_MS) / 1000,
        END_MS / 1000,
    )
    assert graph(race([], [])).time_range is None


def test_growth_within_hours_says_the_hour() -> None:
    hours = TimeGrid(HOUR_MS, 24, END_MS)
    assert graph(race([1, 2], [3, 4], grid=hours), "growth").title.endswith("since 28 Nov 2026, 23:00")


def test_a_bot_has_the_color_of_its_id_unless_one_is_requested() -> None:
    colors = assign_race_colors(IDS, {})
    found = graph(race([1], [2], [3]))
    assert [series.palette_key for series in found.series] == [str(colors[bot_id] - 1) for bot_id in IDS]
    chosen = graph(race([1], [2], [3]), colors=["f00", "3"]).series
    assert chosen[0].color == Color("#ff0000")
    assert [series.palette_key for series in chosen[1:]] == ["2", str(colors[IDS[2]] - 1)]


def test_a_bot_without_values_takes_no_color_from_another() -> None:
    found = graph(race([], [2], [3]), colors=["1", "2", "3"])
    assert [(series.name, series.palette_key) for series in found.series] == [("Quill", "1"), ("Tamber", "2")]


def test_bots_of_one_name_are_two_lines() -> None:
    assert [series.name for series in graph(race([1], [2], names=("Twin", "Twin"))).series] == ["Twin", "Twin"]


def test_without_a_common_start_there_is_no_growth() -> None:
    found = graph(race([3, 0], [0, 2]), "growth")
    assert found.series == []
    assert found.title == "Monthly votes, growth"


@pytest.mark.parametrize("asked", [{"colors": ["red"]}, {"width": 2000, "height": 2000, "scale": 2}], ids=str)
def test_a_wrong_look_is_refused(asked: Any) -> None:
    with pytest.raises(ValidationFailed):
        graph(race([1], [2]), **asked)


def test_a_title_may_be_requested() -> None:
    assert graph(race([1], [2]), "gap", name="Our race").title == "Our race"

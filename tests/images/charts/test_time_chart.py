"""Lines with gaps, on the clocks of a time zone (rules/pictures#over-time, rules/questions#total)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from harness.builders.answers import points, series
from harness.builders.diagrams import diagram_of
from tallyroom.core.value_colors import assign_colors
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Area, Dot, Layer, Mark, Ring, Shape, Stroke, Text
from tallyroom.images.charts.time_chart import TimeChart, TimeSeries
from tallyroom.queries.buckets import Interval
from tallyroom.queries.config import Chart, Config, Display
from tallyroom.queries.label_colors import color_labels
from tallyroom.queries.metric_answers import Multiseries, Series, Timeseries

BERLIN = ZoneInfo("Europe/Berlin")


def marks(chart: Chart | None = None, name: str = "line", **more: object) -> list[Mark]:
    return draw_diagram(diagram_of(name, Display(chart=chart), **more)).marks


def words(found: list[Mark]) -> list[str]:
    return [mark.text for mark in found if isinstance(mark, Text)]


def axis(found: list[Mark]) -> list[str]:
    return [mark.text for mark in found if isinstance(mark, Text) and mark.anchor == "middle"]


def test_a_line_is_dotted_where_it_has_no_value() -> None:
    found = [mark for mark in marks(name="line-gaps") if isinstance(mark, Stroke)]
    assert [(mark.is_faint, mark.path.count("M")) for mark in found] == [(True, 2), (False, 3)]


def test_a_value_between_gaps_is_a_dot() -> None:
    (dot,) = [mark for mark in marks(name="line-lone") if isinstance(mark, Dot)]
    assert 250 < dot.x < 350


def test_no_line_leads_to_the_bucket_that_is_not_over() -> None:
    found = marks()
    [line] = [mark for mark in found if isinstance(mark, Stroke)]
    [ring] = [mark for mark in found if isinstance(mark, Ring)]
    [dot] = [mark for mark in found if isinstance(mark, Dot)]
    assert line.path.split("L")[-1] == f"{dot.x:g} {dot.y:g}"
    assert dot.x < ring.x
    assert "so far" in words(found)


def test_the_description_has_the_range_of_whole_buckets_and_says_that_the_last_is_not_over() -> None:
    points = [(0.0, 5.0), (3600.0, 9.0), (7200.0, 1.0)]
    chart = TimeChart(title="T", series=[TimeSeries("", points)], incomplete=[7200.0], width=600, height=280)
    assert draw_diagram(chart).description.endswith("from 5 to 9; the last value: 1 so far.")


def test_the_ring_of_a_series_has_the_color_of_its_line() -> None:
    series = [TimeSeries(key, [(0.0, 1.0), (3600.0, 2.0)], palette_key=key) for key in ("5", "rest")]
    marks = draw_diagram(TimeChart(title="T", series=series, incomplete=[3600.0], width=600, height=280)).marks
    assert [mark.paint for mark in marks if isinstance(mark, Ring)] == ["s5", "srest"]


def test_a_window_that_begins_within_a_bucket_has_a_ring_at_its_start() -> None:
    chart = TimeChart(
        title="T",
        series=[TimeSeries("", [(0.0, 1), (3600.0, 9), (7200.0, 8)])],
        incomplete=[0.0],
        width=600,
        height=280,
    )
    found = draw_diagram(chart).marks
    [line] = [mark for mark in found if isinstance(mark, Stroke)]
    [ring] = [mark for mark in found if isinstance(mark, Ring)]
    assert ring.x < float(line.path.removeprefix("M").split(" ")[0])
    assert "so far" not in words(found)


def test_a_lone_bucket_that_is_not_over_is_a_ring() -> None:
    chart = TimeChart(title="T", series=[TimeSeries("", [(0.0, 5)])], incomplete=[0.0], width=600, height=280)
    found = draw_diagram(chart).marks
    assert [type(mark) for mark in found if isinstance(mark, Stroke | Dot | Ring)] == [Ring]
    assert "so far" in words(found)


def test_a_bucket_in_which_a_window_of_the_past_ends_is_not_so_far() -> None:
    series = [TimeSeries("", [(0.0, 5), (3600.0, 9), (7200.0, 1)])]
    chart = TimeChart(title="T", series=series, incomplete=[7200.0], is_over=True, width=600, height=280)
    found = draw_diagram(chart).marks
    assert len([mark for mark in found if isinstance(mark, Ring)]) == 1
    assert "so far" not in words(found)


def test_a_ring_has_the_color_of_its_line() -> None:
    series = [TimeSeries("JFK", [(0.0, 5), (3600.0, 9)], palette_key="5")]
    found = draw_diagram(TimeChart(title="T", series=series, incomplete=[3600.0], width=600, height=280)).marks
    assert [mark.paint for mark in found if isinstance(mark, Ring)] == ["s5"]


def test_a_bucket_that_has_not_begun_has_its_room_and_no_mark() -> None:
    chart = TimeChart(
        title="T",
        series=[TimeSeries("", [(0.0, 5), (3600.0, 6), (7200.0, 1), (10800.0, None)])],
        incomplete=[7200.0],
        width=600,
        height=280,
    )
    found = draw_diagram(chart).marks
    [ring] = [mark for mark in found if isinstance(mark, Ring)]
    [dot] = [mark for mark in found if isinstance(mark, Dot)]
    assert ring.x - dot.x == pytest.approx(dot.x - float(stroke_path(found).removeprefix("M").split(" ")[0]), abs=0.2)
    assert ring.x < 500


def stroke_path(found: list[Mark]) -> str:
    [line] = [mark for mark in found if isinstance(mark, Stroke)]
    return line.path


@pytest.mark.parametrize(("chart", "kind"), [("area", Layer), ("line", Stroke), ("bar", Shape), ("pie", Stroke)])
def test_the_chart_of_the_widget_decides(chart: Chart, kind: type) -> None:
    found = marks(chart, "lines")
    assert sum(isinstance(mark, kind) for mark in found) == 4
    assert not any(isinstance(mark, Area) for mark in found)


def test_values_that_are_whole_have_a_whole_axis() -> None:
    found = [mark.text for mark in marks(name="line-few") if isinstance(mark, Text) and mark.anchor == "end"]
    assert found == ["0", "1", "2"]


@pytest.mark.parametrize(("chart", "kind"), [("line", Stroke), ("bar", Shape)])
def test_each_series_has_the_color_of_its_label_and_other_labels_are_gray(chart: Chart, kind: type) -> None:
    paints = [getattr(mark, "paint", "") for mark in marks(chart, "lines-folded") if isinstance(mark, kind)]
    colors = assign_colors([f"/command-{at}" for at in range(8)], {})
    assert [paint[1:] for paint in paints] == [*(str(colors[f"/command-{at}"] - 1) for at in range(8)), "rest"]
    assert "(other)" in words(marks(chart, "lines-folded", width=1000))


def test_a_label_has_the_same_color_beside_others() -> None:
    answer = Multiseries(interval="day", series=series("EWR", "JFK").series[1:])
    (beside, alone) = (color_labels(Config(), each) for each in (series("EWR", "JFK"), answer))
    paints = [
        [mark.paint for mark in draw_diagram(diagram_of(each)).marks if isinstance(mark, Stroke)]
        for each in (beside, alone)
    ]
    assert paints[0][1:] == paints[1]


def test_nine_series_that_fit_are_not_counted() -> None:
    found = marks(name="lines-folded", width=1000)
    assert not any("more" in text for text in words(found))


def test_the_legend_tells_the_whole_window_or_nothing() -> None:
    lines = [
        Series("a", points([399, 4]), total=1_234),
        Series("b", points([5, 7])),
        Series("c", points([8, 9]), total=None),
    ]
    found = words(draw_diagram(diagram_of(Multiseries(interval="day", series=lines))).marks)
    legend = found[found.index("a") : found.index("c") + 1]
    assert legend == ["a", "1,234", "b", "c"]
    assert not {"4", "7", "9"} & set(found[found.index("c") : found.index("c") + 2])


@pytest.mark.parametrize("interval", ["minute", "hour", "day"])
def test_moments_are_those_of_the_time_zone(interval: Interval) -> None:
    midnight = int(datetime(2026, 10, 20, tzinfo=BERLIN).timestamp())
    result = Timeseries(interval=interval, points=points([3, 1, 2] * 14, interval, midnight))
    found = axis(draw_diagram(diagram_of(result)).marks)
    in_utc = axis(draw_diagram(diagram_of(result, timezone="UTC")).marks)
    assert (found[0], in_utc[0]) == {
        "minute": ("20 Oct 2026", "19 Oct 22:00"),
        "hour": ("12:00", "06:00"),
        "day": ("26 Oct 2026", "26 Oct 2026"),
    }[interval]


@pytest.mark.parametrize("chart", ["line", "bar"])
def test_days_stand_at_their_midnights_when_clocks_change(chart: Chart) -> None:
    days = [int(datetime(2026, 10, day, tzinfo=BERLIN).timestamp()) for day in range(22, 30)]
    result = Timeseries(interval="day", points=[points([5], "day", day)[0] for day in days])
    found = axis(draw_diagram(diagram_of(result, Display(chart=chart), width=1000)).marks)
    assert found == ["22 Oct 2026", *(f"{day} Oct" for day in range(23, 30))]


def test_a_narrow_picture_leaves_out_the_year() -> None:
    assert any("2025" in text for text in axis(marks(width=600)))
    narrow = axis(marks(width=330))
    assert len(narrow) >= 3
    assert not any("2025" in text for text in narrow)


def test_a_chart_is_described_in_its_time_zone() -> None:
    midnight = int(datetime(2026, 10, 20, tzinfo=BERLIN).timestamp())
    chart = diagram_of(Timeseries(interval="day", points=points([3, 1.5], "day", midnight)), threshold=2)
    assert isinstance(chart, TimeChart)
    assert draw_diagram(chart).description == (
        "20 Oct 2026 to 21 Oct 2026, from 1.5 to 3; the last value: 1.5; Threshold 2."
    )

"""Which picture an answer has, and that it always has one (rules/pictures#answers)."""

import io
import math
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from harness.builders.answers import MIDNIGHT, RESULTS, points
from harness.builders.diagrams import diagram_of, places
from harness.builders.graphs import DAY
from harness.builders.hostile import KEYS
from harness.oracles.kinds import kind_with
from harness.suite.examples import tries
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.kinds.external.question import External
from tallyroom.dashboards.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.dashboards.kinds.histogram.question import Histogram
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.note.question import Note
from tallyroom.dashboards.kinds.retention.question import Cohort, Retention
from tallyroom.dashboards.kinds.table.question import Table
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.dashboards.registry import KINDS
from tallyroom.images.charts.bars import BarChart
from tallyroom.images.charts.cohorts import GridChart
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.funnel import FunnelChart
from tallyroom.images.charts.heatmap import HeatChart
from tallyroom.images.charts.histogram import HistogramChart
from tallyroom.images.charts.number_chart import NumberChart
from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.charts.time_chart import TimeChart
from tallyroom.images.messages import JOB_DECODER, Picture, PictureFormat
from tallyroom.images.worker import draw_picture
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.buckets import Interval
from tallyroom.queries.config import Display, Result
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.values import Bucket

rasterizer = ResvgRasterizer()
CHARTS: dict[type[Result], type] = {
    Counter: NumberChart,
    Timeseries: TimeChart,
    Categorical: BarChart,
    Multiseries: TimeChart,
    Funnel: FunnelChart,
    Retention: GridChart,
    Heatmap: HeatChart,
    Histogram: HistogramChart,
    Kpi: NumberChart,
}


def asked(result: Result, **more: Any) -> Any:
    said: dict[str, Any] = {"title": "T", "timezone": "UTC", "display": Display(), "format": PictureFormat.SVG} | more
    return build_picture_job(kind_with(result), result, **said)


def test_each_kind_of_widget_has_a_picture_but_tables_and_notes() -> None:
    assert {type(result) for result in RESULTS.values()} == set(CHARTS)
    assert {each for kind in KINDS.values() for each in kind.results} == {*CHARTS, External, Table, Note}
    for result in RESULTS.values():
        assert isinstance(asked(result).diagram, CHARTS[type(result)])
    assert asked(Note(text="a")) is None
    assert asked(Table(columns=[], rows=[])) is None


@pytest.mark.parametrize("format_", PictureFormat)
@pytest.mark.parametrize("name", RESULTS)
def test_a_worker_draws_what_it_is_sent(name: str, format_: PictureFormat) -> None:
    job = asked(RESULTS[name], format=format_, scale=1.5, theme="dark")
    sent = JOB_DECODER.decode(msgspec.msgpack.encode(job))
    picture = draw_picture(sent, rasterizer)
    assert isinstance(picture, Picture)
    assert picture.format is format_
    if format_ is PictureFormat.PNG:
        with Image.open(io.BytesIO(picture.body)) as image:
            assert image.size == (900, round(job.diagram.height * 1.5))
        return
    assert picture == draw_picture(job, rasterizer)
    root = ET.fromstring(picture.body.decode())
    assert (root.get("width"), root.get("height")) == ("600", str(job.diagram.height))


@pytest.mark.parametrize(
    ("name", "height"),
    [("line", 150), ("bars", 150), ("histogram", 150), ("funnel", 289), ("cohorts", 310), ("kpi", 235)],
)
def test_only_plots_and_bars_can_be_lower_than_what_they_say(name: str, height: int) -> None:
    assert asked(RESULTS[name], height=150).diagram.height == height
    assert asked(RESULTS[name], height=700).diagram.height == 700


def test_the_rest_of_a_breakdown_is_named() -> None:
    rows = [LabelRow("acme", 3), LabelRow(None, 2, "none"), LabelRow(None, 1, "other")]
    assert [row.label for row in asked(Categorical(rows=rows)).diagram.rows] == ["acme", "(none)", "(other)"]
    series = [Series("acme", points([3])), Series(None, points([1]), kind="other")]
    lines = asked(Multiseries(interval="day", series=series)).diagram.series
    assert [line.name for line in lines] == ["acme", "(other)"]


def test_no_data_is_a_picture_of_the_usual_size() -> None:
    for kind in ("line", "bars", "heat", "histogram"):
        empty = next(name for name in (f"{kind}-empty", f"{kind}-zero") if name in RESULTS)
        empty = f"{kind}-empty" if f"{kind}-empty" in RESULTS else empty
        drawing = draw_diagram(asked(RESULTS[empty]).diagram)
        assert drawing.description == "No data."
        assert drawing.height >= 180


@pytest.mark.parametrize("incomplete", [[], [0], [7], [0, 7]])
def test_buckets_that_the_window_covers_in_part(incomplete: list[int]) -> None:
    result = Timeseries(interval="day", points=points([1] * 8, partial=incomplete))
    chart = asked(result).diagram
    assert [[at for at, _ in chart.series[0].points].index(moment) for moment in chart.incomplete] == incomplete


def test_marks_say_what_they_are() -> None:
    chart = asked(RESULTS["line"], threshold=1234.5, display=Display(goal=-3.0)).diagram
    assert [(each.value, each.label, each.kind) for each in chart.thresholds] == [
        (1234.5, "Threshold 1,234", "limit"),
        (-3.0, "Goal \N{MINUS SIGN}3", "goal"),
    ]


values = st.one_of(
    st.none(),
    st.integers(-(2**53), 2**53),
    st.floats(-1.7e308, 1.7e308),
    st.sampled_from([0, 1, 2, 1e300, -1e300, 5e-324]),
)
counts = st.one_of(st.integers(0, 9), st.integers(0, 2**53))
texts = st.one_of(st.text(max_size=80), st.sampled_from([str(each) for each in KEYS]))
INTERVALS: list[Interval] = ["minute", "hour", "day"]
intervals = st.sampled_from(INTERVALS)


@st.composite
def over_time(draw: st.DrawFn) -> Result:
    interval, count = draw(intervals), draw(st.integers(0, 40))
    rows = st.lists(values, min_size=count, max_size=count).map(lambda row: points(row, interval))
    since = draw(st.sampled_from(["", iso_ms((MIDNIGHT + 39 * 60) * 1000)]))
    if draw(st.booleans()):
        return Timeseries(interval=interval, points=draw(rows), computed_at=since)
    return Multiseries(
        interval=interval, series=[Series(draw(texts), draw(rows)) for _ in range(draw(st.integers(0, 12)))]
    )


@st.composite
def funnels(draw: st.DrawFn) -> Result:
    found = sorted(draw(st.lists(counts, min_size=2, max_size=8)), reverse=True)
    took = st.one_of(st.none(), st.floats(0, 1e7))
    return Funnel(
        unit_kind="group",
        steps=[
            FunnelStep(
                event=draw(texts), count=each, rate=0, step_rate=0, waiting=0, median_seconds_from_previous=draw(took)
            )
            for each in found
        ],
    )


@st.composite
def retentions(draw: st.DrawFn) -> Result:
    periods = draw(st.integers(2, 12))
    cohorts = []
    for at in range(periods):
        size = draw(counts)
        back = draw(st.lists(st.integers(0, size), min_size=periods - at - 1, max_size=periods - at - 1))
        cohorts.append(Cohort(start=iso_ms((MIDNIGHT + at * 7 * DAY) * 1000), size=size, values=[size, *back]))
    return Retention(granularity=draw(st.sampled_from(["day", "week", "month"])), unit_kind="actor", cohorts=cohorts)


@st.composite
def histograms(draw: st.DrawFn) -> Result:
    edges = sorted(draw(st.sets(st.floats(-1.7e308, 1.7e308), max_size=20)))
    edges = edges * 2 if len(edges) == 1 else edges
    return Histogram(buckets=[Bucket(*each, draw(counts)) for each in pairwise(edges)])


numbers = st.tuples(values, values, st.one_of(st.none(), st.floats(-1e300, 1e300)))
random_results = st.one_of(
    over_time(),
    funnels(),
    retentions(),
    histograms(),
    st.lists(st.builds(LabelRow, texts, values), max_size=30).map(lambda rows: Categorical(rows=rows)),
    st.lists(st.lists(st.one_of(st.none(), counts), min_size=24, max_size=24), min_size=7, max_size=7).map(
        lambda cells: Heatmap(cells=cells)
    ),
    numbers.map(lambda each: Counter(value=each[0], previous=each[1], delta=each[2])),
    st.lists(st.tuples(texts, numbers), min_size=1, max_size=6).map(
        lambda rows: Kpi(items=[KpiNumber(label, *each) for label, each in rows])
    ),
)
displays = st.builds(
    Display,
    chart=st.sampled_from(["line", "bar", "area", "pie", None]),
    goal=st.one_of(st.none(), st.floats(-1.7e308, 1.7e308)),
    good=st.sampled_from(["up", "down", "none", None]),
)


@given(
    random_results,
    displays,
    texts,
    st.sampled_from([320, 330, 600, 1000]),
    st.one_of(st.none(), st.integers(120, 900)),
    st.one_of(st.none(), st.floats(-1.7e308, 1.7e308)),
)
@tries(400)
def test_any_answer_has_a_picture_in_which_everything_is_inside(
    result: Result, display: Display, title: str, width: int, height: int | None, threshold: float | None
) -> None:
    job = asked(result, display=display, title=title, width=width, height=height, threshold=threshold)
    picture = draw_picture(JOB_DECODER.decode(msgspec.msgpack.encode(job)), rasterizer)
    assert isinstance(picture, Picture)
    ET.fromstring(picture.body.decode())
    drawing = draw_diagram(job.diagram)
    for place in places(drawing):
        assert all(map(math.isfinite, place[:4])), place
        assert -1 <= place.left <= place.right <= drawing.width + 1, place
        assert -1 <= place.top <= place.bottom <= drawing.height + 1, place


def test_a_title_is_shortened() -> None:
    assert diagram_of("bars", title="\na\r\nb\x00").title == "a b"
    assert diagram_of("bars", title=" a\x00" + "b" * 300).title == "a" + "b" * 198 + "\N{HORIZONTAL ELLIPSIS}"

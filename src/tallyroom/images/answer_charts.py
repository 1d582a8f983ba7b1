"""The pictures of answers: which chart shows the answer of which widget (rules/pictures#answers)."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import UNSET, structs

from tallyroom.images.charts.bars import BarChart, BarRow, bars_height
from tallyroom.images.charts.cohorts import CohortRow, GridChart, cohorts_height
from tallyroom.images.charts.diagrams import Diagram
from tallyroom.images.charts.funnel import FunnelChart, StepBar, funnel_height
from tallyroom.images.charts.heatmap import HeatChart, heat_height
from tallyroom.images.charts.histogram import HistogramChart, ValueRange
from tallyroom.images.charts.number_chart import NumberChart, ShownNumber, numbers_height
from tallyroom.images.charts.number_format import written
from tallyroom.images.charts.svg import cleaned
from tallyroom.images.charts.thresholds import Threshold
from tallyroom.images.charts.time_chart import TimeChart, TimeSeries
from tallyroom.images.messages import DiagramJob, Format, RenderJob
from tallyroom.images.schemas import ThemeChoice
from tallyroom.queries.breakdown import label_in_words
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Display, Good, Result
from tallyroom.queries.kinds.funnel import Funnel
from tallyroom.queries.kinds.heatmap import Heatmap
from tallyroom.queries.kinds.histogram import Histogram
from tallyroom.queries.kinds.kpi import Kpi
from tallyroom.queries.kinds.retention import Retention
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Timeseries

_HEIGHT, _HEIGHT_OF_WIDE = 280, 340
_WIDE = 800
_MAX_LENGTH = 200
WITHOUT_PICTURE = frozenset({"external", "note", "table"})
"""The types of widgets whose answers have no picture."""

_GOOD: dict[str, Good] = {"up": "up", "down": "down"}


def job_of(  # noqa: PLR0913 # a picture has many sides
    result: Result,
    *,
    title: str,
    timezone: str,
    display: Display,
    format: Format,  # noqa: A002 # as jobs call it
    theme: ThemeChoice = "light",
    width: int = 600,
    height: int | None = None,
    scale: float = 2,
    threshold: float | None = None,
) -> RenderJob | DiagramJob | None:
    """Return the job that draws the answer of a widget; None if such a widget has no picture.

    Args:
        result: the answer.
        title: the title of the widget.
        timezone: the time zone in which it was counted.
        display: how the widget is shown.
        format: of the picture.
        theme: of the picture; only an SVG can have `auto`.
        width: in pixels, 320 to 2,000.
        height: in pixels, 120 to 2,000; None for the height that suits the answer. Only plots and bars can be lower.
        scale: how many pixels of a PNG one pixel becomes.
        threshold: a value to mark, such as the one of an alert.
    """
    diagram = _diagram(result, width, timezone, display, threshold)
    if diagram is None:
        return None
    if height is not None:
        is_elastic = isinstance(diagram, TimeChart | HistogramChart | BarChart)
        diagram = structs.replace(diagram, height=height if is_elastic else max(height, diagram.height))
    return DiagramJob(format, structs.replace(diagram, title=_shortened(title), width=width, theme=theme), scale)


def _diagram(  # noqa: PLR0911 # one for each kind of answer
    result: Result, width: int, timezone: str, display: Display, threshold: float | None
) -> Diagram | None:
    """Return the chart of an answer with its usual height, but without its title."""
    match result:
        case Timeseries() | Multiseries():
            return _over_time(result, width, timezone, display, threshold)
        case Categorical():
            rows = [BarRow(_shortened(label_in_words(row.label, row.kind)), row.value) for row in result.rows]
            return BarChart(title="", height=bars_height(len(rows), width), rows=rows)
        case Funnel():
            return _funnel(result, width)
        case Retention():
            return _cohorts(result, width, ZoneInfo(timezone))
        case Heatmap():
            return HeatChart(title="", height=heat_height(width), cells=result.cells)
        case Histogram():
            ranges = [ValueRange(bucket.from_, bucket.to, bucket.count) for bucket in result.buckets]
            return HistogramChart(title="", height=_height_of_plot(width), ranges=ranges)
        case Counter() | Kpi():
            return _numbers(result, width, display)
        case _:
            return None


def _over_time(
    result: Timeseries | Multiseries, width: int, timezone: str, display: Display, threshold: float | None
) -> TimeChart:
    lines = (
        [("", result.points, result.total)]
        if isinstance(result, Timeseries)
        else [(label_in_words(series.label, series.kind), series.points, series.total) for series in result.series]
    )
    thresholds = [] if threshold is None else [Threshold(threshold, f"Threshold {written(threshold)}")]
    if display.goal is not None:
        thresholds.append(Threshold(display.goal, f"Goal {written(display.goal)}", "goal"))
    return TimeChart(
        title="",
        note=f"per {result.interval}" if timezone == "UTC" else f"per {result.interval}, {timezone}",
        height=_height_of_plot(width),
        series=[
            TimeSeries(_shortened(label), _points(points), None if total is UNSET else total)
            for label, points, total in lines
        ],
        timezone=timezone,
        shape="column" if display.chart == "bar" else "area" if display.chart == "area" else "line",
        thresholds=thresholds,
        incomplete=_incomplete(lines[0][1]) if lines else [],
    )


def _points(points: Sequence[TimePoint]) -> list[tuple[float, float | None]]:
    return [(_moment(point), point.value) for point in points]


def _incomplete(points: Sequence[TimePoint]) -> list[float]:
    """Return the moments of the buckets of which the window has only a part."""
    return [_moment(point) for point in points if point.partial is True]


def _moment(point: TimePoint) -> float:
    return datetime.fromisoformat(point.t).timestamp()


def _funnel(result: Funnel, width: int) -> FunnelChart:
    steps = [StepBar(_shortened(step.event), step.count, step.median_seconds_from_previous) for step in result.steps]
    return FunnelChart(title="", note=f"{result.count}s", height=funnel_height(len(steps), width), steps=steps)


def _cohorts(result: Retention, width: int, zone: ZoneInfo) -> GridChart:
    rows = [
        CohortRow(
            _day(datetime.fromisoformat(cohort.start).astimezone(zone), result.granularity),
            cohort.size,
            cohort.values[1:],
        )
        for cohort in result.cohorts
    ]
    return GridChart(
        title="",
        note=f"{result.count}s by {result.granularity}",
        height=cohorts_height(len(rows), width),
        rows=rows,
        period=f"{result.granularity.capitalize()} 1",
    )


def _day(start: datetime, granularity: str) -> str:
    return f"{start:%b} {start.year}" if granularity == "month" else f"{start.day} {start:%b}"


def _numbers(result: Counter | Kpi, width: int, display: Display) -> NumberChart:
    if isinstance(result, Counter):
        good = _GOOD.get(display.good or "", "none")
        numbers = [ShownNumber("", result.value, result.previous, result.delta, good)]
    else:
        goods = display.goods or ["none"] * len(result.items)
        numbers = [
            ShownNumber(_shortened(number.label), number.value, number.previous, number.delta, good)
            for number, good in zip(result.items, goods, strict=False)
        ]
    return NumberChart(title="", height=numbers_height(len(numbers), width), numbers=numbers)


def _height_of_plot(width: int) -> int:
    return _HEIGHT if width < _WIDE else _HEIGHT_OF_WIDE


def _shortened(text: str) -> str:
    text = cleaned(text).strip()
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1].rstrip() + "\u2026"

"""The pictures of the answers of metrics and formulas (rules/pictures#answers)."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from tallyroom.dashboards.chart_parts import PictureSettings, plot_height, shorten_text
from tallyroom.images.charts.bars import BarChart, BarRow, bars_height
from tallyroom.images.charts.diagrams import Diagram
from tallyroom.images.charts.number_chart import GOAL_HEIGHT, NumberChart, ShownNumber, numbers_height
from tallyroom.images.charts.number_format import format_number
from tallyroom.images.charts.thresholds import Threshold
from tallyroom.images.charts.time_chart import TimeChart, TimeSeries
from tallyroom.queries.breakdown import format_label
from tallyroom.queries.buckets import Interval, TimePoint
from tallyroom.queries.metric_answers import Categorical, Counter, MetricAnswer, Multiseries, Series, Timeseries
from tallyroom.queries.values import Value


class _SeriesLine(NamedTuple):
    """A label, its points, its total if it is known, and its color in the palette."""

    label: str
    points: Sequence[TimePoint]
    total: Value | UnsetType
    palette_key: str | None = None


def build_metric_chart(result: MetricAnswer, settings: PictureSettings) -> Diagram:
    """Return the chart for the shape of an answer: a number, lines or columns over time, or bars."""
    match result:
        case Counter():
            good_direction = settings.display.good or "none"
            number = ShownNumber("", result.value, result.previous, good_direction, settings.display.goal)
            goal_height = 0 if number.goal_progress is None else GOAL_HEIGHT
            height = numbers_height(1, settings.width) + goal_height
            return NumberChart(title="", height=height, numbers=[number], number_form=settings.number_form)
        case Categorical():
            rows = [BarRow(shorten_text(format_label(row.label, row.kind)), row.value) for row in result.rows]
            height = bars_height(len(rows), settings.width)
            return BarChart(title="", height=height, rows=rows, number_form=settings.number_form)
        case Timeseries():
            return _build_time_chart([_SeriesLine("", result.points, result.total)], result.interval, settings)
        case Multiseries():
            lines = [
                _SeriesLine(
                    format_label(series.label, series.kind), series.points, series.total, _choose_palette_key(series)
                )
                for series in result.series
            ]
            return _build_time_chart(lines, result.interval, settings)


def _choose_palette_key(series: Series) -> str | None:
    if series.kind == "other":
        return "rest"
    return None if series.color is UNSET else str(series.color - 1)


def _build_time_chart(lines: Sequence[_SeriesLine], interval: Interval, settings: PictureSettings) -> TimeChart:
    timezone, display = settings.timezone, settings.display
    return TimeChart(
        title="",
        note=f"per {interval}" if timezone == "UTC" else f"per {interval}, {timezone}",
        height=plot_height(settings.width),
        series=[
            TimeSeries(
                shorten_text(line.label),
                [(_to_timestamp_s(point), point.value) for point in line.points],
                None if line.total is UNSET else line.total,
                line.palette_key,
            )
            for line in lines
        ],
        timezone=timezone,
        shape="column" if display.chart == "bar" else "area" if display.chart == "area" else "line",
        is_stacked=display.stack is not False,
        has_zero=display.axis == "zero",
        has_legend=display.legend is not False,
        number_form=settings.number_form,
        thresholds=_build_thresholds(settings),
        incomplete=[_to_timestamp_s(point) for point in lines[0].points if point.partial is True] if lines else [],
    )


def _build_thresholds(settings: PictureSettings) -> list[Threshold]:
    thresholds = []
    if (value := settings.threshold) is not None:
        thresholds.append(Threshold(value, f"Threshold {format_number(value)}"))
    if (goal := settings.display.goal) is not None:
        thresholds.append(Threshold(goal, f"Goal {format_number(goal)}", "goal"))
    return thresholds


def _to_timestamp_s(point: TimePoint) -> float:
    return datetime.fromisoformat(point.t).timestamp()

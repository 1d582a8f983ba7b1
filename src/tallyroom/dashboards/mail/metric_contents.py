"""How mails show the answers of metrics and formulas (rules/digests#email)."""

from collections.abc import Sequence

from tallyroom.dashboards.mail.contents import (
    MAX_ROWS,
    BigNumber,
    MailChart,
    MailContent,
    MailNote,
    MailTable,
    MailWidget,
    format_left_out_rows,
    shorten_cell,
)
from tallyroom.dashboards.mail.numbers import ValueFormatter, add_unit, describe_change, format_full
from tallyroom.dashboards.words import key_name
from tallyroom.images.charts.goals import measure_goal
from tallyroom.queries.breakdown import format_label
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Display
from tallyroom.queries.metric_answers import Categorical, Counter, MetricAnswer, Multiseries, Timeseries


def build_metric_contents(
    widget: MailWidget, result: MetricAnswer, display: Display, column_name: str, format_value: ValueFormatter
) -> list[MailContent]:
    """Return how a mail shows an answer, by its shape; `column_name` heads the column with a breakdown's values."""
    match result:
        case Counter():
            return [_build_big_number(result, display, format_value)]
        case Timeseries() | Multiseries():
            return [MailChart(_describe_chart(widget.name, result))]
        case Categorical():
            return [_build_mail_table(widget, result, column_name, add_unit(format_value, display.unit))]


def _build_big_number(result: Counter, display: Display, format_value: ValueFormatter) -> BigNumber:
    goal = None
    if display.goal is not None and result.value is not None:
        goal = measure_goal(result.value, display.goal, display.good, format_value)
    change = describe_change(result.value, result.previous, display.good, format_value, display.unit)
    return BigNumber("", add_unit(format_value, display.unit)(result.value), change, goal)


def _describe_chart(widget_name: str, result: Timeseries | Multiseries) -> str:
    subject = f"{widget_name} per {result.interval}"
    if isinstance(result, Timeseries):
        return f"{subject}: {_describe_points(result.points)}"
    if not result.series:
        return f"{subject}: no data"
    series_texts = [
        f"{format_label(series.label, series.kind)} {_describe_points(series.points)}" for series in result.series[:3]
    ]
    left_out_count = len(result.series) - len(series_texts)
    return f"{subject}: {'; '.join(series_texts)}" + (f"; and {left_out_count} more" if left_out_count else "")


def _describe_points(points: Sequence[TimePoint]) -> str:
    """Return the range of the whole buckets and the last value; a part of a bucket would look like a fall."""
    if all(point.value is None for point in points):
        return "no data"
    numbers = [point.value for point in points if point.partial is not True and point.value is not None]
    current_points = [point for point in points if point.partial is True and (point is not points[0] or not points[1:])]
    last_text = f"last {format_full(points[-1].value)}"
    if current_points:
        last_text = f"last {format_full(current_points[0].value)} so far"
    return f"{format_full(min(numbers))} to {format_full(max(numbers))}, {last_text}" if numbers else last_text


def _build_mail_table(
    widget: MailWidget, result: Categorical, column_name: str, format_value: ValueFormatter
) -> MailContent:
    if not result.rows:
        return MailNote("No data in this time range.")
    rows = result.rows[:MAX_ROWS]
    max_value = max(abs(row.value or 0) for row in rows) or 1
    return MailTable(
        (key_name(widget.config.breakdown), column_name),
        [(shorten_cell(format_label(row.label, row.kind)), format_value(row.value)) for row in rows],
        (False, True),
        [abs(row.value or 0) / max_value for row in rows],
        format_left_out_rows(len(result.rows) - len(rows)),
    )

"""How mails show the answers of metrics and formulas (rules/digests#email)."""

from collections.abc import Sequence

from msgspec import UNSET

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
from tallyroom.dashboards.mail.numbers import (
    ValueFormatter,
    add_unit,
    describe_change,
    find_goal_progress,
    format_full,
)
from tallyroom.dashboards.words import key_name
from tallyroom.images.charts.number_format import format_percent
from tallyroom.queries.breakdown import format_label
from tallyroom.queries.buckets import TimePoint, find_open_point
from tallyroom.queries.config import Display
from tallyroom.queries.metric_answers import Categorical, Counter, MetricAnswer, Multiseries, Timeseries
from tallyroom.queries.values import Value


def build_metric_contents(
    widget: MailWidget, result: MetricAnswer, display: Display, column_name: str, format_value: ValueFormatter
) -> list[MailContent]:
    """Return how a mail shows an answer, by its shape; `column_name` heads the column with a breakdown's values."""
    match result:
        case Counter():
            goal = find_goal_progress(result.value, display.goal, display.good, format_value)
            return [_build_big_number(result.value, result.previous, display, format_value)._replace(goal=goal)]
        case Timeseries(total=total, compared_total=compared_total) if total is not UNSET:
            previous = None if compared_total is UNSET else compared_total
            number = _build_big_number(total, previous, display, format_value)
            return [number, MailChart(_describe_chart(widget.name, result))]
        case Timeseries() | Multiseries():
            return [MailChart(_describe_chart(widget.name, result))]
        case Categorical():
            return [_build_mail_table(widget, result, column_name, display, format_value)]


def _build_big_number(value: Value, previous: Value, display: Display, format_value: ValueFormatter) -> BigNumber:
    change = describe_change(value, previous, display.good, format_value, display.unit)
    return BigNumber("", add_unit(format_value, display.unit)(value), change)


def _describe_chart(widget_name: str, result: Timeseries | Multiseries) -> str:
    rhythm = f" per {result.interval}"
    subject = widget_name.removesuffix(rhythm) + rhythm
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
    open_point = find_open_point(points)
    last_point = open_point or points[-1]
    part_text = " so far" if open_point else ", partial" if last_point.cut is True else ""
    last_text = f"last {format_full(last_point.value)}{part_text}"
    return f"{format_full(min(numbers))} to {format_full(max(numbers))}, {last_text}" if numbers else last_text


def _build_mail_table(
    widget: MailWidget, result: Categorical, column_name: str, display: Display, format_value: ValueFormatter
) -> MailContent:
    if not result.rows:
        return MailNote("No data in this time range.")
    rows = result.rows[:MAX_ROWS]
    max_value = max(abs(row.value or 0) for row in rows) or 1
    whole = _find_whole(widget, result, display)
    write_value = add_unit(format_value, display.unit)
    cells = [(shorten_cell(format_label(row.label, row.kind)), write_value(row.value)) for row in rows]
    shares = [(format_percent((row.value or 0) / whole),) for row in rows] if whole else [()] * len(rows)
    return MailTable(
        (key_name(widget.config.breakdown), column_name, *(["Share"] if whole else [])),
        [(*texts, *share) for texts, share in zip(cells, shares, strict=True)],
        (False, True, *([True] if whole else [])),
        [abs(row.value or 0) / max_value for row in rows],
        format_left_out_rows(len(result.rows) - len(rows)),
        has_head=False,
    )


def _find_whole(widget: MailWidget, result: Categorical, display: Display) -> float:
    """Return the sum of which rows have shares, as on the dashboard; 0 if their values are not parts of a whole."""
    values = [row.value or 0 for row in result.rows]
    has_all_labels = len(values) < widget.config.limit or any(row.kind == "other" for row in result.rows)
    return sum(values) if display.adds_up and has_all_labels and min(values) >= 0 else 0

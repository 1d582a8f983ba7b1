"""How mails show the answers of metrics and formulas (rules/digests#email)."""

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
from tallyroom.dashboards.mail.numbers import ValueFormatter, describe_change, format_full, format_percent
from tallyroom.dashboards.words import key_name
from tallyroom.queries.breakdown import format_label
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
            return [_build_mail_table(widget, result, column_name, format_value)]


def _build_big_number(result: Counter, display: Display, format_value: ValueFormatter) -> BigNumber:
    goal = ""
    if display.goal is not None and result.value is not None:
        goal = f"Goal: {format_full(display.goal)}"
        if display.goal > 0:
            goal += f", {format_percent(max(result.value, 0) / display.goal)} reached"
    change = describe_change(result.value, result.previous, result.delta, display.good, format_value)
    return BigNumber("", format_value(result.value), change, goal)


def _describe_chart(widget_name: str, result: Timeseries | Multiseries) -> str:
    subject = f"{widget_name} per {result.interval}"
    if isinstance(result, Timeseries):
        return f"{subject}: {_describe_values([point.value for point in result.points])}"
    if not result.series:
        return f"{subject}: no data"
    series_texts = [
        f"{format_label(series.label, series.kind)} {_describe_values([point.value for point in series.points])}"
        for series in result.series[:3]
    ]
    left_out_count = len(result.series) - len(series_texts)
    return f"{subject}: {'; '.join(series_texts)}" + (f"; and {left_out_count} more" if left_out_count else "")


def _describe_values(values: list[int | float | None]) -> str:
    numbers = [value for value in values if value is not None]
    if not numbers:
        return "no data"
    return f"{format_full(min(numbers))} to {format_full(max(numbers))}, last {format_full(values[-1])}"


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

"""What a mail shows of retention: the newest cohorts, and how many came back in the first periods after."""

from tallyroom.dashboards.kinds.retention.question import Cohort, Granularity, Retention
from tallyroom.dashboards.mail.cells import MAX_ROWS
from tallyroom.dashboards.mail.contents import Content, MailChart, MailNote, MailTable, WidgetDetail
from tallyroom.dashboards.mail.dates import short_date
from tallyroom.dashboards.mail.numbers import NO_VALUE, format_full, format_percent

_MAX_PERIODS = 4


def contents(widget: WidgetDetail, result: Retention) -> list[Content]:
    """Return the chart with its table; cohorts are named by the calendar of the widget's time zone."""
    newcomer_count = sum(cohort.size for cohort in result.cohorts if len(cohort.values) > 1)
    returned_count = sum(cohort.values[1] for cohort in result.cohorts if len(cohort.values) > 1)
    if not newcomer_count:
        return [MailNote("Nobody new before the last period.")]
    description = (
        f"{widget.name}: {format_percent(returned_count / newcomer_count)} came back the next {result.granularity}"
    )
    return [MailChart(description, table=_build_table(result, widget.timezone))]


def _build_table(result: Retention, timezone: str) -> MailTable:
    cohorts = result.cohorts[-MAX_ROWS:]
    periods = min(_MAX_PERIODS, len(result.cohorts) - 1)
    head = [result.granularity.capitalize(), "New", *(f"+{number}" for number in range(1, periods + 1))]
    rows = [_build_row(cohort, periods, result.granularity, timezone) for cohort in cohorts]
    left_out = len(result.cohorts) - len(cohorts)
    return MailTable(head, rows, (False, *[True] * (periods + 1)), left_out=_format_older_count(left_out))


def _build_row(cohort: Cohort, periods: int, granularity: Granularity, timezone: str) -> list[str]:
    start = short_date(cohort.start, timezone, whole_month=granularity == "month")
    returned = cohort.values[1 : periods + 1]
    percentages = [format_percent(count / cohort.size) if cohort.size else NO_VALUE for count in returned]
    return [start, format_full(cohort.size), *percentages, *[""] * (periods - len(percentages))]


def _format_older_count(count: int) -> str:
    return f"{count} older on the dashboard" if count else ""

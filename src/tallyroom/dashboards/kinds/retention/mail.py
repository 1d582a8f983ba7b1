"""How a mail shows retention: the newest cohorts, and how many units came back in the first periods after."""

from tallyroom.dashboards.kinds.retention.config import Granularity
from tallyroom.dashboards.kinds.retention.question import Cohort, Retention
from tallyroom.dashboards.mail.contents import MAX_ROWS, MailChart, MailContent, MailNote, MailTable, MailWidget
from tallyroom.dashboards.mail.dates import format_short_date
from tallyroom.dashboards.mail.numbers import NO_VALUE, format_full
from tallyroom.images.charts.number_format import format_percent

_MAX_PERIOD_COUNT = 4


def build_mail_contents(widget: MailWidget, result: Retention) -> list[MailContent]:
    """Return the chart with its table; cohorts are named by the calendar of the widget's time zone."""
    newcomer_count = sum(cohort.size for cohort in result.cohorts if len(cohort.values) > 1)
    returned_count = sum(cohort.values[1] for cohort in result.cohorts if len(cohort.values) > 1)
    if not newcomer_count:
        return [MailNote("No one joined a cohort before the last period.")]
    description = (
        f"{widget.name}: {format_percent(returned_count / newcomer_count)} came back the next {result.granularity}"
    )
    return [MailChart(description, table=_build_table(result, widget.timezone))]


def _build_table(result: Retention, timezone: str) -> MailTable:
    cohorts = result.cohorts[-MAX_ROWS:]
    period_count = min(_MAX_PERIOD_COUNT, len(result.cohorts) - 1)
    column_names = [result.granularity.capitalize(), "New", *(f"+{period}" for period in range(1, period_count + 1))]
    rows = [_build_row(cohort, period_count, result.granularity, timezone) for cohort in cohorts]
    older_count = len(result.cohorts) - len(cohorts)
    left_out_note = f"{older_count} older on the dashboard" if older_count else ""
    return MailTable(column_names, rows, (False, *[True] * (period_count + 1)), left_out_note=left_out_note)


def _build_row(cohort: Cohort, period_count: int, granularity: Granularity, timezone: str) -> list[str]:
    start_text = format_short_date(cohort.start, timezone, is_whole_month=granularity == "month")
    returned_counts = cohort.values[1 : period_count + 1]
    percentages = [format_percent(count / cohort.size) if cohort.size else NO_VALUE for count in returned_counts]
    return [start_text, format_full(cohort.size), *percentages, *[""] * (period_count - len(percentages))]

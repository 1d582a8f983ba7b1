"""The picture of retention: a grid of cohorts and periods."""

from tallyroom.dashboards.chart_parts import PictureSettings
from tallyroom.dashboards.kinds.retention.question import Retention
from tallyroom.dashboards.mail.dates import format_short_date
from tallyroom.images.charts.cohorts import CohortRow, GridChart, cohorts_height


def build_chart(result: Retention, settings: PictureSettings) -> GridChart:
    """Return the chart of an answer."""
    is_monthly = result.granularity == "month"
    rows = [
        CohortRow(
            format_short_date(cohort.start, settings.timezone, is_whole_month=is_monthly),
            cohort.size,
            cohort.values[1:],
        )
        for cohort in result.cohorts
    ]
    return GridChart(
        title="",
        note=f"{result.unit_kind}s by {result.granularity}",
        height=cohorts_height(len(rows), settings.width),
        rows=rows,
        period=f"{result.granularity.capitalize()} 1",
    )

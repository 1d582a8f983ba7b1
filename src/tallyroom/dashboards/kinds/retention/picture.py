"""The picture of retention: a grid of cohorts and periods."""

from datetime import datetime
from zoneinfo import ZoneInfo

from tallyroom.dashboards.chart_parts import PictureSettings
from tallyroom.dashboards.kinds.retention.question import Granularity, Retention
from tallyroom.images.charts.cohorts import CohortRow, GridChart, cohorts_height


def build_chart(result: Retention, settings: PictureSettings) -> GridChart:
    """Return the chart of an answer."""
    zone = ZoneInfo(settings.timezone)
    rows = [
        CohortRow(
            _format_start(datetime.fromisoformat(cohort.start).astimezone(zone), result.granularity),
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


def _format_start(start: datetime, granularity: Granularity) -> str:
    return f"{start:%b} {start.year}" if granularity == "month" else f"{start.day} {start:%b}"

"""How a mail shows a heatmap: the hours of the week, or the days as a table, and the busiest hour."""

from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.dashboards.mail.contents import MailChart, MailContent, MailNote, MailTable, MailWidget
from tallyroom.dashboards.mail.numbers import format_full

_WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def build_mail_contents(widget: MailWidget, result: Heatmap) -> list[MailContent]:
    """Return the chart with its table and the busiest hour."""
    weekday_totals = [sum(hours) for hours in result.cells]
    max_total = max(weekday_totals)
    if not max_total:
        return [MailNote("No events in this time range.")]
    count, negative_weekday, negative_hour = max(
        ((count, -weekday, -hour) for weekday, hours in enumerate(result.cells) for hour, count in enumerate(hours))
    )
    hour_text = f"{-negative_hour:02}:00 to {1 - negative_hour:02}:00"
    busiest = f"Busiest: {_WEEKDAY_NAMES[-negative_weekday]}, {hour_text}, with {format_full(count)}."
    rows = [
        [weekday_name, format_full(total)] for weekday_name, total in zip(_WEEKDAY_NAMES, weekday_totals, strict=True)
    ]
    table = MailTable(("Day", "Events"), rows, (False, True), [total / max_total for total in weekday_totals])
    description = f"{widget.name}: {_WEEKDAY_NAMES[-negative_weekday]} at {-negative_hour:02}:00 is the busiest hour"
    return [MailNote(busiest), MailChart(description, table=table)]

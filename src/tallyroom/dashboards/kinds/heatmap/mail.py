"""How a mail shows a heatmap: the hours of the week, or the days as a table, and the busiest hour."""

from tallyroom.dashboards.kinds.heatmap.question import Heatmap, is_empty
from tallyroom.dashboards.mail.contents import MailChart, MailContent, MailNote, MailTable, MailWidget
from tallyroom.dashboards.mail.numbers import format_full

_WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def build_mail_contents(widget: MailWidget, result: Heatmap) -> list[MailContent]:
    """Return the chart with its table and the busiest hour."""
    if is_empty(result):
        return [MailNote("No events in this time range.")]
    total_by_weekday = {
        weekday_name: sum(count or 0 for count in hours)
        for weekday_name, hours in zip(_WEEKDAY_NAMES, result.cells, strict=True)
        if any(count is not None for count in hours)
    }
    max_total = max(total_by_weekday.values())
    count, negative_weekday, negative_hour = max(
        (count, -weekday, -hour)
        for weekday, hours in enumerate(result.cells)
        for hour, count in enumerate(hours)
        if count is not None
    )
    hour_text = f"{-negative_hour:02}:00 to {1 - negative_hour:02}:00"
    busiest = f"Busiest: {_WEEKDAY_NAMES[-negative_weekday]}, {hour_text}, with {format_full(count)}."
    rows = [[weekday_name, format_full(total)] for weekday_name, total in total_by_weekday.items()]
    bar_lengths = [total / max_total for total in total_by_weekday.values()]
    table = MailTable(("Day", "Events"), rows, (False, True), bar_lengths)
    description = f"{widget.name}: {_WEEKDAY_NAMES[-negative_weekday]} at {-negative_hour:02}:00 is the busiest hour"
    return [MailNote(busiest), MailChart(description, table=table)]

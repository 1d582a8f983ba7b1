"""What a mail shows of a heatmap: the hours of the week, or the days as a table, and the busiest hour."""

from tallyroom.dashboards.kinds.heatmap.question import Heatmap
from tallyroom.dashboards.mail.contents import Content, MailChart, MailNote, MailTable, WidgetDetail
from tallyroom.dashboards.mail.numbers import format_full

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def contents(widget: WidgetDetail, result: Heatmap) -> list[Content]:
    """Return the chart with its table and the busiest hour."""
    totals = [sum(hours) for hours in result.cells]
    highest = max(totals)
    if not highest:
        return [MailNote("No events in this time.")]
    count, day, hour = max(
        ((count, -day, -hour) for day, hours in enumerate(result.cells) for hour, count in enumerate(hours))
    )
    busiest = f"Busiest: {_DAYS[-day]}, {-hour:02}:00 to {1 - hour:02}:00, with {format_full(count)}."
    rows = [[name, format_full(total)] for name, total in zip(_DAYS, totals, strict=True)]
    table = MailTable(("Day", "Events"), rows, (False, True), [total / highest for total in totals])
    description = f"{widget.name}: {_DAYS[-day]} at {-hour:02}:00 is the busiest hour"
    return [MailNote(busiest), MailChart(description, table=table)]

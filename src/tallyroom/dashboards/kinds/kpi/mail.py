"""What a mail shows of a KPI widget: its numbers and their changes."""

from tallyroom.dashboards.kinds.kpi.question import Kpi
from tallyroom.dashboards.mail.contents import BigNumber, Content, WidgetDetail
from tallyroom.dashboards.mail.numbers import choose_formatter, describe_change


def contents(widget: WidgetDetail, result: Kpi) -> list[Content]:
    """Return a number for each item."""
    items = zip(widget.config.items, result.items, map(choose_formatter, widget.config.items), strict=True)
    return [
        BigNumber(
            number.label,
            format_value(number.value),
            describe_change(number.value, number.previous, number.delta, item.good, format_value),
        )
        for item, number, format_value in items
    ]

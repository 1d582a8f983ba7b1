"""How a mail shows a KPI widget: its numbers and their changes."""

from tallyroom.dashboards.kinds.kpi.question import Kpi
from tallyroom.dashboards.mail.contents import BigNumber, MailContent, MailWidget
from tallyroom.dashboards.mail.numbers import choose_formatter, describe_change, find_goal_progress


def build_mail_contents(widget: MailWidget, result: Kpi) -> list[MailContent]:
    """Return a number for each item."""
    display = widget.config.display
    default_good_direction = None if display is None else display.good
    items_numbers_formatters = zip(
        widget.config.items, result.items, map(choose_formatter, widget.config.items), strict=True
    )
    return [
        BigNumber(
            number.label,
            format_value(number.value),
            describe_change(number.value, number.previous, item.good or default_good_direction, format_value),
            find_goal_progress(number.value, item.goal, item.good or default_good_direction, format_value),
        )
        for item, number, format_value in items_numbers_formatters
    ]

"""How a mail shows a KPI widget: its numbers and their changes."""

from tallyroom.dashboards.kinds.kpi.question import Kpi, build_display, list_good_directions
from tallyroom.dashboards.mail.contents import BigNumber, MailContent, MailWidget
from tallyroom.dashboards.mail.numbers import add_unit, choose_formatter, describe_change, find_goal_progress


def build_mail_contents(widget: MailWidget, result: Kpi) -> list[MailContent]:
    """Return a number for each item."""
    display = build_display(widget.config)
    items = widget.config.items
    good_directions = list_good_directions(display, len(result.items))
    parts = zip(items, good_directions, result.items, map(choose_formatter, items), strict=True)
    return [
        BigNumber(
            number.label,
            add_unit(format_value, display.unit)(number.value),
            describe_change(number.value, number.previous, good_direction, format_value, display.unit),
            find_goal_progress(number.value, item.goal, good_direction, format_value),
        )
        for item, good_direction, number, format_value in parts
    ]

"""How a mail shows a KPI widget: its numbers and their changes."""

from tallyroom.dashboards.kinds.kpi.question import Kpi, build_display, list_good_directions
from tallyroom.dashboards.mail.contents import BigNumber, MailContent, MailWidget
from tallyroom.dashboards.mail.numbers import add_unit, choose_formatter, describe_change


def build_mail_contents(widget: MailWidget, result: Kpi) -> list[MailContent]:
    """Return a number for each item."""
    display = build_display(widget.config)
    good_directions = list_good_directions(display, len(result.items))
    directions_numbers_formatters = zip(
        good_directions, result.items, map(choose_formatter, widget.config.items), strict=True
    )
    return [
        BigNumber(
            number.label,
            add_unit(format_value, display.unit)(number.value),
            describe_change(number.value, number.previous, good_direction, format_value, display.unit),
        )
        for good_direction, number, format_value in directions_numbers_formatters
    ]

"""How a mail shows a funnel: its steps, and what happened between them."""

from itertools import pairwise

from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.dashboards.kinds.funnel.picture import build_step_bars
from tallyroom.dashboards.mail.contents import MailContent, MailTable, MailWidget, shorten_cell
from tallyroom.dashboards.mail.numbers import format_full
from tallyroom.images.charts.funnel import describe_loss
from tallyroom.images.charts.number_format import format_percent

_NAME_BY_UNIT_KIND = {"actor": "Actors", "group": "Groups"}


def build_mail_contents(_widget: MailWidget, result: Funnel) -> list[MailContent]:
    """Return the table of steps."""
    rows = [
        (f"{number}. {shorten_cell(step.event)}", format_full(step.count), format_percent(step.rate))
        for number, step in enumerate(result.steps, 1)
    ]
    losses = [describe_loss(step, next_step) for step, next_step in pairwise(build_step_bars(result))]
    return [
        MailTable(
            ("Step", _NAME_BY_UNIT_KIND[result.unit_kind], "Of all"),
            rows,
            (False, True, True),
            [step.rate for step in result.steps],
            row_notes=[*losses, ""],
        )
    ]

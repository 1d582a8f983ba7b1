"""How a mail shows a funnel: its steps, and how long they took."""

from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.dashboards.mail.contents import MailContent, MailNote, MailTable, MailWidget, shorten_cell
from tallyroom.dashboards.mail.numbers import format_full
from tallyroom.images.charts.funnel import describe_waiting
from tallyroom.images.charts.number_format import format_duration, format_percent


def build_mail_contents(_widget: MailWidget, result: Funnel) -> list[MailContent]:
    """Return the table of steps, and a sentence with their median times."""
    rows = [
        (
            f"{number}. {shorten_cell(step.event)}",
            format_full(step.count),
            format_percent(step.rate),
            format_percent(step.step_rate),
        )
        for number, step in enumerate(result.steps, 1)
    ]
    column_names = ("Step", {"actor": "Actors", "group": "Groups"}[result.unit_kind], "Of all", "Of previous")
    median_texts = [
        f"{format_duration(step.median_seconds_from_previous)} to {step.event}"
        for step in result.steps
        if step.median_seconds_from_previous is not None
    ]
    waiting_texts = [f"{describe_waiting(step.waiting)} after {step.event}" for step in result.steps if step.waiting]
    table = MailTable(column_names, rows, (False, True, True, True), [step.rate for step in result.steps])
    notes = [
        *([f"Median time: {'; '.join(median_texts)}."] if median_texts else []),
        *([f"{'; '.join(waiting_texts)}."] if waiting_texts else []),
    ]
    return [table, *map(MailNote, notes)]

"""How a mail shows a funnel: its steps, and how long they took."""

from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.dashboards.mail.contents import MailContent, MailNote, MailTable, MailWidget, shorten_cell
from tallyroom.dashboards.mail.numbers import format_full, format_percent
from tallyroom.images.charts.funnel import describe_waiting

_DURATION_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


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
        f"{_format_duration(step.median_seconds_from_previous)} to {step.event}"
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


def _format_duration(seconds: float) -> str:
    for unit_seconds, unit_name in _DURATION_UNITS:
        if seconds >= unit_seconds:
            return f"{format_full(round(seconds / unit_seconds, 1))} {unit_name}"
    return f"{format_full(round(seconds, 1))} s"

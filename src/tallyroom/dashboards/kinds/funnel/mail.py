"""What a mail shows of a funnel: its steps, and how long they took."""

from tallyroom.dashboards.kinds.funnel.answer import Funnel
from tallyroom.dashboards.mail.cells import shorten_cell
from tallyroom.dashboards.mail.contents import Content, MailNote, MailTable, WidgetDetail
from tallyroom.dashboards.mail.numbers import format_full, format_percent

_SECONDS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def contents(_widget: WidgetDetail, result: Funnel) -> list[Content]:
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
    head = ("Step", {"actor": "Actors", "group": "Groups"}[result.count], "Of all", "Of previous")
    times = [
        f"{_format_duration(step.median_seconds_from_previous)} to {step.event}"
        for step in result.steps
        if step.median_seconds_from_previous is not None
    ]
    table = MailTable(head, rows, (False, True, True, True), [step.rate for step in result.steps])
    return [table, MailNote(f"Median time: {'; '.join(times)}.")] if times else [table]


def _format_duration(seconds: float) -> str:
    for length, unit in _SECONDS:
        if seconds >= length:
            return f"{format_full(round(seconds / length, 1))} {unit}"
    return f"{format_full(round(seconds, 1))} s"

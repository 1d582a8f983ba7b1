"""The part of a mail about one widget, made from its answer."""

from collections.abc import Callable
from typing import Any

import msgspec

from tallyroom.analytics.digests.mail.contents import BigNumber, Content, MailChart, MailNote, MailTable, WidgetPart
from tallyroom.analytics.digests.mail.distributions import heatmap, histogram, retention
from tallyroom.analytics.digests.mail.figures import NO_VALUE, change_of, in_full, percent
from tallyroom.analytics.digests.mail.titles import column_of, key_name, title_of
from tallyroom.engine.config import Result
from tallyroom.engine.kinds.funnel import Funnel
from tallyroom.engine.kinds.heatmap import Heatmap
from tallyroom.engine.kinds.histogram import Histogram
from tallyroom.engine.kinds.kpi import Kpi
from tallyroom.engine.kinds.metric import Categorical, Counter, Multiseries, Timeseries
from tallyroom.engine.kinds.note import Note
from tallyroom.engine.kinds.retention import Retention
from tallyroom.engine.kinds.table import Table

MOST_ROWS = 10
_MOST_COLUMNS = 4
_LONGEST_CELL = 80
_SECONDS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def part_of(title: str, type_: str, config: Any, result: Result) -> WidgetPart:
    """Return what a mail shows of a widget with this answer."""
    named = title_of(title, type_, config)
    show = _SHOWS.get(type(result))
    return WidgetPart(named, show(named, config, result) if show else [MailNote("This widget is on the dashboard.")])


def problem_part(title: str, type_: str, config: Any, problem: str) -> WidgetPart:
    """Return what a mail shows of a widget that has no answer."""
    return WidgetPart(title_of(title, type_, config), [MailNote(problem)])


def _counter(_title: str, config: Any, result: Counter) -> list[Content]:
    goal = ""
    if config.goal is not None and result.value is not None:
        goal = f"Goal: {in_full(config.goal)}"
        if config.goal > 0:
            goal += f", {percent(max(result.value, 0) / config.goal)} of it reached"
    change = change_of(result.value, result.previous, result.delta, config.good)
    return [BigNumber("", in_full(result.value), change, goal)]


def _kpi(_title: str, config: Any, result: Kpi) -> list[Content]:
    return [
        BigNumber(each.label, in_full(each.value), change_of(each.value, each.previous, each.delta, item.good))
        for item, each in zip(config.items, result.items, strict=True)
    ]


def in_words(title: str, result: Timeseries | Multiseries) -> str:
    """Say what a chart over time shows, for who does not see it."""
    what = f"{title} per {result.interval}"
    if isinstance(result, Timeseries):
        return f"{what}: {_course([point.value for point in result.points])}"
    if not result.series:
        return f"{what}: nothing in this time"
    named = [f"{each.label} {_course([point.value for point in each.points])}" for each in result.series[:3]]
    more = len(result.series) - len(named)
    return f"{what}: {'; '.join(named)}" + (f"; and {more} more" if more else "")


def _chart(title: str, _config: Any, result: Timeseries | Multiseries) -> list[Content]:
    return [MailChart(in_words(title, result))]


def _course(values: list[int | float | None]) -> str:
    there = [value for value in values if value is not None]
    if not there:
        return "nothing in this time"
    return f"{in_full(min(there))} to {in_full(max(there))}, last {in_full(values[-1])}"


def _categorical(_title: str, config: Any, result: Categorical) -> list[Content]:
    if not result.rows:
        return [MailNote("Nothing in this time.")]
    shown = result.rows[:MOST_ROWS]
    most = max(abs(row.value or 0) for row in shown) or 1
    return [
        MailTable(
            (key_name(config.breakdown), column_of(config.measure)),
            [(_cell(row.label), in_full(row.value)) for row in shown],
            (False, True),
            [abs(row.value or 0) / most for row in shown],
            _left_out(len(result.rows) - len(shown)),
        )
    ]


def _table(_title: str, _config: Any, result: Table) -> list[Content]:
    if not result.rows:
        return [MailNote("No events in this time.")]
    columns, shown = result.columns[:_MOST_COLUMNS], result.rows[:MOST_ROWS]
    rows = [[_cell(_text(row.values.get(column), column)) for column in columns] for row in shown]
    more = _left_out(len(result.rows) - len(shown))
    if hidden := len(result.columns) - len(columns):
        more = ", ".join(filter(None, [more, f"{hidden} more column{'s' * (hidden > 1)}"]))
    return [MailTable([key_name(column) for column in columns], rows, [False] * len(columns), left_out=more)]


def _text(value: Any, column: str) -> str:
    """Write a value of an event."""
    if isinstance(value, msgspec.Raw):
        value = msgspec.json.decode(value)
    if value is None:
        return NO_VALUE
    if column == "time":
        return str(value)[:16].replace("T", " ") + " UTC"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return in_full(value)
    return msgspec.json.encode(value).decode()


def _cell(text: str) -> str:
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1].rstrip() + "…"


def _left_out(count: int) -> str:
    return f"{count} more row{'s' * (count > 1)}" if count > 0 else ""


def _funnel(_title: str, _config: Any, result: Funnel) -> list[Content]:
    rows = [
        (f"{number}. {_cell(step.event)}", in_full(step.count), percent(step.rate), percent(step.step_rate))
        for number, step in enumerate(result.steps, 1)
    ]
    head = ("Step", {"actor": "Actors", "group": "Groups"}[result.count], "Of all", "Of the last")
    took = [
        f"{_duration(step.median_seconds_from_previous)} to {step.event}"
        for step in result.steps
        if step.median_seconds_from_previous is not None
    ]
    table = MailTable(head, rows, (False, True, True, True), [step.rate for step in result.steps])
    return [table, MailNote(f"Half of them took less than {'; '.join(took)}.")] if took else [table]


def _duration(seconds: float) -> str:
    for length, unit in _SECONDS:
        if seconds >= length:
            return f"{in_full(round(seconds / length, 1))} {unit}"
    return f"{in_full(round(seconds, 1))} s"


_SHOWS: dict[type[Result], Callable[[str, Any, Any], list[Content]]] = {
    Categorical: _categorical,
    Counter: _counter,
    Funnel: _funnel,
    Heatmap: lambda _title, _config, result: heatmap(result),
    Histogram: lambda _title, _config, result: histogram(result),
    Kpi: _kpi,
    Multiseries: _chart,
    Note: lambda _title, _config, result: [MailNote(result.text)],
    Retention: lambda _title, _config, result: retention(result),
    Table: _table,
    Timeseries: _chart,
}
"""How each kind of answer is shown; receives the title of the widget, its config and the answer."""

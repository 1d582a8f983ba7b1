"""The part of a mail about one widget, made from its answer."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from tallyroom.digests.id_names import is_id, is_id_measure
from tallyroom.digests.mail.contents import BigNumber, Content, MailChart, MailNote, MailTable, WidgetPart
from tallyroom.digests.mail.distributions import heatmap, histogram, retention
from tallyroom.digests.mail.numbers import NO_VALUE, Write, as_sent, change_of, in_full, percent
from tallyroom.digests.mail.period import short_time
from tallyroom.digests.mail.titles import column_of, key_name, title_of
from tallyroom.queries.breakdown import label_in_words
from tallyroom.queries.config import Result
from tallyroom.queries.keys import PROPERTY_PREFIX
from tallyroom.queries.kinds.external import External
from tallyroom.queries.kinds.funnel import Funnel
from tallyroom.queries.kinds.heatmap import Heatmap
from tallyroom.queries.kinds.histogram import Histogram
from tallyroom.queries.kinds.kpi import Kpi
from tallyroom.queries.kinds.note import Note
from tallyroom.queries.kinds.retention import Retention
from tallyroom.queries.kinds.table import Table
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Timeseries
from tallyroom.queries.registry import KINDS

MAX_ROWS = 10
_MAX_COLUMNS = 4
_MAX_CELL = 80
_SECONDS = ((86_400, "d"), (3_600, "h"), (60, "min"))


class WidgetDetail(NamedTuple):
    """What is known of a widget beside its answer; times are shown in the time zone."""

    title: str
    type: str
    config: Any
    timezone: str

    @property
    def name(self) -> str:
        """Its title, or what it is about."""
        return title_of(self.title, self.type, self.config)


def part_of(widget: WidgetDetail, result: Result) -> WidgetPart:
    """Return what a mail shows of a widget with this answer."""
    show = _SHOWS.get(type(result))
    contents = show(widget, result) if show else [MailNote("The dashboard shows this widget.")]
    return WidgetPart(widget.name, contents)


def problem_part(widget: WidgetDetail, problem: str) -> WidgetPart:
    """Return what a mail shows of a widget that has no answer."""
    return WidgetPart(widget.name, [MailNote(problem)])


def _counter(widget: WidgetDetail, result: Counter) -> list[Content]:
    goal, display = "", KINDS[widget.type].display(widget.config)
    if display.goal is not None and result.value is not None:
        goal = f"Goal: {in_full(display.goal)}"
        if display.goal > 0:
            goal += f", {percent(max(result.value, 0) / display.goal)} of it reached"
    write = _writer(widget)
    change = change_of(result.value, result.previous, result.delta, display.good, write)
    return [BigNumber("", write(result.value), change, goal)]


def _external(_widget: WidgetDetail, result: External) -> list[Content]:
    if result.value is None:
        return [MailNote("The value could not be fetched.")]
    value = result.value if isinstance(result.value, str) else in_full(result.value)
    old = "It could not be fetched just now; this is the last known value." if result.error else ""
    return [BigNumber("", _cell(value), None, old)]


def _kpi(widget: WidgetDetail, result: Kpi) -> list[Content]:
    items = zip(widget.config.items, result.items, map(_writer_of, widget.config.items), strict=True)
    return [
        BigNumber(
            number.label, write(number.value), change_of(number.value, number.previous, number.delta, item.good, write)
        )
        for item, number, write in items
    ]


def _writer(widget: WidgetDetail) -> Write:
    """Return how the values of a metric or a formula are written."""
    return in_full if widget.type == "formula" else _writer_of(widget.config)


def _writer_of(measure: Any) -> Write:
    return as_sent if is_id_measure(measure.measure, measure.property) else in_full


def in_words(title: str, result: Timeseries | Multiseries) -> str:
    """Say what a chart over time shows, for who does not see it."""
    subject = f"{title} per {result.interval}"
    if isinstance(result, Timeseries):
        return f"{subject}: {_course([point.value for point in result.points])}"
    if not result.series:
        return f"{subject}: nothing in this time"
    courses = [
        f"{label_in_words(series.label, series.kind)} {_course([point.value for point in series.points])}"
        for series in result.series[:3]
    ]
    more = len(result.series) - len(courses)
    return f"{subject}: {'; '.join(courses)}" + (f"; and {more} more" if more else "")


def _chart(widget: WidgetDetail, result: Timeseries | Multiseries) -> list[Content]:
    return [MailChart(in_words(widget.name, result))]


def _course(values: list[int | float | None]) -> str:
    numbers = [value for value in values if value is not None]
    if not numbers:
        return "nothing in this time"
    return f"{in_full(min(numbers))} to {in_full(max(numbers))}, last {in_full(values[-1])}"


def _categorical(widget: WidgetDetail, result: Categorical) -> list[Content]:
    if not result.rows:
        return [MailNote("Nothing in this time.")]
    rows = result.rows[:MAX_ROWS]
    most = max(abs(row.value or 0) for row in rows) or 1
    write = _writer(widget)
    return [
        MailTable(
            (key_name(widget.config.breakdown), column_of(widget.type, widget.config)),
            [(_cell(label_in_words(row.label, row.kind)), write(row.value)) for row in rows],
            (False, True),
            [abs(row.value or 0) / most for row in rows],
            _left_out(len(result.rows) - len(rows)),
        )
    ]


def _table(widget: WidgetDetail, result: Table) -> list[Content]:
    if not result.rows:
        return [MailNote("No events in this time.")]
    columns, result_rows = result.columns[:_MAX_COLUMNS], result.rows[:MAX_ROWS]
    values = [[_value(row.values.get(column)) for column in columns] for row in result_rows]
    rows = [
        [_text(value, column, widget.timezone) for value, column in zip(row, columns, strict=True)] for row in values
    ]
    more = _left_out(len(result.rows) - len(result_rows))
    if hidden_count := len(result.columns) - len(columns):
        more = ", ".join(filter(None, [more, f"{hidden_count} more column{'s' * (hidden_count > 1)}"]))
    are_numbers = [_are_numbers([row[index] for row in values]) for index in range(len(columns))]
    return [MailTable([key_name(column) for column in columns], rows, are_numbers, left_out=more)]


def _value(value: Any) -> Any:
    return msgspec.json.decode(value) if isinstance(value, msgspec.Raw) else value


def _are_numbers(values: list[Any]) -> bool:
    actual_values = [value for value in values if value is not None]
    return bool(actual_values) and all(_is_number(value) for value in actual_values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any, column: str, timezone: str) -> str:
    """Write a value of an event."""
    if value is None:
        return NO_VALUE
    if column == "time":
        return short_time(value, timezone)
    if _is_number(value):
        return as_sent(value) if column.startswith(PROPERTY_PREFIX) and is_id(key_name(column)) else in_full(value)
    return _cell(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _cell(text: str) -> str:
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1].rstrip() + "…"


def _left_out(count: int) -> str:
    return f"{count} more row{'s' * (count > 1)}" if count > 0 else ""


def _funnel(_widget: WidgetDetail, result: Funnel) -> list[Content]:
    rows = [
        (f"{number}. {_cell(step.event)}", in_full(step.count), percent(step.rate), percent(step.step_rate))
        for number, step in enumerate(result.steps, 1)
    ]
    head = ("Step", {"actor": "Actors", "group": "Groups"}[result.count], "Of all", "Of previous")
    took = [
        f"{_duration(step.median_seconds_from_previous)} to {step.event}"
        for step in result.steps
        if step.median_seconds_from_previous is not None
    ]
    table = MailTable(head, rows, (False, True, True, True), [step.rate for step in result.steps])
    return [table, MailNote(f"Median time: {'; '.join(took)}.")] if took else [table]


def _duration(seconds: float) -> str:
    for length, unit in _SECONDS:
        if seconds >= length:
            return f"{in_full(round(seconds / length, 1))} {unit}"
    return f"{in_full(round(seconds, 1))} s"


_SHOWS: dict[type[Result], Callable[[WidgetDetail, Any], list[Content]]] = {
    Categorical: _categorical,
    Counter: _counter,
    External: _external,
    Funnel: _funnel,
    Heatmap: lambda widget, result: heatmap(widget.name, result),
    Histogram: lambda widget, result: histogram(result, as_sent if is_id(widget.config.property) else in_full),
    Kpi: _kpi,
    Multiseries: _chart,
    Note: lambda _widget, result: [MailNote(result.text)],
    Retention: lambda widget, result: retention(widget.name, result, widget.timezone),
    Table: _table,
    Timeseries: _chart,
}
"""How each kind of answer is shown; receives the widget and the answer."""

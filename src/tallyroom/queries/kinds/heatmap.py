"""Heatmap: the hours of the week in which an event happens (rules/questions#heatmap)."""

import msgspec

from tallyroom.core.times import HOUR_MS
from tallyroom.core.timezones import check_timezone
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.clocks import shown_ms
from tallyroom.queries.config import Result
from tallyroom.queries.data_point import Spot, check_form
from tallyroom.queries.event_choice import EventsConfig, check_events, named
from tallyroom.queries.evidence import AT_MS, Evidence
from tallyroom.queries.filters import Filters, check_filters, conditions
from tallyroom.queries.kind import Kind, Path, as_it_is
from tallyroom.queries.query_plan import QueryPlan, rows, scoped_where
from tallyroom.queries.question import Question

DAYS = 7
HOURS = 24

_FIRST_HOUR = 3 * HOURS
"""The hour of the week at 1970-01-01T00:00 local time, a Thursday."""


class HeatmapConfig(EventsConfig, frozen=True, kw_only=True, rename="camel"):
    """Which events; `timezone` is the workspace's when absent."""

    filters: Filters = ()
    timezone: str | None = None


class Heatmap(Result, tag="heatmap", kw_only=True):
    """Counts by day of the week (Monday first) and hour of the day."""

    cells: list[list[int]]


class _Cell(msgspec.Struct):
    """An hour of the week, and what happened in it."""

    hour: int
    counted: int


def check(config: HeatmapConfig, path: Path) -> None:
    """Refuse no events, filters whose values do not fit their operators, and an unknown time zone."""
    check_events(config, path)
    check_filters(config.filters, [*path, "filters"])
    if config.timezone is not None:
        check_timezone(config.timezone, [*path, "timezone"])


def query_plan(config: HeatmapConfig, question: Question) -> QueryPlan[Heatmap]:
    """Count in one pass over the events of the window."""
    bound = Bound()
    where = scoped_where(*_of_events(config, question, bound))
    sql = f"""
SELECT {_hour(config, question, bound)} AS hour, count() AS counted
FROM events
{where}
GROUP BY hour"""
    cell_rows = yield from rows(sql, bound, _Cell)
    cells = [[0] * HOURS for _ in range(DAYS)]
    for cell in cell_rows:
        weekday, hour = divmod(cell.hour, HOURS)
        cells[weekday][hour] = cell.counted
    return Heatmap(cells=cells)


def behind(config: HeatmapConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Find the events behind the whole, or behind a cell."""
    yield from ()
    check_form(spot, (), ("cell",))
    bound = Bound()
    event_conditions = _of_events(config, question, bound)
    if isinstance(spot.cell, tuple):
        weekday, hour = spot.cell
        event_conditions.append(f"{_hour(config, question, bound)} = {bound.integer('hour', weekday * HOURS + hour)}")
    where = scoped_where("actor != ''", *event_conditions)
    return Evidence(f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{where}", bound)


def _of_events(config: HeatmapConfig, question: Question, bound: Bound) -> list[str]:
    return [
        *named(config, bound),
        question.window.condition(bound),
        *conditions((*config.filters, *question.filters), bound),
    ]


def _hour(config: HeatmapConfig, question: Question, bound: Bound) -> str:
    """Return SQL for the hour of the week, from 0, at which an event happened."""
    zone = question.timezone if question.has_one_clock else config.timezone or question.timezone
    local_ms = shown_ms(question.window.from_ms, question.window.until_ms, zone, bound)
    hours = f"intDiv({local_ms}, {bound.integer('hour_ms', HOUR_MS)})"
    return f"({hours} + {_FIRST_HOUR}) % {DAYS * HOURS}"


HEATMAP = Kind(
    name="heatmap",
    config=HeatmapConfig,
    results=(Heatmap,),
    check=check,
    query_plan=query_plan,
    published=as_it_is,
    behind=behind,
)

"""Heatmap: the hours of the week in which an event happens (rules/questions#heatmap)."""

from collections.abc import Iterator
from itertools import product
from zoneinfo import ZoneInfo

import msgspec

from tallyroom.core.times import HOUR_MS, MINUTE_MS
from tallyroom.core.timezones import check_timezone
from tallyroom.queries.calendar import local_time
from tallyroom.queries.cells import COUNT, SlicedRows, cell_columns, count_cells
from tallyroom.queries.clocks import local_ms_sql
from tallyroom.queries.config import Result
from tallyroom.queries.data_point import DataPoint, check_data_point, check_data_point_names_a_part
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.event_choice import EventsConfig, check_event_choice, event_conditions
from tallyroom.queries.evidence import AT_MS, EvidenceQuery
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.kind import Path
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows_or_slices, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.slices import TIME_MARK, SlicedQuery, slice_by_day
from tallyroom.queries.units import choose_unit
from tallyroom.queries.window import Window

DAYS_PER_WEEK = 7
HOURS_PER_DAY = 24

_EPOCH_HOUR_OF_WEEK = 3 * HOURS_PER_DAY  # 1970-01-01 was a Thursday
_WHOLE_WEEK_MS = 8 * HOURS_PER_DAY * HOUR_MS  # long enough to have each hour of the week, even if clocks change
_CLOCK_STEP_MS = 15 * MINUTE_MS  # an hour of any zone's clock begins at a multiple of it


class HeatmapConfig(EventsConfig, frozen=True, kw_only=True, rename="camel"):
    """Which events; `timezone` is the workspace's by default."""

    filters: Filters = ()
    timezone: str | None = None


class Heatmap(Result, tag="heatmap", kw_only=True):
    """Counts by day of the week (Monday first) and hour of the day; None for an hour outside of the window."""

    cells: list[list[int | None]]


class _HourRow(msgspec.Struct):
    hour_of_week: int = msgspec.field(name="hour")
    event_count: int = msgspec.field(name="counted")


def check_config(config: HeatmapConfig, path: Path) -> None:
    """Refuse a config without events, invalid filters, and an unknown time zone."""
    check_event_choice(config, path)
    check_filters(config.filters, [*path, "filters"])
    if config.timezone is not None:
        check_timezone(config.timezone, [*path, "timezone"])


def build_query_plan(config: HeatmapConfig, question: Question) -> QueryPlan[Heatmap]:
    """Count in one pass over the events of the window."""
    parameters = QueryParameters()
    where_sql = scoped_where(*_build_conditions(config, question, parameters))
    sql = f"""
SELECT {_build_hour_sql(config, question, parameters)} AS hour, count() AS counted
FROM events
{where_sql}
GROUP BY hour"""
    answer_rows = yield from query_rows_or_slices(sql, parameters, _HourRow, _build_sliced_query(config, question))
    hour_rows = _add_up(answer_rows) if isinstance(answer_rows, SlicedRows) else answer_rows
    cells: list[list[int | None]] = [[None] * HOURS_PER_DAY for _ in range(DAYS_PER_WEEK)]
    for weekday, hour in _list_covered_hours(question, _timezone_of(config, question)):
        cells[weekday][hour] = 0
    for hour_row in hour_rows:
        weekday, hour = divmod(hour_row.hour_of_week, HOURS_PER_DAY)
        cells[weekday][hour] = hour_row.event_count
    return Heatmap(cells=cells)


def find_evidence_query(config: HeatmapConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Find the events behind the total or a cell."""
    yield from ()
    check_data_point(data_point, (), ("cell",))
    parameters = QueryParameters()
    conditions = _build_conditions(config, question, parameters)
    cell_condition = _build_cell_condition(config, question, data_point, parameters)
    where_sql = scoped_where("actor != ''", *conditions, cell_condition)
    return EvidenceQuery(f"SELECT actor AS unit, {AT_MS} AS at_ms\nFROM events\n{where_sql}", parameters)


def find_contrast(config: HeatmapConfig, question: Question, data_point: DataPoint) -> QueryPlan[Contrast]:
    """Find the events of a cell among all events of the heatmap."""
    yield from ()
    check_data_point_names_a_part(data_point)
    check_data_point(data_point, ("cell",))
    parameters = QueryParameters()
    return Contrast(
        conditions=_build_conditions(config, question, parameters),
        is_behind_sql=_build_cell_condition(config, question, data_point, parameters),
        parameters=parameters,
        unit=choose_unit("actor", question, parameters),
    )


def is_empty(result: Heatmap) -> bool:
    """Return True if no hour has an event."""
    return not any(map(any, result.cells))


def _build_sliced_query(config: HeatmapConfig, question: Question) -> SlicedQuery:
    parameters = QueryParameters()
    where_sql = scoped_where(*_build_conditions(config, question, parameters, TIME_MARK))
    columns_sql = cell_columns([COUNT], bucket_sql=_build_hour_sql(config, question, parameters))
    sql = f"SELECT {columns_sql}\nFROM events\n{where_sql}\nGROUP BY slice, bucket"
    return slice_by_day(sql, parameters, [question.window])


def _add_up(sliced_rows: SlicedRows) -> list[_HourRow]:
    return [_HourRow(key.bucket, event_count) for key, event_count in count_cells(sliced_rows).items()]


def _build_conditions(
    config: HeatmapConfig, question: Question, parameters: QueryParameters, time_sql: str | None = None
) -> list[str]:
    return [
        *event_conditions(config, parameters),
        time_sql or question.window.condition(parameters),
        *filter_conditions((*config.filters, *question.filters), parameters),
    ]


def _build_cell_condition(
    config: HeatmapConfig, question: Question, data_point: DataPoint, parameters: QueryParameters
) -> str:
    if not isinstance(data_point.cell, tuple):
        return "1"
    weekday, hour = data_point.cell
    hour_placeholder = parameters.bind_integer("hour", weekday * HOURS_PER_DAY + hour)
    return f"{_build_hour_sql(config, question, parameters)} = {hour_placeholder}"


def _list_covered_hours(question: Question, timezone: str) -> Iterator[tuple[int, int]]:
    """Yield the weekdays and hours that a question's window has up to now."""
    window = Window(question.window.from_ms, min(question.window.until_ms, question.now_ms))
    if window.until_ms - window.from_ms >= _WHOLE_WEEK_MS:
        yield from product(range(DAYS_PER_WEEK), range(HOURS_PER_DAY))
        return
    zone = ZoneInfo(timezone)
    first_step_ms = window.from_ms // _CLOCK_STEP_MS * _CLOCK_STEP_MS
    for moment_ms in range(first_step_ms, window.until_ms + 1, _CLOCK_STEP_MS):
        clock = local_time(moment_ms, zone)
        yield clock.weekday(), clock.hour


def _timezone_of(config: HeatmapConfig, question: Question) -> str:
    return question.timezone if question.has_fixed_timezone else config.timezone or question.timezone


def _build_hour_sql(config: HeatmapConfig, question: Question, parameters: QueryParameters) -> str:
    timezone = _timezone_of(config, question)
    local_time_sql = local_ms_sql(question.window.from_ms, question.window.until_ms, timezone, parameters)
    local_hours_sql = f"intDiv({local_time_sql}, {parameters.bind_integer('hour_ms', HOUR_MS)})"
    return f"({local_hours_sql} + {_EPOCH_HOUR_OF_WEEK}) % {DAYS_PER_WEEK * HOURS_PER_DAY}"

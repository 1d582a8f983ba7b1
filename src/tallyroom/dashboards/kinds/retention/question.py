"""Retention: how many of each period's newcomers come back in later periods (rules/questions#retention).

The grid covers the last periods up to now, whatever range a dashboard shows. A unit is a newcomer only once, so the
query searches the whole history for the cohort event. It passes the start of each period to the store, which needs to
know nothing about weeks, months or daylight saving time.
"""

from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from tallyroom.core.times import iso_ms
from tallyroom.queries.calendar import day_start_ms, first_day_of_period, local_time
from tallyroom.queries.config import EventName, Result, SegmentedConfig
from tallyroom.queries.data_point import DataPoint, check_data_point, refuse_data_point
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.kind import Path
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import Unit, UnitKind, choose_unit
from tallyroom.queries.window import Window, timestamp_sql

Granularity = Literal["day", "week", "month"]


class RetentionConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """Which event makes a newcomer, and which one shows that it came back.

    Attributes:
        cohort_event: the first one that a unit ever has decides its cohort.
        return_event: the cohort event when absent.
        granularity: of the periods; weeks start on Monday.
        periods: how many the grid has, the one that is not over included.
        count: what comes back.
        cohort_filters: what the cohort event has to match.
        return_filters: what the return event has to match.
    """

    cohort_event: EventName
    return_event: EventName | None = None
    granularity: Granularity = "day"
    periods: Annotated[int, Meta(ge=2, le=12)] = 8
    count: UnitKind = "actor"
    cohort_filters: Filters = ()
    return_filters: Filters = ()


class Cohort(msgspec.Struct, kw_only=True):
    """The newcomers of one period.

    Attributes:
        start: when the period began, UTC.
        size: how many units came.
        values: `size`, then how many of them had a return event in each period after, up to now.
    """

    start: str
    size: int
    values: list[int]


class Retention(Result, tag="retention", kw_only=True):
    """The cohorts, oldest first; `count` is what was really counted."""

    granularity: Granularity
    count: UnitKind
    cohorts: list[Cohort]


class _CohortRow(msgspec.Struct):
    cohort: int
    size: int
    returned: list[int]


def check(config: RetentionConfig, path: Path) -> None:
    """Refuse filters whose values do not fit their operators."""
    check_filters(config.cohort_filters, [*path, "cohortFilters"])
    check_filters(config.return_filters, [*path, "returnFilters"])


def query_plan(config: RetentionConfig, question: Question) -> QueryPlan[Retention]:
    """Make one pass over the cohort events of all time and the return events of the grid.

    For each unit it keeps the time of the first cohort event, and one bit for each period with a return event; period 0
    is all the time before the grid.
    """
    parameters = QueryParameters()
    unit = choose_unit(config.count, question, parameters)
    starts = _list_period_starts(question.now_ms, question.timezone, config)
    cohort_rows = yield from query_rows(_build_sql(config, question, unit, starts, parameters), parameters, _CohortRow)
    return Retention(granularity=config.granularity, count=unit.kind, cohorts=_build_cohorts(starts, cohort_rows))


def covered_window(_config: RetentionConfig, question: Question) -> Window:
    """Include all time: a unit is a newcomer only once."""
    return Window(0, question.now_ms)


def shown_from_ms(result: Retention, _question: Question) -> int:
    """Return where the grid begins, whatever time range a dashboard shows."""
    return round(datetime.fromisoformat(result.cohorts[0].start).timestamp() * 1000)


def is_empty(result: Retention) -> bool:
    """Return True if no cohort has newcomers."""
    return not any(cohort.size for cohort in result.cohorts)


def _build_sql(
    config: RetentionConfig, question: Question, unit: Unit, starts: list[int], parameters: QueryParameters
) -> str:
    starts_sql = parameters.integers("starts_ms", starts)
    return f"""
SELECT
  arrayCount(start -> start <= first_ms, {starts_sql}) AS cohort,
  count() AS size,
  sumForEach(arrayMap(period -> bitTest(periods, period), range(1, 1 + length({starts_sql})))) AS returned
FROM (
  SELECT
    minIf(at_ms, is_cohort) AS first_ms,
    groupBitOrIf(bitShiftLeft(toUInt16(1), arrayCount(start -> start <= at_ms, {starts_sql})), is_return) AS periods
  FROM (
    {_build_events_sql(config, question, unit, starts[0], parameters)}
  )
  GROUP BY unit
)
GROUP BY cohort
HAVING cohort > 0"""


def _build_events_sql(
    config: RetentionConfig, question: Question, unit: Unit, from_ms: int, parameters: QueryParameters
) -> str:
    """Return SQL for the cohort events of all time, and the return events since the grid begins."""
    is_cohort, is_return = (
        _build_cohort_condition(config, parameters),
        _build_return_condition(config, from_ms, parameters),
    )
    where = scoped_where(
        f"timestamp <= {timestamp_sql('until_ms', question.now_ms, parameters)}",
        f"({is_cohort} OR {is_return})",
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    )
    return f"""SELECT
      {unit.sql} AS unit,
      toUnixTimestamp64Milli(timestamp) AS at_ms,
      {is_cohort} AS is_cohort,
      {is_return} AS is_return
    FROM events
    {where}"""


def drill_down(config: RetentionConfig, question: Question, data_point: DataPoint) -> QueryPlan[Evidence]:
    """Find the events of a cohort's units in one period: cohort events in the first, return events in the others."""
    yield from ()
    check_data_point(data_point, ("cohort", "period"))
    starts = _list_period_starts(question.now_ms, question.timezone, config)
    cohort_index, period = _find_cohort_period(data_point, starts)
    parameters = QueryParameters()
    unit = choose_unit(config.count, question, parameters)
    is_newcomer, is_counted = (
        _build_period_condition(index, starts, question, parameters) for index in (cohort_index, cohort_index + period)
    )
    sql = f"""
SELECT unit, arrayJoin(moments) AS at_ms
FROM (
  SELECT
    unit,
    minIf(at_ms, is_cohort) AS first_ms,
    groupArrayIf(at_ms, {"is_return" if period else "is_cohort"} AND at_ms {is_counted}) AS moments
  FROM (
    {_build_events_sql(config, question, unit, starts[0], parameters)}
  )
  GROUP BY unit
)
WHERE first_ms {is_newcomer}"""
    return Evidence(sql.strip(), parameters, unit.kind)


def _find_cohort_period(data_point: DataPoint, starts: list[int]) -> tuple[int, int]:
    """Return the index of the cohort, and the period after it."""
    times = [iso_ms(start) for start in starts]
    if data_point.cohort not in times:
        raise refuse_data_point("cohort", "is not the start of a cohort of this answer")
    cohort = times.index(data_point.cohort)
    if not isinstance(data_point.period, int) or cohort + data_point.period >= len(starts):
        raise refuse_data_point("period", f"has not begun; this cohort has periods 0 to {len(starts) - 1 - cohort}")
    return cohort, data_point.period


def _build_period_condition(
    period_index: int, starts_ms: list[int], question: Question, parameters: QueryParameters
) -> str:
    """Return the SQL that compares a time with the start and the end of a period."""
    ends_ms = [*starts_ms[1:], question.now_ms + 1]
    first_ms = parameters.integer("from_ms", starts_ms[period_index])
    last_ms = parameters.integer("last_ms", ends_ms[period_index] - 1)
    return f"BETWEEN {first_ms} AND {last_ms}"


def _build_cohort_condition(config: RetentionConfig, parameters: QueryParameters) -> str:
    name = parameters.text("cohort_event", config.cohort_event)
    return " AND ".join([f"name = {name}", *filter_conditions(config.cohort_filters, parameters)])


def _build_return_condition(config: RetentionConfig, from_ms: int, parameters: QueryParameters) -> str:
    name = parameters.text("return_event", config.return_event or config.cohort_event)
    since = f"timestamp >= {timestamp_sql('from_ms', from_ms, parameters)}"
    return " AND ".join([f"name = {name}", since, *filter_conditions(config.return_filters, parameters)])


def _build_cohorts(starts: list[int], cohort_rows: list[_CohortRow]) -> list[Cohort]:
    sizes = {row.cohort: row.size for row in cohort_rows}
    returns = {row.cohort: row.returned for row in cohort_rows}
    no_returns = [0] * len(starts)
    return [
        Cohort(
            start=iso_ms(start),
            size=sizes.get(cohort, 0),
            values=[sizes.get(cohort, 0), *returns.get(cohort, no_returns)[cohort:]],
        )
        for cohort, start in enumerate(starts, start=1)
    ]


def _list_period_starts(until_ms: int, timezone: str, config: RetentionConfig) -> list[int]:
    """Return the first millisecond of each period of the grid, oldest first; the last period contains `until_ms`."""
    zone = ZoneInfo(timezone)
    today = local_time(until_ms, zone).date()
    return [
        day_start_ms(first_day_of_period(today, config.granularity, periods_back), zone)
        for periods_back in reversed(range(config.periods))
    ]

"""Retention: how many of each period's newcomers come back in later periods (rules/questions#retention).

The grid covers the last periods up to now, whatever range a dashboard shows. A unit is a newcomer only once, so the
query searches the whole history for the cohort event. It passes the start of each period to the store, which needs to
know nothing about weeks, months or daylight saving time.
"""

from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from tallyroom.core.times import iso_ms
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.calendar import day_start, first_day, local_time
from tallyroom.queries.config import EventName, Result, SegmentedConfig
from tallyroom.queries.data_point import Spot, check_form, no_such
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.filters import Filters, check_filters, conditions
from tallyroom.queries.kind import Kind, Path, as_it_is
from tallyroom.queries.query_plan import QueryPlan, rows, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import Count, Unit, unit_of
from tallyroom.queries.window import Window, instant

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
    count: Count = "actor"
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
    count: Count
    cohorts: list[Cohort]


class _Cohort(msgspec.Struct):
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
    bound = Bound()
    unit = unit_of(config.count, question, bound)
    starts = _starts(question.now_ms, question.timezone, config)
    cohort_rows = yield from rows(_sql(config, question, unit, starts, bound), bound, _Cohort)
    return Retention(granularity=config.granularity, count=unit.count, cohorts=_cohorts(starts, cohort_rows))


def _sql(config: RetentionConfig, question: Question, unit: Unit, starts: list[int], bound: Bound) -> str:
    begins = bound.integers("starts_ms", starts)
    return f"""
SELECT
  arrayCount(start -> start <= first_ms, {begins}) AS cohort,
  count() AS size,
  sumForEach(arrayMap(period -> bitTest(periods, period), range(1, 1 + length({begins})))) AS returned
FROM (
  SELECT
    minIf(at_ms, is_cohort) AS first_ms,
    groupBitOrIf(bitShiftLeft(toUInt16(1), arrayCount(start -> start <= at_ms, {begins})), is_return) AS periods
  FROM (
    {_events(config, question, unit, starts[0], bound)}
  )
  GROUP BY unit
)
GROUP BY cohort
HAVING cohort > 0"""


def _events(config: RetentionConfig, question: Question, unit: Unit, from_ms: int, bound: Bound) -> str:
    """Return SQL for the cohort events of all time, and the return events since the grid begins."""
    is_cohort, is_return = _is_cohort(config, bound), _is_return(config, from_ms, bound)
    where = scoped_where(
        f"timestamp <= {instant('until_ms', question.now_ms, bound)}",
        f"({is_cohort} OR {is_return})",
        unit.present,
        *conditions(question.filters, bound),
    )
    return f"""SELECT
      {unit.sql} AS unit,
      toUnixTimestamp64Milli(timestamp) AS at_ms,
      {is_cohort} AS is_cohort,
      {is_return} AS is_return
    FROM events
    {where}"""


def behind(config: RetentionConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Find the events of a cohort's units in one period: cohort events in the first, return events in the others."""
    yield from ()
    check_form(spot, ("cohort", "period"))
    starts = _starts(question.now_ms, question.timezone, config)
    cohort, period = _found(spot, starts)
    bound = Bound()
    unit = unit_of(config.count, question, bound)
    came, counts = (_during(index, starts, question, bound) for index in (cohort, cohort + period))
    sql = f"""
SELECT unit, arrayJoin(moments) AS at_ms
FROM (
  SELECT
    unit,
    minIf(at_ms, is_cohort) AS first_ms,
    groupArrayIf(at_ms, {"is_return" if period else "is_cohort"} AND at_ms {counts}) AS moments
  FROM (
    {_events(config, question, unit, starts[0], bound)}
  )
  GROUP BY unit
)
WHERE first_ms {came}"""
    return Evidence(sql.strip(), bound, unit.count)


def _found(spot: Spot, starts: list[int]) -> tuple[int, int]:
    """Return the index of the cohort, and the period after it."""
    times = [iso_ms(start) for start in starts]
    if spot.cohort not in times:
        raise no_such("cohort", "is not the start of a cohort of this answer")
    cohort = times.index(spot.cohort)
    if not isinstance(spot.period, int) or cohort + spot.period >= len(starts):
        raise no_such("period", f"has not begun; this cohort has periods 0 to {len(starts) - 1 - cohort}")
    return cohort, spot.period


def _during(period: int, starts: list[int], question: Question, bound: Bound) -> str:
    """Return the SQL that compares a time with the start and the end of a period."""
    ends = [*starts[1:], question.now_ms + 1]
    return f"BETWEEN {bound.integer('from_ms', starts[period])} AND {bound.integer('last_ms', ends[period] - 1)}"


def _is_cohort(config: RetentionConfig, bound: Bound) -> str:
    name = bound.text("cohort_event", config.cohort_event)
    return " AND ".join([f"name = {name}", *conditions(config.cohort_filters, bound)])


def _is_return(config: RetentionConfig, from_ms: int, bound: Bound) -> str:
    name = bound.text("return_event", config.return_event or config.cohort_event)
    since = f"timestamp >= {instant('from_ms', from_ms, bound)}"
    return " AND ".join([f"name = {name}", since, *conditions(config.return_filters, bound)])


def _cohorts(starts: list[int], cohort_rows: list[_Cohort]) -> list[Cohort]:
    sizes = {row.cohort: row.size for row in cohort_rows}
    returns = {row.cohort: row.returned for row in cohort_rows}
    nobody = [0] * len(starts)
    return [
        Cohort(
            start=iso_ms(start),
            size=sizes.get(cohort, 0),
            values=[sizes.get(cohort, 0), *returns.get(cohort, nobody)[cohort:]],
        )
        for cohort, start in enumerate(starts, start=1)
    ]


def _starts(until_ms: int, timezone: str, config: RetentionConfig) -> list[int]:
    """Return the first millisecond of each period of the grid, oldest first; the last period contains `until_ms`."""
    zone = ZoneInfo(timezone)
    today = local_time(until_ms, zone).date()
    backs = reversed(range(config.periods))
    return [day_start(first_day(today, config.granularity, back), zone) for back in backs]


RETENTION = Kind(
    name="retention",
    config=RetentionConfig,
    results=(Retention,),
    check=check,
    query_plan=query_plan,
    published=as_it_is,
    behind=behind,
    covers=lambda _config, question: Window(0, question.now_ms),
)

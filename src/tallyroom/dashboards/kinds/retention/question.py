"""Retention: how many of each period's newcomers come back in later periods (rules/questions#retention).

The grid covers the last periods up to now, independent of the dashboard's time range. A unit is a newcomer only once,
so the query searches the whole history. It passes the start of each period to the store.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

from tallyroom.core.times import iso_ms
from tallyroom.dashboards.kinds.retention.config import Granularity, RetentionConfig
from tallyroom.dashboards.kinds.retention.events import build_events_sql
from tallyroom.dashboards.kinds.retention.kept_form import build_state_query, count_returns
from tallyroom.queries.calendar import day_start_ms, first_day_of_period, local_time
from tallyroom.queries.config import Result
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows_or_states
from tallyroom.queries.question import Question
from tallyroom.queries.state_queries import StateCounts
from tallyroom.queries.units import Unit, UnitKind, choose_unit
from tallyroom.queries.window import Window


class Cohort(msgspec.Struct, kw_only=True):
    """The cohort of the period from `start`, UTC; `values` has `size`, then how many came back in each later period."""

    start: str
    size: int
    values: list[int]


class Retention(Result, tag="retention", kw_only=True):
    """The cohorts, oldest first; `count` is the unit that was counted."""

    granularity: Granularity
    unit_kind: UnitKind = msgspec.field(name="count")
    cohorts: list[Cohort]


class _CohortRow(msgspec.Struct):
    cohort_number: int = msgspec.field(name="cohort")
    size: int
    returned_counts: list[int] = msgspec.field(name="returned")


def build_query_plan(config: RetentionConfig, question: Question) -> QueryPlan[Retention]:
    """Read the cohort events of all time and the return events of the grid in one pass.

    Each unit has the time of its first cohort event, and one bit for each period with a return event; 0 is before the
    grid. These are its state, which later events only add to.
    """
    parameters = QueryParameters()
    unit = choose_unit(config.unit_kind, question, parameters)
    starts_ms = list_period_starts_ms(question.now_ms, question.timezone, config)
    sql = _build_sql(config, question, unit, starts_ms, parameters)
    state_query = build_state_query(config, question, starts_ms)
    answer_rows = yield from query_rows_or_states(sql, parameters, _CohortRow, state_query)
    if isinstance(answer_rows, StateCounts):
        count_by_state = answer_rows.count_by_state
        answer_rows = [
            _CohortRow(number, size, returned_counts)
            for number, (size, returned_counts) in count_returns(count_by_state, len(starts_ms)).items()
        ]
    cohorts = _build_cohorts(starts_ms, answer_rows)
    return Retention(granularity=config.granularity, unit_kind=unit.kind, cohorts=cohorts)


def find_covered_window(_config: RetentionConfig, question: Question) -> Window:
    """Include all time: a unit is a newcomer only once."""
    return Window(0, question.now_ms)


def find_shown_from_ms(result: Retention, _question: Question) -> int:
    """Return the start of the grid, which is independent of the dashboard's time range."""
    return round(datetime.fromisoformat(result.cohorts[0].start).timestamp() * 1000)


def is_empty(result: Retention) -> bool:
    """Return True if no cohort has newcomers."""
    return not any(cohort.size for cohort in result.cohorts)


def _build_sql(
    config: RetentionConfig, question: Question, unit: Unit, starts_ms: list[int], parameters: QueryParameters
) -> str:
    starts_sql = parameters.bind_integers("starts_ms", starts_ms)
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
    {build_events_sql(config, question, unit, starts_ms[0], parameters)}
  )
  GROUP BY unit
)
GROUP BY cohort
HAVING cohort > 0"""


def _build_cohorts(starts_ms: list[int], cohort_rows: list[_CohortRow]) -> list[Cohort]:
    row_by_number = {row.cohort_number: row for row in cohort_rows}
    empty_row = _CohortRow(cohort_number=0, size=0, returned_counts=[0] * len(starts_ms))
    rows = [row_by_number.get(cohort_number, empty_row) for cohort_number in range(1, len(starts_ms) + 1)]
    return [
        Cohort(start=iso_ms(start_ms), size=row.size, values=[row.size, *row.returned_counts[cohort_number:]])
        for cohort_number, (start_ms, row) in enumerate(zip(starts_ms, rows, strict=True), start=1)
    ]


def list_period_starts_ms(until_ms: int, timezone: str, config: RetentionConfig) -> list[int]:
    """Return the first millisecond of each period of the grid, oldest first; the last period contains `until_ms`."""
    zone = ZoneInfo(timezone)
    current_date = local_time(until_ms, zone).date()
    return [
        day_start_ms(first_day_of_period(current_date, config.granularity, periods_back), zone)
        for periods_back in reversed(range(config.periods))
    ]

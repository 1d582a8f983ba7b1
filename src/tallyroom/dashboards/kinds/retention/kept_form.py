"""Retention in a form that is kept: the state of each unit, which later events only add to."""

from collections.abc import Mapping

from tallyroom.dashboards.kinds.retention.config import RetentionConfig
from tallyroom.dashboards.kinds.retention.events import build_events_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question
from tallyroom.queries.slices import TIME_MARK
from tallyroom.queries.state_queries import StateQuery
from tallyroom.queries.units import choose_unit
from tallyroom.queries.window import Window

_PERIOD_BITS = 16  # of a state, for at most 13 periods
_NO_COHORT = 15  # for a unit without a cohort event; there are at most 12 cohorts


def build_state_query(config: RetentionConfig, question: Question, starts_ms: list[int]) -> StateQuery:
    """Return the same question by state: the number of the cohort, and the bits of the periods below it."""
    parameters = QueryParameters()
    unit = choose_unit(config.unit_kind, question, parameters)
    starts_sql = parameters.bind_integers("starts_ms", starts_ms)
    cohort_sql = f"arrayCount(start -> start <= minIf(at_ms, is_cohort), {starts_sql})"
    units_sql = f"""
SELECT
  unit,
  bitShiftLeft(toUInt64(if(countIf(is_cohort) = 0, {_NO_COHORT}, {cohort_sql})), {_PERIOD_BITS})
    + groupBitOrIf(bitShiftLeft(toUInt64(1), arrayCount(start -> start <= at_ms, {starts_sql})), is_return) AS state
FROM (
    {build_events_sql(config, question, unit, starts_ms[0], parameters, TIME_MARK)}
)
GROUP BY unit"""
    return StateQuery(
        units_sql=units_sql.strip(),
        parameters=parameters.values,
        window=Window(0, question.now_ms),
        merge_states=merge_states,
    )


def merge_states(state: int, other_state: int) -> int:
    """Return the earlier cohort of both, with the periods of both."""
    cohort_number = min(state >> _PERIOD_BITS, other_state >> _PERIOD_BITS)
    return cohort_number << _PERIOD_BITS | (state | other_state) & (1 << _PERIOD_BITS) - 1


def count_returns(count_by_state: Mapping[int, int], period_count: int) -> dict[int, tuple[int, list[int]]]:
    """Return the size of each cohort by its number, and how many of its units returned in each period of the grid."""
    size_by_number: dict[int, int] = {}
    returned_counts_by_number: dict[int, list[int]] = {}
    for state, count in count_by_state.items():
        cohort_number = state >> _PERIOD_BITS
        if not 0 < cohort_number < _NO_COHORT:
            continue
        size_by_number[cohort_number] = size_by_number.get(cohort_number, 0) + count
        returned_counts = returned_counts_by_number.setdefault(cohort_number, [0] * period_count)
        for period in range(period_count):
            returned_counts[period] += count * (state >> period + 1 & 1)
    return {number: (size, returned_counts_by_number[number]) for number, size in size_by_number.items()}

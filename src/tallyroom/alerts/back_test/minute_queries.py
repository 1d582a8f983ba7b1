"""SQL for the minutes from which the windows of a back-test are built.

Minutes are numbered by their ends, from 1970-01-01 UTC: the beat at `t` sees the events in ``(t - 1 min, t]``.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.core.times import MINUTE_MS
from tallyroom.queries.aggregate import Aggregate
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.event_choice import event_conditions
from tallyroom.queries.filters import filter_conditions
from tallyroom.queries.measures import MeasureSql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.window import time_condition

_MINUTE_SQL = f"toInt64(intDiv(toUnixTimestamp64Milli(timestamp) + {MINUTE_MS - 1}, {MINUTE_MS}))"
_MINUTES_PER_ROW = 1440  # the rows of an answer are limited, so each has the minutes of a day


class MinuteRange(NamedTuple):
    """The minutes from `first_minute` to `last_minute`, both included, and the length of the window that each ends."""

    first_minute: int
    last_minute: int
    window_minutes: int

    @property
    def earliest_minute(self) -> int:
        """The first minute whose events are in one of the windows."""
        return self.first_minute - self.window_minutes + 1


def build_minute_query(
    measure: MeasureSql, counted_measure: CountedMeasure, minute_range: MinuteRange, parameters: QueryParameters
) -> str:
    """Return SQL for the number of events of each minute that has some, and the measure over them."""
    return _group_by_day(
        f"""
SELECT {_MINUTE_SQL} AS minute, count() AS counted, {measure.aggregate_sql()} AS cell
FROM events
{_build_where(counted_measure, minute_range, parameters)}
GROUP BY minute""",
        "groupArray(minute) AS counted_minutes",
        "groupArray(counted) AS counts",
    )


def build_distinct_query(
    measure: Aggregate, counted_measure: CountedMeasure, minute_range: MinuteRange, parameters: QueryParameters
) -> str:
    """Return SQL for the change of a distinct count from each window to the next.

    A value counts in every window that has one of its minutes. Where these windows join, the count rises by one at the
    beginning of the first and falls by one at the end of the last.
    """
    window_sql = parameters.bind_integer("window", minute_range.window_minutes)
    distinct_value = (
        f"arrayJoin({measure.argument_sql})" if measure.function == "uniqExactArray" else measure.argument_sql
    )
    value_conditions = [measure.condition_sql] if measure.condition_sql else []
    stretches = f"""
SELECT arraySort(groupUniqArray({_MINUTE_SQL})) AS minutes,
  arrayPushFront(arrayPopBack(minutes), minutes[1] - {window_sql}) AS before,
  arrayPushBack(arrayPopFront(minutes), minutes[-1] + {window_sql}) AS after,
  arrayFilter((minute, other) -> minute - other >= {window_sql}, minutes, before) AS begins,
  arrayFilter((minute, other) -> other - minute >= {window_sql}, minutes, after) AS ends
FROM events
{_build_where(counted_measure, minute_range, parameters, *value_conditions)}
GROUP BY {distinct_value}"""
    return _group_by_day(
        f"""
SELECT change.1 AS minute, toFloat64(sum(change.2)) AS cell
FROM (
SELECT arrayJoin(arrayConcat(
  arrayMap(minute -> (minute, 1), begins), arrayMap(minute -> (minute + {window_sql}, -1), ends))) AS change
FROM ({stretches})
)
GROUP BY minute"""
    )


def build_quantile_query(
    measure: Aggregate, counted_measure: CountedMeasure, minute_range: MinuteRange, parameters: QueryParameters
) -> str:
    """Return SQL for a quantile of the window at the end of each minute, even of a minute without events."""
    first_sql = parameters.bind_integer("first", minute_range.earliest_minute)
    end_sql = parameters.bind_integer("end", minute_range.last_minute + 1)
    quantile = f"quantileExactInclusiveOrNullArray{measure.level}"
    return _group_by_day(
        f"""
SELECT minute, ifNotFinite({quantile}(numbers) OVER (
  ORDER BY minute ROWS BETWEEN {minute_range.window_minutes - 1} PRECEDING AND CURRENT ROW), NULL) AS cell
FROM (
SELECT minute, groupArrayArray(held) AS numbers
FROM (
SELECT {_MINUTE_SQL} AS minute, groupArray({measure.argument_sql}) AS held
FROM events
{_build_where(counted_measure, minute_range, parameters, measure.condition_sql)}
GROUP BY minute
UNION ALL
SELECT arrayJoin(range({first_sql}, {end_sql})) AS minute, emptyArrayFloat64() AS held
)
GROUP BY minute
)"""
    )


def _group_by_day(sql: str, *more_columns: str) -> str:
    """Return SQL with a row of lists for each day; separate lists are read ten times as fast as a list of pairs."""
    return f"""
SELECT {", ".join(["groupArrayIf(minute, cell IS NOT NULL) AS minutes", "groupArray(cell) AS cells", *more_columns])}
FROM ({sql}
)
GROUP BY intDiv(minute, {_MINUTES_PER_ROW})"""


def _build_where(
    counted_measure: CountedMeasure, minute_range: MinuteRange, parameters: QueryParameters, *more_conditions: str
) -> str:
    since_ms, until_ms = (minute_range.earliest_minute - 1) * MINUTE_MS + 1, minute_range.last_minute * MINUTE_MS
    clauses: Sequence[str] = [
        *event_conditions(counted_measure, parameters),
        *filter_conditions(counted_measure.filters, parameters),
        *more_conditions,
    ]
    return scoped_where(time_condition(since_ms, until_ms, parameters), *clauses)

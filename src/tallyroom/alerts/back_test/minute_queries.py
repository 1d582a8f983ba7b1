"""SQL for what the windows of a back-test are made of, minute by minute.

An event belongs to the minute at whose end a beat first sees it: the beat at `t` sees the events in ``(t - 1 min, t]``.
Minutes are numbered by their ends, from 1970-01-01 UTC.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.core.times import MINUTE_MS
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.compared_numbers import CountedMeasure
from tallyroom.queries.event_choice import named
from tallyroom.queries.filters import conditions
from tallyroom.queries.measures import Aggregate, ComputedMeasure
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.window import between

_MINUTE = f"toInt64(intDiv(toUnixTimestamp64Milli(timestamp) + {MINUTE_MS - 1}, {MINUTE_MS}))"
_MINUTES_A_ROW = 1440  # the rows of an answer are limited, so each has the minutes of a day


class MinuteRange(NamedTuple):
    """The minutes from `first` to `last`, both included, and the length of the window that ends with each of them."""

    first: int
    last: int
    window: int

    @property
    def earliest(self) -> int:
        """The first minute whose events are in one of the windows."""
        return self.first - self.window + 1


def in_minutes(measure: ComputedMeasure, metric: CountedMeasure, time_range: MinuteRange, bound: Bound) -> str:
    """Return SQL for the number of events of each minute that has some, and the measure over them."""
    return _by_day(
        f"""
SELECT {_MINUTE} AS minute, count() AS counted, {measure.over_events()} AS cell
FROM events
{_where(metric, time_range, bound)}
GROUP BY minute""",
        "groupArray(minute) AS counted_minutes",
        "groupArray(counted) AS counts",
    )


def distinct_changes(measure: Aggregate, metric: CountedMeasure, time_range: MinuteRange, bound: Bound) -> str:
    """Return SQL for the change of a distinct count from each window to the next.

    A value counts in every window that reaches back to one of its minutes. These windows join into stretches: at the
    beginning of each, the count rises by one, and at its end it falls by one.
    """
    window = bound.integer("window", time_range.window)
    one = f"arrayJoin({measure.argument})" if measure.function == "uniqExactArray" else measure.argument
    value_conditions = [measure.condition] if measure.condition else []
    stretches = f"""
SELECT arraySort(groupUniqArray({_MINUTE})) AS minutes,
  arrayPushFront(arrayPopBack(minutes), minutes[1] - {window}) AS before,
  arrayPushBack(arrayPopFront(minutes), minutes[-1] + {window}) AS after,
  arrayFilter((minute, other) -> minute - other >= {window}, minutes, before) AS begins,
  arrayFilter((minute, other) -> other - minute >= {window}, minutes, after) AS ends
FROM events
{_where(metric, time_range, bound, *value_conditions)}
GROUP BY {one}"""
    return _by_day(
        f"""
SELECT change.1 AS minute, toFloat64(sum(change.2)) AS cell
FROM (
SELECT arrayJoin(arrayConcat(
  arrayMap(minute -> (minute, 1), begins), arrayMap(minute -> (minute + {window}, -1), ends))) AS change
FROM ({stretches})
)
GROUP BY minute"""
    )


def window_quantiles(measure: Aggregate, metric: CountedMeasure, time_range: MinuteRange, bound: Bound) -> str:
    """Return SQL for a quantile of the window at the end of each minute, with or without events of its own."""
    first, end = bound.integer("first", time_range.earliest), bound.integer("end", time_range.last + 1)
    quantile = f"quantileExactInclusiveOrNullArray{measure.level}"
    return _by_day(
        f"""
SELECT minute, ifNotFinite({quantile}(numbers) OVER (
  ORDER BY minute ROWS BETWEEN {time_range.window - 1} PRECEDING AND CURRENT ROW), NULL) AS cell
FROM (
SELECT minute, groupArrayArray(held) AS numbers
FROM (
SELECT {_MINUTE} AS minute, groupArray({measure.argument}) AS held
FROM events
{_where(metric, time_range, bound, measure.condition)}
GROUP BY minute
UNION ALL
SELECT arrayJoin(range({first}, {end})) AS minute, emptyArrayFloat64() AS held
)
GROUP BY minute
)"""
    )


def _by_day(sql: str, *further: str) -> str:
    """Return SQL with a row for each day: the minutes that have a cell, their cells, and what else was asked for.

    As lists side by side, they are read ten times as fast as a list of pairs.
    """
    return f"""
SELECT {", ".join(["groupArrayIf(minute, cell IS NOT NULL) AS minutes", "groupArray(cell) AS cells", *further])}
FROM ({sql}
)
GROUP BY intDiv(minute, {_MINUTES_A_ROW})"""


def _where(metric: CountedMeasure, time_range: MinuteRange, bound: Bound, *further: str) -> str:
    since_ms, until_ms = (time_range.earliest - 1) * MINUTE_MS + 1, time_range.last * MINUTE_MS
    clauses: Sequence[str] = [*named(metric, bound), *conditions(metric.filters, bound), *further]
    return scoped_where(between(since_ms, until_ms, bound), *clauses)

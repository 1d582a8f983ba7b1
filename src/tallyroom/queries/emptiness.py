"""Whether an answer shows nothing, so that its reader may wonder why."""

from collections.abc import Callable, Iterable
from typing import Any

from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Result
from tallyroom.queries.kinds.funnel import Funnel
from tallyroom.queries.kinds.heatmap import Heatmap
from tallyroom.queries.kinds.histogram import Histogram
from tallyroom.queries.kinds.kpi import Kpi
from tallyroom.queries.kinds.retention import Retention
from tallyroom.queries.kinds.table import Table
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Timeseries


def is_empty(result: Result) -> bool:
    """Return True if all numbers of an answer are 0 or missing, or one of the numbers of a KPI widget is."""
    check = _CHECKS.get(type(result))
    return check is not None and check(result)


def _has_values(points: Iterable[TimePoint]) -> bool:
    return any(point.value for point in points)


_CHECKS: dict[type[Result], Callable[[Any], bool]] = {
    Categorical: lambda result: not any(row.value for row in result.rows),
    Counter: lambda result: not result.value,
    Funnel: lambda result: not result.steps[0].count,
    Heatmap: lambda result: not any(map(any, result.cells)),
    Histogram: lambda result: not result.buckets,
    Kpi: lambda result: not all(item.value for item in result.items),
    Multiseries: lambda result: not any(_has_values(series.points) for series in result.series),
    Retention: lambda result: not any(cohort.size for cohort in result.cohorts),
    Table: lambda result: not result.rows,
    Timeseries: lambda result: not _has_values(result.points),
}
"""For each kind of answer that is about events, whether it is empty."""

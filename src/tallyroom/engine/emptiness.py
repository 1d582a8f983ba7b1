"""Whether an answer shows nothing, so that its reader may wonder why."""

from tallyroom.engine.config import Result
from tallyroom.engine.kinds.funnel import Funnel
from tallyroom.engine.kinds.heatmap import Heatmap
from tallyroom.engine.kinds.histogram import Histogram
from tallyroom.engine.kinds.kpi import Kpi
from tallyroom.engine.kinds.table import Table
from tallyroom.engine.metric_answers import Categorical, Counter, Multiseries, Timeseries


def is_empty(result: Result) -> bool:  # noqa: PLR0911 # one for each kind of answer
    """Return True if all numbers of an answer are 0 or missing, or one of the numbers of a KPI widget is."""
    match result:
        case Counter():
            return not result.value
        case Kpi():
            return not all(item.value for item in result.items)
        case Timeseries():
            return not any(point.value for point in result.points)
        case Categorical():
            return not any(row.value for row in result.rows)
        case Multiseries():
            return not result.series
        case Funnel():
            return not result.steps[0].count
        case Histogram():
            return not result.buckets
        case Heatmap():
            return not any(map(any, result.cells))
        case Table():
            return not result.rows
        case _:
            return False

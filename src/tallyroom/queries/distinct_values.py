"""The number of distinct values in some windows, in a form from which the numbers of later windows follow.

Only the time of the last event with a value matters: the value is in a window that ends later if this event is not
before the window's start. So a window that moves on costs no more than the events at its two ends.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallyroom.queries.aggregate import Aggregate
from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.measures import build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.row_binary import RowBinaryReader
from tallyroom.queries.slices import TIME_MARK
from tallyroom.queries.window import Window
from tallyroom.queries.window_queries import PART_MARK, DistinctQuery

MAX_KEPT_VALUES = 250_000  # of each window; 16 bytes each


class PartValues(NamedTuple):
    """The values of one part of the time: their number, their hashes in order, and the time of the last event of each.

    The two arrays have at most `MAX_KEPT_VALUES` entries.
    """

    start_ms: int
    value_count: int
    hashes: "array[int]"
    last_ms: "array[int]"


def build_distinct_query(metric: CountedMeasure, question: Question, windows: Sequence[Window]) -> DistinctQuery:
    """Return the query for a measure that counts distinct values, over windows that are in order and disjoint.

    A hash and a time are packed into one integer, because the store is slow at sorting tuples.
    """
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{metric.measure} does not count distinct values")
    conditions = [TIME_MARK, *metric_conditions(metric, question, parameters)]
    if measure.condition_sql:
        conditions.append(measure.condition_sql)
    sql = f"""
SELECT part, count() AS counted,
  arraySort(groupArray({MAX_KEPT_VALUES})(bitShiftLeft(toUInt128(hash), 64) + toUInt64(last_ms))) AS packed
FROM (
  SELECT {PART_MARK} AS part, sipHash64({measure.each_value_sql()}) AS hash,
    max(toUnixTimestamp64Milli(timestamp)) AS last_ms
  FROM events
  {scoped_where(*conditions)}
  GROUP BY part, hash
)
GROUP BY part"""
    return DistinctQuery(sql=sql.strip(), parameters=parameters.values, windows=windows)


def read_part_values(answer: bytes) -> Iterator[PartValues]:
    """Read the answer to a `DistinctQuery`."""
    reader = RowBinaryReader(answer)
    while reader.has_more:
        yield PartValues(reader.read_integer(), reader.read_integer(), *reader.read_pairs())

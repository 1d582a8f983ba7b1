"""The median of all numbers in some windows, from the sorted numbers of parts of the time.

It is computed as the store does, to the last bit. Other quantiles are not: the last bit of theirs depends on how a
processor multiplies and adds, while half of a difference is exact.
"""

import math
import struct
from array import array
from bisect import bisect_right
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
from tallyroom.queries.window_queries import PART_MARK, MedianQuery

MAX_KEPT_NUMBERS = 300_000  # of each part, and of all parts of all windows; 8 bytes each

_INTEGER, _DOUBLE = struct.Struct("<q"), struct.Struct("<d")
_RANK_OF_INFINITY = 0x7FF0_0000_0000_0000


class PartNumbers(NamedTuple):
    """How many numbers a part of the time has, and up to `MAX_KEPT_NUMBERS` of them in ascending order."""

    start_ms: int
    number_count: int
    numbers: "array[float]"


def build_median_query(metric: CountedMeasure, question: Question, windows: Sequence[Window]) -> MedianQuery:
    """Return the query for the measure `median`, over windows that are in order and disjoint."""
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{metric.measure} is not a median")
    where_sql = scoped_where(TIME_MARK, *metric_conditions(metric, question, parameters), measure.condition_sql)
    sql = f"""
SELECT {PART_MARK} AS part, count() AS counted,
  arraySort(groupArray({MAX_KEPT_NUMBERS})({measure.argument_sql})) AS in_order
FROM events
{where_sql}
GROUP BY part"""
    return MedianQuery(sql=sql.strip(), parameters=parameters.values, windows=windows)


def read_part_numbers(answer: bytes) -> Iterator[PartNumbers]:
    """Read the answer to a `MedianQuery`."""
    reader = RowBinaryReader(answer)
    while reader.has_more:
        yield PartNumbers(reader.read_integer(), reader.read_integer(), reader.read_doubles())


def find_median(parts: "Sequence[array[float]]") -> float | None:
    """Return the median of the numbers of all parts, each in ascending order; None if it is not finite."""
    count = sum(map(len, parts))
    if not count:
        return None
    lower, upper = _find_number(parts, (count - 1) // 2), _find_number(parts, count // 2)
    median = lower + 0.5 * (upper - lower)
    return median if math.isfinite(median) else None


def find_middle(numbers: Sequence[int]) -> float | None:
    """Return the median of integers in ascending order, as the store computes it; None if there are none."""
    if not numbers:
        return None
    lower, upper = numbers[(len(numbers) - 1) // 2], numbers[len(numbers) // 2]
    return lower + 0.5 * (upper - lower)


def _find_number(parts: "Sequence[array[float]]", index: int) -> float:
    """Return the number at an index in the order of all numbers, by bisecting all doubles."""
    lowest, highest = -_RANK_OF_INFINITY, _RANK_OF_INFINITY
    while lowest < highest:
        middle = (lowest + highest) // 2
        limit = _double_of_rank(middle)
        if sum(bisect_right(part, limit) for part in parts) > index:
            highest = middle
        else:
            lowest = middle + 1
    return _double_of_rank(lowest) + 0.0  # -0 is 0


def _double_of_rank(rank: int) -> float:
    """Return the double at a place in the order of all doubles, in which zero has the rank 0."""
    [double] = _DOUBLE.unpack(_INTEGER.pack(abs(rank)))
    return math.copysign(double, rank)

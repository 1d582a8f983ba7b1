"""The median of all numbers in some windows, from the sorted numbers of parts of the time.

If there are very many, only those near the median are read; of the others, it is enough to know how many are below and
above. The median is computed as the store does, to the last bit. Other quantiles are not: the last bit of theirs
depends on how a processor multiplies and adds, while half of a difference is exact.
"""

import math
import struct
from array import array
from bisect import bisect_right
from collections.abc import Sequence
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
from tallyroom.queries.window_queries import HIGHEST_MARK, LOWEST_MARK, PART_MARK, MedianQuery

MAX_KEPT_NUMBERS = 300_000  # of each part, and of all parts of all windows; 8 bytes each

# How far from the median a band may reach, as shares of all numbers, and how much the store's estimate is off at most.
_DISTANCES = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)
_MAX_ERROR = 0.001
_ESTIMATE_SQL = "quantilesGK(1000, {levels})(number)".format(
    levels=", ".join(f"{0.5 - distance:g}, {0.5 + distance:g}" for distance in _DISTANCES)
)
_INTEGER, _DOUBLE = struct.Struct("<q"), struct.Struct("<d")
_RANK_OF_INFINITY = 0x7FF0_0000_0000_0000


class Band(NamedTuple):
    """The numbers to read, both ends inclusive."""

    lowest: float
    highest: float


ALL_NUMBERS = Band(-math.inf, math.inf)


class BandNumbers(NamedTuple):
    """Up to `MAX_KEPT_NUMBERS` numbers of a band in ascending order, and how many others are below and above it."""

    below_count: int
    above_count: int
    numbers: "array[float]"


NO_NUMBERS = BandNumbers(0, 0, array("d"))


class OutsideBand(Exception):  # it is not about an error
    """The median is not among the numbers of the band."""


def build_median_query(metric: CountedMeasure, question: Question, windows: Sequence[Window]) -> MedianQuery:
    """Return the query for the measure `median`, over windows that are in order and disjoint."""
    parameters = QueryParameters()
    measure = build_measure(metric.measure, metric.property, parameters)
    if not isinstance(measure, Aggregate):
        raise TypeError(f"{metric.measure} is not a median")
    where_sql = scoped_where(TIME_MARK, *metric_conditions(metric, question, parameters), measure.condition_sql)
    columns_sql = f"""countIf(number < {LOWEST_MARK}) AS below, countIf(number > {HIGHEST_MARK}) AS above,
  arraySort(groupArrayIf({MAX_KEPT_NUMBERS})(number, number BETWEEN {LOWEST_MARK} AND {HIGHEST_MARK})) AS in_order"""
    return MedianQuery(
        sql=_build_parts_sql(measure, columns_sql, where_sql),
        spread_sql=_build_parts_sql(measure, f"count() AS counted, {_ESTIMATE_SQL} AS estimates", where_sql),
        parameters=parameters.values,
        windows=windows,
    )


def _build_parts_sql(measure: Aggregate, columns_sql: str, where_sql: str) -> str:
    return f"""
SELECT {PART_MARK} AS part, {columns_sql}
FROM (SELECT timestamp, {measure.argument_sql} AS number FROM events
{where_sql})
GROUP BY part""".strip()


def read_part_numbers(answer: bytes) -> dict[int, BandNumbers]:
    """Read the answer to a `MedianQuery`; return the numbers of each part by its start."""
    reader = RowBinaryReader(answer)
    numbers_by_start: dict[int, BandNumbers] = {}
    while reader.has_more:
        start_ms = reader.read_integer()
        numbers_by_start[start_ms] = BandNumbers(reader.read_integer(), reader.read_integer(), reader.read_doubles())
    return numbers_by_start


def choose_band(answer: bytes) -> Band | None:
    """Return a band around the medians of all windows, from the answer to `spread_sql`.

    It has about half of the numbers that may be kept. None means that there are too many even near the medians.
    """
    reader, estimates_by_count = RowBinaryReader(answer), []
    while reader.has_more:
        reader.read_integer()
        estimates_by_count.append((reader.read_integer(), reader.read_doubles()))
    count = sum(window_count for window_count, _ in estimates_by_count)
    if count <= MAX_KEPT_NUMBERS:
        return ALL_NUMBERS
    for index, distance in enumerate(_DISTANCES):
        if 2 * (distance + _MAX_ERROR) * count <= MAX_KEPT_NUMBERS / 2:
            lowest = min(estimates[2 * index] for _, estimates in estimates_by_count)
            highest = max(estimates[2 * index + 1] for _, estimates in estimates_by_count)
            return Band(lowest, highest)
    return None


def find_median(parts: Sequence[BandNumbers]) -> float | None:
    """Return the median of the numbers of all parts; None if it is not finite. Raises `OutsideBand`."""
    count_in_band, below_count = sum(len(part.numbers) for part in parts), sum(part.below_count for part in parts)
    count = below_count + count_in_band + sum(part.above_count for part in parts)
    if not count:
        return None
    lower_index, upper_index = (count - 1) // 2 - below_count, count // 2 - below_count
    if lower_index < 0 or upper_index >= count_in_band:
        raise OutsideBand
    arrays = [part.numbers for part in parts]
    lower, upper = _find_number(arrays, lower_index), _find_number(arrays, upper_index)
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

"""Quantiles of a histogram that only says how many values fell between which bounds."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from opentelemetry.proto.metrics.v1.metrics_pb2 import ExponentialHistogramDataPoint, HistogramDataPoint


class Bucket(NamedTuple):
    """How many values (`held`) are above `low` and at most `high`."""

    low: float
    high: float
    held: int


class Distribution:
    """Values in buckets, from the least to the greatest.

    Args:
        buckets: those that hold a value.
        least: the least value, where it is known.
        greatest: the greatest value, where it is known.
    """

    def __init__(self, buckets: Sequence[Bucket], least: float, greatest: float) -> None:
        self._buckets = buckets
        self._least = least
        self._greatest = greatest
        self._count = sum(bucket.held for bucket in buckets)

    def quantile(self, quantile: float) -> float | None:
        """The value below which this share of the values lies, were each bucket evenly filled; None when unknown."""
        rank = quantile * self._count
        for bucket in self._buckets:
            if rank <= bucket.held:
                low, high = max(bucket.low, self._least), min(bucket.high, self._greatest)
                value = low + (high - low) * rank / bucket.held
                return value if math.isfinite(value) else self._bound(low, high)
            rank -= bucket.held
        return None

    @staticmethod
    def _bound(low: float, high: float) -> float | None:
        """The bound that a bucket without an end has."""
        return next((bound for bound in (low, high) if math.isfinite(bound)), None)


def of_explicit(point: HistogramDataPoint) -> Distribution:
    """The values of a histogram with bounds; none when its counts do not match them."""
    bounds, counts = point.explicit_bounds, point.bucket_counts
    buckets: list[Bucket] = []
    if len(counts) == len(bounds) + 1:
        # Values that are measured are hardly ever below zero, so a first bucket without a lower end begins there.
        start = 0.0 if bounds and bounds[0] > 0 else -math.inf
        edges = [start, *bounds, math.inf]
        buckets = [
            Bucket(low, high, count) for low, high, count in zip(edges, edges[1:], counts, strict=False) if count
        ]
    return _distribution(point, buckets)


def of_exponential(point: ExponentialHistogramDataPoint) -> Distribution:
    """The values of a histogram whose bounds grow by a factor of 2 ** (2 ** -scale)."""
    negative = [
        Bucket(-high, -low, count)
        for low, high, count in _powers(point.scale, point.negative.offset, point.negative.bucket_counts)
    ]
    buckets = negative[::-1]
    if point.zero_count:
        buckets.append(Bucket(-point.zero_threshold, point.zero_threshold, point.zero_count))
    buckets += _powers(point.scale, point.positive.offset, point.positive.bucket_counts)
    return _distribution(point, buckets)


def _distribution(point: HistogramDataPoint | ExponentialHistogramDataPoint, buckets: list[Bucket]) -> Distribution:
    least = point.min if point.HasField("min") else -math.inf
    greatest = point.max if point.HasField("max") else math.inf
    return Distribution(buckets, least, greatest)


def _powers(scale: int, offset: int, counts: Sequence[int]) -> Iterator[Bucket]:
    for index, count in enumerate(counts, offset):
        if count:
            yield Bucket(_power(scale, index), _power(scale, index + 1), count)


def _power(scale: int, index: int) -> float:
    """2 ** (index * 2 ** -scale), infinite where that is beyond all numbers."""
    try:
        return math.pow(2, math.ldexp(index, -scale))
    except OverflowError:
        return math.inf if index > 0 else 0.0

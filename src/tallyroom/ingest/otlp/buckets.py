"""Estimates quantiles of a histogram that only states how many values fell between which bounds."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate

from opentelemetry.proto.metrics.v1.metrics_pb2 import ExponentialHistogramDataPoint, HistogramDataPoint

Bounds = Callable[[int], tuple[float, float]]
"""Returns the two bounds of a bucket by its index; the bucket excludes the lower bound and includes the upper one."""


class Distribution:
    """Values in buckets, from the smallest to the largest.

    Args:
        counts: how many values each bucket holds; there may be thousands, so they are only added up.
        bounds: returns the bounds of a bucket.
        least: the smallest value, if it is known.
        greatest: the largest value, if it is known.
    """

    def __init__(self, counts: Sequence[int], bounds: Bounds, least: float, greatest: float) -> None:
        self._counts = counts
        self._up_to = list(accumulate(counts))
        self._bounds = bounds
        self._least = least
        self._greatest = greatest

    def quantile(self, quantile: float) -> float | None:
        """Return the value below which this share of the values lies in evenly filled buckets; None if unknown."""
        if not self._up_to or not self._up_to[-1]:
            return None
        rank = quantile * self._up_to[-1]
        index = bisect_left(self._up_to, rank)
        count = self._counts[index]
        low, high = self._bounds(index)
        low, high = max(low, self._least), min(high, self._greatest)
        value = low + (high - low) * (rank - self._up_to[index] + count) / count
        return value if math.isfinite(value) else self._bound(low, high)

    @staticmethod
    def _bound(low: float, high: float) -> float | None:
        """Return the bound of a bucket that has no end."""
        return next((bound for bound in (low, high) if math.isfinite(bound)), None)


def of_explicit(point: HistogramDataPoint) -> Distribution:
    """Return the values of a histogram with explicit bounds; none if its counts do not match them."""
    bounds, counts = list(point.explicit_bounds), list(point.bucket_counts)
    # Measured values are hardly ever below zero, so a first bucket without a lower end begins there.
    start = 0.0 if bounds and bounds[0] > 0 else -math.inf
    edges = [start, *bounds, math.inf]
    return _distribution(point, counts if len(counts) == len(bounds) + 1 else [], lambda index: _pair(edges, index))


def of_exponential(point: ExponentialHistogramDataPoint) -> Distribution:
    """Return the values of a histogram whose bounds grow by a factor of 2 ** (2 ** -scale)."""
    scale, threshold = point.scale, point.zero_threshold
    below, above = list(point.negative.bucket_counts), list(point.positive.bucket_counts)
    zero = len(below)

    def bounds(index: int) -> tuple[float, float]:
        if index == zero:
            return -threshold, threshold
        if index > zero:
            return _powers(scale, point.positive.offset + index - zero - 1)
        low, high = _powers(scale, point.negative.offset + zero - 1 - index)
        return -high, -low

    return _distribution(point, [*reversed(below), point.zero_count, *above], bounds)


def _distribution(
    point: HistogramDataPoint | ExponentialHistogramDataPoint, counts: Sequence[int], bounds: Bounds
) -> Distribution:
    least = point.min if point.HasField("min") else -math.inf
    greatest = point.max if point.HasField("max") else math.inf
    return Distribution(counts, bounds, least, greatest)


def _pair(edges: Sequence[float], index: int) -> tuple[float, float]:
    return edges[index], edges[index + 1]


def _powers(scale: int, index: int) -> tuple[float, float]:
    return _power(scale, index), _power(scale, index + 1)


def _power(scale: int, index: int) -> float:
    """Return 2 ** (index * 2 ** -scale), or infinity if that is too large for a float."""
    try:
        return math.pow(2, math.ldexp(index, -scale))
    except OverflowError:
        return math.inf if index > 0 else 0.0

"""Estimates quantiles of a histogram that only states how many values are between which bounds."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate

from opentelemetry.proto.metrics.v1.metrics_pb2 import ExponentialHistogramDataPoint, HistogramDataPoint

FindBounds = Callable[[int], tuple[float, float]]
"""Returns the two bounds of a bucket by its index; the bucket excludes the lower bound and includes the upper one."""


class BucketDistribution:
    """Counts of values in thousands of buckets, in ascending order; infinite bounds mean that they are unknown."""

    def __init__(self, bucket_counts: Sequence[int], find_bounds: FindBounds, minimum: float, maximum: float) -> None:
        self._bucket_counts = bucket_counts
        self._cumulative_counts = list(accumulate(bucket_counts))
        self._find_bounds = find_bounds
        self._minimum = minimum
        self._maximum = maximum

    def estimate_quantile(self, quantile: float) -> float | None:
        """Return the value below which this share of evenly filled buckets lies; None if unknown."""
        if not self._cumulative_counts or not self._cumulative_counts[-1]:
            return None
        rank = quantile * self._cumulative_counts[-1]
        index = bisect_left(self._cumulative_counts, rank)
        bucket_count = self._bucket_counts[index]
        low, high = self._find_bounds(index)
        low, high = max(low, self._minimum), min(high, self._maximum)
        value = low + (high - low) * (rank - self._cumulative_counts[index] + bucket_count) / bucket_count
        return next((number for number in (value, low, high) if math.isfinite(number)), None)


def build_explicit_distribution(point: HistogramDataPoint) -> BucketDistribution:
    """Return the values of a histogram with explicit bounds; empty if its counts do not match them."""
    bounds, bucket_counts = list(point.explicit_bounds), list(point.bucket_counts)
    # Measured values are hardly ever below zero, so a first bucket without a lower end begins at zero.
    first_edge = 0.0 if bounds and bounds[0] > 0 else -math.inf
    edges = [first_edge, *bounds, math.inf]
    matching_counts = bucket_counts if len(bucket_counts) == len(bounds) + 1 else []
    return _build_distribution(point, matching_counts, lambda index: (edges[index], edges[index + 1]))


def build_exponential_distribution(point: ExponentialHistogramDataPoint) -> BucketDistribution:
    """Return the values of a histogram whose bounds grow by a factor of 2 ** (2 ** -scale)."""
    scale, zero_threshold = point.scale, point.zero_threshold
    negative_counts, positive_counts = list(point.negative.bucket_counts), list(point.positive.bucket_counts)
    zero_index = len(negative_counts)

    def find_bounds(index: int) -> tuple[float, float]:
        if index == zero_index:
            return -zero_threshold, zero_threshold
        if index > zero_index:
            return _compute_edges(scale, point.positive.offset + index - zero_index - 1)
        low, high = _compute_edges(scale, point.negative.offset + zero_index - 1 - index)
        return -high, -low

    return _build_distribution(point, [*reversed(negative_counts), point.zero_count, *positive_counts], find_bounds)


def _build_distribution(
    point: HistogramDataPoint | ExponentialHistogramDataPoint, bucket_counts: Sequence[int], find_bounds: FindBounds
) -> BucketDistribution:
    minimum = point.min if point.HasField("min") else -math.inf
    maximum = point.max if point.HasField("max") else math.inf
    return BucketDistribution(bucket_counts, find_bounds, minimum, maximum)


def _compute_edges(scale: int, index: int) -> tuple[float, float]:
    return _compute_edge(scale, index), _compute_edge(scale, index + 1)


def _compute_edge(scale: int, index: int) -> float:
    try:
        return math.pow(2, math.ldexp(index, -scale))
    except OverflowError:
        return math.inf if index > 0 else 0.0

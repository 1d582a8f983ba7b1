"""Quantiles of what only counts between bounds, beside the values themselves."""

import math
import sys
from bisect import bisect_left
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.metrics.v1.metrics_pb2 import ExponentialHistogramDataPoint, HistogramDataPoint

from tallyroom.ingest.otlp.buckets import build_explicit_distribution, build_exponential_distribution

BOUNDS = [5.0, 10.0, 25.0, 50.0, 100.0]
QUANTILES = (0.5, 0.95, 0.99)


def nearest_rank(values: list[float], quantile: float) -> float:
    return sorted(values)[max(math.ceil(quantile * len(values)), 1) - 1]


@given(st.lists(st.floats(0.1, 200), min_size=1, max_size=200))
def test_a_quantile_lies_in_the_bucket_of_the_value_with_its_rank(values: list[float]) -> None:
    counts = [0] * (len(BOUNDS) + 1)
    for value in values:
        counts[bisect_left(BOUNDS, value)] += 1
    point = HistogramDataPoint(bucket_counts=counts, explicit_bounds=BOUNDS, min=min(values), max=max(values))
    edges = [0.0, *BOUNDS, math.inf]
    for quantile in QUANTILES:
        found = build_explicit_distribution(point).estimate_quantile(quantile)
        bucket = bisect_left(BOUNDS, nearest_rank(values, quantile))
        assert found is not None
        assert edges[bucket] <= found <= edges[bucket + 1]
        assert min(values) <= found <= max(values)


@given(st.lists(st.floats(-1e6, 1e6).filter(lambda value: abs(value) > 1e-6), min_size=1, max_size=100))
def test_an_exponential_quantile_is_within_a_bucket_of_the_value_with_its_rank(values: list[float]) -> None:
    scale = 3  # a bucket is 9 % wide
    indices = [(value > 0, math.ceil(math.log2(abs(value)) * 2**scale) - 1) for value in values]
    offset = min(index for _, index in indices)
    sides: dict[bool, list[int]] = {True: [0] * 400, False: [0] * 400}
    for positive, index in indices:
        sides[positive][index - offset] += 1
    point = ExponentialHistogramDataPoint(
        scale=scale,
        positive=ExponentialHistogramDataPoint.Buckets(offset=offset, bucket_counts=sides[True]),
        negative=ExponentialHistogramDataPoint.Buckets(offset=offset, bucket_counts=sides[False]),
    )
    for quantile in QUANTILES:
        found = build_exponential_distribution(point).estimate_quantile(quantile)
        assert found == pytest.approx(nearest_rank(values, quantile), rel=0.1)


def test_without_an_end_a_bucket_gives_its_bound() -> None:
    assert (
        build_explicit_distribution(HistogramDataPoint(bucket_counts=[0, 5], explicit_bounds=[10])).estimate_quantile(
            0.5
        )
        == 10
    )
    assert (
        build_explicit_distribution(HistogramDataPoint(bucket_counts=[5, 0], explicit_bounds=[-10])).estimate_quantile(
            0.5
        )
        == -10
    )
    assert build_explicit_distribution(HistogramDataPoint(bucket_counts=[5])).estimate_quantile(0.5) is None


@pytest.mark.parametrize(
    "point",
    [
        {},
        {"bucket_counts": [1, 2]},
        {"bucket_counts": [1], "explicit_bounds": [1.0]},
        {"explicit_bounds": [1.0]},
        {"bucket_counts": [0, 0], "explicit_bounds": [1.0]},
    ],
)
def test_what_does_not_fit_together_has_no_quantiles(point: dict[str, Any]) -> None:
    assert build_explicit_distribution(HistogramDataPoint(**point)).estimate_quantile(0.5) is None


@given(
    scale=st.integers(-(2**31), 2**31 - 1),
    offset=st.integers(-(2**31), 2**31 - 1),
    counts=st.lists(st.integers(0, 2**64 - 1), max_size=5),
    bounds=st.lists(st.floats(), max_size=5),
    edge=st.none() | st.floats(),
)
def test_nothing_that_can_be_sent_makes_it_fail(
    scale: int, offset: int, counts: list[int], bounds: list[float], edge: float | None
) -> None:
    buckets = ExponentialHistogramDataPoint.Buckets(offset=offset, bucket_counts=counts)
    exponential = ExponentialHistogramDataPoint(
        scale=scale, positive=buckets, negative=buckets, zero_count=sys.maxsize, zero_threshold=edge or 0, min=edge
    )
    explicit = HistogramDataPoint(bucket_counts=counts, explicit_bounds=bounds, max=edge)
    for distribution in (build_exponential_distribution(exponential), build_explicit_distribution(explicit)):
        for quantile in QUANTILES:
            found = distribution.estimate_quantile(quantile)
            assert found is None or math.isfinite(found)

"""An event for each data point of every type (rules/events#otlp-events)."""

from typing import Any

import pytest

from harness.clients.telemetry import NOW_NS, attributes, metrics
from harness.stores.event_store import NOW_MS
from tallyroom.ingest.otlp.metrics import build_occurrences
from tallyroom.ingest.otlp.occurrence import Occurrence

AT = {"time_unix_nano": NOW_NS, "attributes": attributes({"core": 1})}


def mapped(metric: dict[str, Any]) -> list[Occurrence]:
    return list(build_occurrences(metrics({"name": "m", **metric}, resource={"service.name": "shop"}), NOW_MS + 1))


def properties(metric: dict[str, Any]) -> dict[str, Any]:
    [found] = mapped(metric)
    assert (found.name, found.source, found.timestamp_ms) == ("m", "shop", NOW_MS)
    shared = {"service.name": "shop", "core": 1}
    assert found.properties.items() >= shared.items()
    return {key: value for key, value in found.properties.items() if key not in shared}


def test_gauge() -> None:
    assert properties({"unit": "By", "gauge": {"data_points": [{**AT, "as_double": 2.5}]}}) == {
        "otel.metric.type": "gauge",
        "otel.metric.unit": "By",
        "otel.value": 2.5,
    }


@pytest.mark.parametrize(("temporality", "word"), [(1, "delta"), (2, "cumulative")])
def test_sum(temporality: int, word: str) -> None:
    data = {"data_points": [{**AT, "as_int": 7}], "aggregation_temporality": temporality, "is_monotonic": True}
    assert properties({"sum": data}) == {
        "otel.metric.type": "sum",
        "otel.metric.temporality": word,
        "otel.metric.monotonic": True,
        "otel.value": 7,
    }


def test_histogram() -> None:
    point = {
        **AT,
        "count": 100,
        "sum": 550.0,
        "min": 1.0,
        "max": 40.0,
        "explicit_bounds": [10.0, 20.0],
        "bucket_counts": [50, 45, 5],
    }
    assert properties({"histogram": {"data_points": [point], "aggregation_temporality": 1}}) == {
        "otel.metric.type": "histogram",
        "otel.metric.temporality": "delta",
        "otel.count": 100,
        "otel.sum": 550.0,
        "otel.min": 1.0,
        "otel.max": 40.0,
        "otel.p50": 10.0,
        "otel.p95": 20.0,
        "otel.p99": pytest.approx(36.0),
    }


def test_a_histogram_without_buckets_has_no_percentiles() -> None:
    assert properties({"histogram": {"data_points": [{**AT, "count": 3, "sum": 6.0}]}}) == {
        "otel.metric.type": "histogram",
        "otel.count": 3,
        "otel.sum": 6.0,
    }


def test_exponential_histogram() -> None:
    point = {
        **AT,
        "count": 4,
        "sum": 30.0,
        "scale": 0,  # bounds are the powers of two
        "zero_count": 2,
        "positive": {"offset": 3, "bucket_counts": [0, 2]},  # (16, 32]
    }
    assert properties({"exponential_histogram": {"data_points": [point], "aggregation_temporality": 2}}) == {
        "otel.metric.type": "exponential_histogram",
        "otel.metric.temporality": "cumulative",
        "otel.count": 4,
        "otel.sum": 30.0,
        "otel.p50": 0.0,
        "otel.p95": pytest.approx(16 + 16 * 0.9),
        "otel.p99": pytest.approx(16 + 16 * 0.98),
    }


def test_summary() -> None:
    quantiles = [{"quantile": quantile, "value": quantile * 100} for quantile in (0.0, 0.25, 0.5, 0.95, 0.99, 1.0)]
    assert properties(
        {"summary": {"data_points": [{**AT, "count": 9, "sum": 90.0, "quantile_values": quantiles}]}}
    ) == {
        "otel.metric.type": "summary",
        "otel.count": 9,
        "otel.sum": 90.0,
        "otel.min": 0.0,
        "otel.p50": 50.0,
        "otel.p95": 95.0,
        "otel.p99": 99.0,
        "otel.max": 100.0,
    }


def test_numbers_that_json_does_not_have_are_words() -> None:
    points = [{**AT, "as_double": number} for number in (float("nan"), float("inf"), float("-inf"))]
    found = [each.properties["otel.value"] for each in mapped({"gauge": {"data_points": points}})]
    assert found == ["NaN", "Infinity", "-Infinity"]


def test_a_point_without_a_value() -> None:
    points = [{**AT, "flags": 1, "as_int": 0}, AT]
    found = mapped({"gauge": {"data_points": points}})
    assert [("otel.value" in each.properties) for each in found] == [False, False]


def test_a_metric_without_data_is_no_event() -> None:
    assert mapped({}) == []


def test_a_metric_without_a_name_or_a_time() -> None:
    [found] = build_occurrences(metrics({"gauge": {"data_points": [{"as_int": 1}]}}), NOW_MS)
    assert (found.name, found.timestamp_ms) == ("metric", NOW_MS)

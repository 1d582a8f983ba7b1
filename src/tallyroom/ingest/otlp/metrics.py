"""Metric data points as events (rules/events#otlp-events)."""

from collections.abc import Callable, Iterator
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.metrics.v1.metrics_pb2 import (
    AggregationTemporality,
    DataPointFlags,
    Metric,
    NumberDataPoint,
    SummaryDataPoint,
)

from tallyroom.ingest.otlp.attributes import Properties, build_properties, convert_number, iterate_scopes
from tallyroom.ingest.otlp.buckets import (
    BucketDistribution,
    build_explicit_distribution,
    build_exponential_distribution,
)
from tallyroom.ingest.otlp.occurrence import Occurrence, build_occurrence

_TEMPORALITIES: dict[Any, str] = {
    AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA: "delta",
    AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE: "cumulative",
}
_QUANTILE_BY_KEY = {"otel.p50": 0.5, "otel.p95": 0.95, "otel.p99": 0.99}
_KEY_BY_SUMMARY_QUANTILE = {0.0: "otel.min", 1.0: "otel.max"} | {
    quantile: key for key, quantile in _QUANTILE_BY_KEY.items()
}


def build_occurrences(request: ExportMetricsServiceRequest, received_ms: int) -> Iterator[Occurrence]:
    """Yield an event for each data point."""
    for resource_metrics in request.resource_metrics:
        scopes = iterate_scopes(resource_metrics.resource, resource_metrics.scope_metrics)
        for scope_metrics, scope_properties in scopes:
            for metric in scope_metrics.metrics:
                yield from _build_point_occurrences(metric, scope_properties, received_ms)


def get_data_points(metric: Metric) -> Any:
    """Return the data points of a metric of any type; empty if it has no data."""
    data_kind = metric.WhichOneof("data")
    return getattr(metric, data_kind).data_points if data_kind else ()


def _build_point_occurrences(metric: Metric, scope_properties: Properties, received_ms: int) -> Iterator[Occurrence]:
    data_kind = metric.WhichOneof("data")
    if data_kind is None:
        return
    name, data = metric.name, getattr(metric, data_kind)
    metric_properties = {"otel.metric.type": data_kind, **_describe_metric(metric, data)}
    for point in data.data_points:
        properties = build_properties(point.attributes, scope_properties) | metric_properties
        if not point.flags & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK:
            properties |= _POINT_READER_BY_KIND[data_kind](point)
        yield build_occurrence(name, "metric", point.time_unix_nano, received_ms, properties)


def _describe_metric(metric: Metric, data: Any) -> Properties:
    properties: Properties = {}
    if unit := metric.unit:
        properties["otel.metric.unit"] = unit
    if temporality := _TEMPORALITIES.get(getattr(data, "aggregation_temporality", None)):
        properties["otel.metric.temporality"] = temporality
    if hasattr(data, "is_monotonic"):
        properties["otel.metric.monotonic"] = data.is_monotonic
    return properties


def _read_number_point(point: NumberDataPoint) -> Properties:
    value_kind = point.WhichOneof("value")
    if value_kind is None:
        return {}
    return {"otel.value": convert_number(point.as_int if value_kind == "as_int" else point.as_double)}


def _read_distribution(point: Any, distribution: BucketDistribution) -> Properties:
    properties: Properties = {"otel.count": point.count}
    for field in ("sum", "min", "max"):
        if point.HasField(field):
            properties[f"otel.{field}"] = convert_number(getattr(point, field))
    for key, quantile in _QUANTILE_BY_KEY.items():
        value = distribution.estimate_quantile(quantile)
        if value is not None:
            properties[key] = value
    return properties


def _read_summary_point(point: SummaryDataPoint) -> Properties:
    properties: Properties = {"otel.count": point.count, "otel.sum": convert_number(point.sum)}
    for entry in point.quantile_values:
        if key := _KEY_BY_SUMMARY_QUANTILE.get(entry.quantile):
            properties[key] = convert_number(entry.value)
    return properties


_POINT_READER_BY_KIND: dict[str, Callable[[Any], Properties]] = {
    "gauge": _read_number_point,
    "sum": _read_number_point,
    "histogram": lambda point: _read_distribution(point, build_explicit_distribution(point)),
    "exponential_histogram": lambda point: _read_distribution(point, build_exponential_distribution(point)),
    "summary": _read_summary_point,
}

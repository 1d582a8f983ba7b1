"""Metric data points as events (rules/events#otlp-events)."""

from collections.abc import Callable, Iterator
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.metrics.v1.metrics_pb2 import (
    AggregationTemporality,
    DataPointFlags,
    ExponentialHistogramDataPoint,
    HistogramDataPoint,
    Metric,
    NumberDataPoint,
    SummaryDataPoint,
)

from tallyroom.ingest.otlp.attributes import Properties, finite, properties_of, with_shared
from tallyroom.ingest.otlp.buckets import Distribution, of_explicit, of_exponential
from tallyroom.ingest.otlp.occurrence import Occurrence, occurrence

_TEMPORALITIES: dict[Any, str] = {
    AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA: "delta",
    AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE: "cumulative",
}
_QUANTILES = {"otel.p50": 0.5, "otel.p95": 0.95, "otel.p99": 0.99}
_SUMMARY_QUANTILES = {0.0: "otel.min", 1.0: "otel.max"} | {quantile: key for key, quantile in _QUANTILES.items()}


def occurrences(request: ExportMetricsServiceRequest, received_ms: int) -> Iterator[Occurrence]:
    """Yield an event for each data point."""
    for resource_metrics in request.resource_metrics:
        for scope_metrics, scope_properties in with_shared(resource_metrics.resource, resource_metrics.scope_metrics):
            for metric in scope_metrics.metrics:
                yield from _of_metric(metric, scope_properties, received_ms)


def data_points(metric: Metric) -> Any:
    """Return the data points of a metric of any type; none if it has no data."""
    kind = metric.WhichOneof("data")
    return getattr(metric, kind).data_points if kind else ()


def _of_metric(metric: Metric, scope_properties: Properties, received_ms: int) -> Iterator[Occurrence]:
    kind = metric.WhichOneof("data")
    if kind is None:
        return
    name, data = metric.name, getattr(metric, kind)
    metric_properties = {"otel.metric.type": kind, **_described(metric, data)}
    for point in data.data_points:
        properties = properties_of(point.attributes, scope_properties) | metric_properties
        if not point.flags & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK:
            properties |= _READERS[kind](point)
        yield occurrence(name, "metric", point.time_unix_nano, received_ms, properties)


def _described(metric: Metric, data: Any) -> Properties:
    """Return the properties that all points of a metric share."""
    properties: Properties = {}
    if unit := metric.unit:
        properties["otel.metric.unit"] = unit
    if temporality := _TEMPORALITIES.get(getattr(data, "aggregation_temporality", None)):
        properties["otel.metric.temporality"] = temporality
    if hasattr(data, "is_monotonic"):
        properties["otel.metric.monotonic"] = data.is_monotonic
    return properties


def _number(point: NumberDataPoint) -> Properties:
    kind = point.WhichOneof("value")
    return {} if kind is None else {"otel.value": finite(point.as_int if kind == "as_int" else point.as_double)}


def _histogram(point: HistogramDataPoint) -> Properties:
    return _distributed(point, of_explicit(point))


def _exponential(point: ExponentialHistogramDataPoint) -> Properties:
    return _distributed(point, of_exponential(point))


def _distributed(point: Any, distribution: Distribution) -> Properties:
    properties: Properties = {"otel.count": point.count}
    for field in ("sum", "min", "max"):
        if point.HasField(field):
            properties[f"otel.{field}"] = finite(getattr(point, field))
    for key, quantile in _QUANTILES.items():
        value = distribution.quantile(quantile)
        if value is not None:
            properties[key] = value
    return properties


def _summary(point: SummaryDataPoint) -> Properties:
    properties: Properties = {"otel.count": point.count, "otel.sum": finite(point.sum)}
    for entry in point.quantile_values:
        if key := _SUMMARY_QUANTILES.get(entry.quantile):
            properties[key] = finite(entry.value)
    return properties


_READERS: dict[str, Callable[[Any], Properties]] = {
    "gauge": _number,
    "sum": _number,
    "histogram": _histogram,
    "exponential_histogram": _exponential,
    "summary": _summary,
}

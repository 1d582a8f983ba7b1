"""The published Python exporters against a real server: everything they send is found (rules/events#otlp-events)."""

from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Observation
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode

from harness.clients.telemetry import NOW_NS, events
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

RESOURCE = Resource.create({"service.name": "shop", "deployment.environment": "eu"})


@pytest.fixture
def workspace(server: Server) -> Workspace:
    return sign_up(server.url)


@pytest.fixture(params=[Compression.NoCompression, Compression.Gzip, Compression.Deflate], ids=lambda each: each.value)
def options(workspace: Workspace, request: pytest.FixtureRequest) -> Callable[[str], dict[str, Any]]:
    """What every exporter is given."""
    headers = {"authorization": f"Bearer {workspace.key}", "x-forwarded-for": workspace.ip}
    return lambda signal: {
        "endpoint": f"{workspace.url}/v1/{signal}",
        "headers": headers,
        "compression": request.param,
        "timeout": 30,
    }


def test_spans(workspace: Workspace, options: Callable[[str], dict[str, Any]]) -> None:
    provider = TracerProvider(resource=RESOURCE)
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(**options("traces"))))
    tracer = provider.get_tracer("tests", "1.0")
    time_range = tracer.start_span(
        "GET /cart", kind=SpanKind.SERVER, start_time=NOW_NS, attributes={"user.id": "ann", "tags": ["a", "b"]}
    )
    time_range.add_event("cache.miss", {"key": "cart"}, timestamp=NOW_NS + 1_000_000)
    time_range.set_status(StatusCode.ERROR, "late")
    time_range.end(NOW_NS + 250_000_000)
    provider.shutdown()
    event, own = events(workspace)
    context = time_range.get_span_context()
    assert context
    ids = {"otel.trace_id": f"{context.trace_id:032x}", "otel.span_id": f"{context.span_id:016x}"}
    assert (own["name"], own["actorKey"], own["source"]) == ("GET /cart", "ann", "shop")
    assert own["timestamp"] == "2026-11-20T12:00:00.000Z"
    expected = {
        **ids,
        "deployment.environment": "eu",
        "tags": ["a", "b"],
        "otel.span.kind": "server",
        "otel.status.code": "error",
        "otel.status.message": "late",
        "otel.duration_ms": 250.0,
    }
    assert {key: own["properties"].get(key) for key in expected} == expected
    assert (event["name"], event["actorKey"], event["timestamp"]) == ("cache.miss", "ann", "2026-11-20T12:00:00.001Z")
    assert event["properties"]["key"] == "cart"


@pytest.mark.long
def test_log_records(workspace: Workspace, options: Callable[[str], dict[str, Any]]) -> None:
    provider = LoggerProvider(resource=RESOURCE)
    provider.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(**options("logs"))))
    logger = provider.get_logger("tests")
    logger.emit(
        timestamp=NOW_NS,
        severity_text="WARN",
        body={"message": "slow", "ms": 900},
        attributes={"enduser.id": "ben"},
    )
    logger.emit(timestamp=NOW_NS, event_name="paid", body="42")
    provider.shutdown()
    paid, slow = sorted(events(workspace), key=lambda event: event["name"], reverse=True)
    assert (slow["name"], slow["actorKey"], slow["source"]) == ("WARN", "ben", "shop")
    assert slow["properties"]["otel.body"] == {"message": "slow", "ms": 900}
    assert (paid["name"], paid["properties"]["otel.body"]) == ("paid", "42")


def test_metrics(workspace: Workspace, options: Callable[[str], dict[str, Any]]) -> None:
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(**options("metrics")), export_interval_millis=3_600_000)
    provider = MeterProvider([reader], resource=RESOURCE)
    meter = provider.get_meter("tests")
    meter.create_counter("orders", unit="1").add(3, {"user.id": "ann"})
    histogram = meter.create_histogram("latency", unit="ms")
    for value in (1, 4, 20, 300):
        histogram.record(value)
    meter.create_up_down_counter("queue").add(-2)
    meter.create_observable_gauge("load", [lambda _: [Observation(0.5)]])
    provider.shutdown()
    found = {event["name"]: event for event in events(workspace)}
    assert set(found) == {"orders", "latency", "queue", "load"}
    assert (found["orders"]["actorKey"], found["orders"]["source"]) == ("ann", "shop")
    values = {name: event["properties"].get("otel.value") for name, event in found.items()}
    assert values == {"orders": 3, "latency": None, "queue": -2, "load": 0.5}
    latency = found["latency"]["properties"]
    assert [latency[f"otel.{field}"] for field in ("count", "sum", "min", "max")] == [4, 325, 1, 300]
    assert 1 <= latency["otel.p50"] <= 5 < latency["otel.p95"] <= latency["otel.p99"] <= 300
    assert found["orders"]["properties"]["otel.metric.monotonic"] is True

"""Spans and their events as events (rules/events#otlp-events)."""

from collections.abc import Iterator

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tallyroom.ingest.otlp.attributes import Properties, build_properties, iterate_scopes
from tallyroom.ingest.otlp.occurrence import Occurrence, build_occurrence

_NS_PER_MS = 1_000_000
_SPAN_KIND_BY_NUMBER = dict(enumerate(("unspecified", "internal", "server", "client", "producer", "consumer")))
_STATUS_BY_CODE = dict(enumerate(("unset", "ok", "error")))


def build_occurrences(request: ExportTraceServiceRequest, received_ms: int) -> Iterator[Occurrence]:
    """Yield an event for each span and, right after it, one for each of its span events."""
    for resource_spans in request.resource_spans:
        for scope_spans, scope_properties in iterate_scopes(resource_spans.resource, resource_spans.scope_spans):
            for span in scope_spans.spans:
                yield (span_occurrence := _build_span_occurrence(span, scope_properties, received_ms))
                if span.events:
                    yield from _build_span_events(span, span_occurrence, scope_properties, received_ms)


def _build_span_occurrence(span: Span, scope_properties: Properties, received_ms: int) -> Occurrence:
    start_ns, end_ns = span.start_time_unix_nano, span.end_time_unix_nano
    properties = build_properties(span.attributes, scope_properties)
    properties["otel.trace_id"] = span.trace_id.hex()
    properties["otel.span_id"] = span.span_id.hex()
    properties["otel.span.kind"] = _SPAN_KIND_BY_NUMBER.get(span.kind) or str(span.kind)
    properties["otel.status.code"] = "unset"
    if span.HasField("status"):
        code, message = span.status.code, span.status.message
        properties["otel.status.code"] = _STATUS_BY_CODE.get(code) or str(code)
        if message:
            properties["otel.status.message"] = message
    if parent := span.parent_span_id:
        properties["otel.parent_span_id"] = parent.hex()
    if start_ns and end_ns:
        properties["otel.duration_ms"] = max(end_ns - start_ns, 0) / _NS_PER_MS
    return build_occurrence(span.name, "span", start_ns, received_ms, properties)


def _build_span_events(
    span: Span, span_occurrence: Occurrence, scope_properties: Properties, received_ms: int
) -> Iterator[Occurrence]:
    """Yield the span's events; their actor is the span's actor, unless they name another."""
    id_properties = {key: span_occurrence.properties[key] for key in ("otel.trace_id", "otel.span_id")}
    start_ns = span.start_time_unix_nano
    for event in span.events:
        properties = build_properties(event.attributes, scope_properties) | id_properties
        yield build_occurrence(
            event.name, "event", event.time_unix_nano or start_ns, received_ms, properties, span_occurrence.actor
        )

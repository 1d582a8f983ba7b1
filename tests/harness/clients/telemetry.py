"""Requests of OpenTelemetry, built by hand, and how to send them."""

import base64
import json
from collections.abc import Mapping
from typing import Any

import httpx
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList

from harness.clients.workspace import Workspace
from harness.stores.event_store import NOW_MS

PROTOBUF, JSON = "application/x-protobuf", "application/json"
NOW_NS = NOW_MS * 1_000_000
_SCALARS = {
    bool: "bool_value",
    str: "string_value",
    int: "int_value",
    float: "double_value",
    bytes: "bytes_value",
}
_IDS = {"traceId", "spanId", "parentSpanId"}


def any_value(value: Any) -> AnyValue:
    """A plain value as OpenTelemetry has it; None as one that is empty."""
    if value is None:
        return AnyValue()
    if isinstance(value, list):
        return AnyValue(array_value=ArrayValue(values=[any_value(inner) for inner in value]))
    if isinstance(value, dict):
        return AnyValue(kvlist_value=KeyValueList(values=attributes(value)))
    return AnyValue(**{_SCALARS[type(value)]: value})


def attributes(values: Mapping[str, Any]) -> list[KeyValue]:
    """Attributes of plain values."""
    return [KeyValue(key=key, value=any_value(value)) for key, value in values.items()]


def traces(
    *spans: Mapping[str, Any], resource: Mapping[str, Any] | None = None, scope: Mapping[str, Any] | None = None
) -> ExportTraceServiceRequest:
    """Spans of one resource and scope, each given as fields of `Span`, attributes as a plain mapping."""
    request = ExportTraceServiceRequest()
    inner = request.resource_spans.add(resource={"attributes": attributes(resource or {})}).scope_spans.add(
        scope={"attributes": attributes(scope or {})}
    )
    for span in spans:
        events = [{**event, "attributes": attributes(event.get("attributes", {}))} for event in span.get("events", [])]
        fields = {"name": "s", "start_time_unix_nano": NOW_NS} | dict(span)
        inner.spans.add(**{**fields, "attributes": attributes(span.get("attributes", {})), "events": events})
    return request


def logs(
    *records: Mapping[str, Any], resource: Mapping[str, Any] | None = None, scope: Mapping[str, Any] | None = None
) -> ExportLogsServiceRequest:
    """Log records of one resource and scope, each given as fields of `LogRecord`, body and attributes as plain values."""
    request = ExportLogsServiceRequest()
    inner = request.resource_logs.add(resource={"attributes": attributes(resource or {})}).scope_logs.add(
        scope={"attributes": attributes(scope or {})}
    )
    for record in records:
        fields = {"time_unix_nano": NOW_NS} | dict(record)
        if "body" in fields:
            fields["body"] = any_value(fields["body"])
        inner.log_records.add(**{**fields, "attributes": attributes(record.get("attributes", {}))})
    return request


def metrics(*found: Mapping[str, Any], resource: Mapping[str, Any] | None = None) -> ExportMetricsServiceRequest:
    """Metrics of one resource, each given as fields of `Metric`."""
    request = ExportMetricsServiceRequest()
    inner = request.resource_metrics.add(resource={"attributes": attributes(resource or {})}).scope_metrics.add()
    for metric in found:
        inner.metrics.add(**metric)
    return request


def as_json(request: Message) -> bytes:
    """A request in OTLP's JSON: as protobuf's, but with hexadecimal ids and enums as numbers."""
    return json.dumps(_with_hex(MessageToDict(request, use_integers_for_enums=True))).encode()


def _with_hex(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_hex(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {key: base64.b64decode(inner).hex() if key in _IDS else _with_hex(inner) for key, inner in value.items()}


def post(
    workspace: Workspace,
    signal: str,
    body: Message | bytes,
    *,
    key: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> httpx.Response:
    """POST /v1/{signal} as protobuf, or with the given content type the bytes as they are."""
    content = body if isinstance(body, bytes) else body.SerializeToString()
    with workspace.client(key or workspace.key) as client:
        return client.post(
            f"/v1/{signal}", content=content, headers={"content-type": PROTOBUF} | dict(headers or {}), timeout=60
        )


def status_of(answer: httpx.Response) -> tuple[int, str]:
    """Code and message of a refusal, in the content type of the request."""
    if answer.headers["content-type"] == JSON:
        body = answer.json()
        return body["code"], body["message"]
    status = Status.FromString(answer.content)
    return status.code, status.message


def events(workspace: Workspace, **parameters: Any) -> list[dict[str, Any]]:
    """The workspace's events of any time, the newest first, as the API lists them."""
    answer = workspace.get("/v1/events", **{"timeRange": "all"} | parameters)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["events"]
    return found

"""Log records as events (rules/events#otlp-events)."""

from collections.abc import Iterator

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

from tallyroom.ingest.otlp.attributes import Properties, build_properties, convert_value, iterate_scopes
from tallyroom.ingest.otlp.occurrence import Occurrence, build_occurrence

_SEVERITY_LEVELS = ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")
_NUMBERS_PER_LEVEL = 4


def build_occurrences(request: ExportLogsServiceRequest, received_ms: int) -> Iterator[Occurrence]:
    """Yield an event for each log record."""
    for resource_logs in request.resource_logs:
        for scope_logs, scope_properties in iterate_scopes(resource_logs.resource, resource_logs.scope_logs):
            for record in scope_logs.log_records:
                yield _build_log_occurrence(record, scope_properties, received_ms)


def _build_log_occurrence(record: LogRecord, scope_properties: Properties, received_ms: int) -> Occurrence:
    properties = build_properties(record.attributes, scope_properties)
    if record.HasField("body"):
        properties["otel.body"] = convert_value(record.body)
    if severity_text := record.severity_text:
        properties["otel.severity_text"] = severity_text
    if severity_number := record.severity_number:
        properties["otel.severity_number"] = severity_number
    if trace_id := record.trace_id:
        properties["otel.trace_id"] = trace_id.hex()
    if span_id := record.span_id:
        properties["otel.span_id"] = span_id.hex()
    name = record.event_name or severity_text or _find_level_name(severity_number)
    time_ns = record.time_unix_nano or record.observed_time_unix_nano
    return build_occurrence(name, "log", time_ns, received_ms, properties)


def _find_level_name(severity_number: int) -> str:
    """Return the level of a severity number, such as "WARN" for 13 to 16; "" for a number without one."""
    level_index = (severity_number - 1) // _NUMBERS_PER_LEVEL
    return _SEVERITY_LEVELS[level_index] if 0 <= level_index < len(_SEVERITY_LEVELS) else ""

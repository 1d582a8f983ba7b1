"""The three signals of OpenTelemetry: where each has its records, and how these become events."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tallyroom.ingest.otlp import logs, metrics, spans
from tallyroom.ingest.otlp.declared_types import Leaf, OutlineReader, RequestChecker, Shape, decode_message
from tallyroom.ingest.otlp.occurrence import Occurrence
from tallyroom.ingest.otlp.pack import Record
from tallyroom.ingest.otlp.walk import RecordPath


@dataclass(frozen=True)
class Signal:
    """One signal; `name` is in the path of its endpoint, `rejected_count_field` counts the records left out.

    `build_occurrences` also gets the time of receipt in ms. `count_events` checks an encoded request with this many
    records. `fit_record` cuts an encoded record to a number of bytes; None if it cannot be kept.
    """

    name: str
    request_class: Any
    response_class: Any
    rejected_count_field: str
    record_noun: str
    record_path: RecordPath
    outline_reader: OutlineReader
    build_occurrences: Callable[[Any, int], Iterator[Occurrence]]
    count_events: Callable[[bytes, int], int]
    fit_record: Callable[[bytes, int], Record | None]


_FLAT_SHAPE: Shape = {1: {2: {2: Leaf.RECORD}}}
_DATA_FIELDS = (5, 7, 9, 10, 11)  # gauge, sum, histogram, exponential histogram, summary
_DESCRIPTION_FIELDS = (1, 2, 3, 12)  # name, description, unit, metadata
_METRIC_SHAPE: Shape = {
    **dict.fromkeys(_DESCRIPTION_FIELDS, Leaf.SHARED_DATA),
    **{field_number: {1: Leaf.RECORD} for field_number in _DATA_FIELDS},
}
_RECORD_PATH: RecordPath = (frozenset({1}), frozenset({2}), frozenset({2}))
_SPAN_EVENTS_READER = OutlineReader("span_events", {1: {2: {2: {11: Leaf.RECORD}}}})
_EVENTS_OF_SPAN_READER = OutlineReader("events_of_span", {11: Leaf.RECORD})

_TRACE_CHECKER = RequestChecker(trace_service_pb2.ExportTraceServiceRequest.DESCRIPTOR)
_LOG_CHECKER = RequestChecker(logs_service_pb2.ExportLogsServiceRequest.DESCRIPTOR)


def _count_events_of_spans(payload: bytes, record_count: int) -> int:
    _TRACE_CHECKER.check(payload)
    if not record_count:  # so there are no span events either
        return 0
    return record_count + _SPAN_EVENTS_READER.read(payload).record_count


def _count_events_of_log_records(payload: bytes, record_count: int) -> int:
    _LOG_CHECKER.check(payload)
    return record_count


def _count_events_of_data_points(payload: bytes, _: int) -> int:
    """Count the events one metric at a time: if a metric has its data twice, only the last counts."""
    resources = decode_message(metrics_service_pb2.ExportMetricsServiceRequest, payload).resource_metrics
    scopes = (scope for resource in resources for scope in resource.scope_metrics)
    return sum(len(metrics.get_data_points(metric)) for scope in scopes for metric in scope.metrics)


def _fit_record(record: bytes, max_bytes: int) -> Record | None:
    return Record(record, 1) if len(record) <= max_bytes else None


def _fit_span(record: bytes, max_bytes: int) -> Record | None:
    """Return the span, or, if it is too large, the span without those of its events that are too large themselves."""
    if len(record) <= max_bytes:
        return Record(record, 1 + _EVENTS_OF_SPAN_READER.read(record).record_count)
    span: Span = decode_message(Span, record)
    events = [event for event in span.events if event.ByteSize() <= max_bytes]
    removed_count = len(span.events) - len(events)
    del span.events[:]
    if span.ByteSize() > max_bytes:
        return None
    span.events.extend(events)
    return Record(span.SerializeToString(), 1 + len(events), removed_count)


TRACES = Signal(
    name="traces",
    request_class=trace_service_pb2.ExportTraceServiceRequest,
    response_class=trace_service_pb2.ExportTraceServiceResponse,
    rejected_count_field="rejected_spans",
    record_noun="spans",
    record_path=_RECORD_PATH,
    outline_reader=OutlineReader("traces", _FLAT_SHAPE),
    build_occurrences=spans.build_occurrences,
    count_events=_count_events_of_spans,
    fit_record=_fit_span,
)
LOGS = Signal(
    name="logs",
    request_class=logs_service_pb2.ExportLogsServiceRequest,
    response_class=logs_service_pb2.ExportLogsServiceResponse,
    rejected_count_field="rejected_log_records",
    record_noun="log records",
    record_path=_RECORD_PATH,
    outline_reader=OutlineReader("logs", _FLAT_SHAPE),
    build_occurrences=logs.build_occurrences,
    count_events=_count_events_of_log_records,
    fit_record=_fit_record,
)
METRICS = Signal(
    name="metrics",
    request_class=metrics_service_pb2.ExportMetricsServiceRequest,
    response_class=metrics_service_pb2.ExportMetricsServiceResponse,
    rejected_count_field="rejected_data_points",
    record_noun="data points",
    record_path=(*_RECORD_PATH, frozenset(_DATA_FIELDS), frozenset({1})),
    outline_reader=OutlineReader("metrics", {1: {2: {2: _METRIC_SHAPE}}}),
    build_occurrences=metrics.build_occurrences,
    count_events=_count_events_of_data_points,
    fit_record=_fit_record,
)

SIGNALS: dict[str, Signal] = {signal.name: signal for signal in (TRACES, LOGS, METRICS)}

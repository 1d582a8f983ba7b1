"""The scan takes what protobuf itself decodes, and nothing else."""

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from harness.clients.telemetry import any_value, logs, traces
from harness.suite.examples import tries
from tallyroom.ingest.otlp.declared_types import RequestChecker
from tallyroom.ingest.otlp.wire import Undecodable, encode_field

NESTED = {"list": [1, "ä", {"k": [b"\xff", 1.5, None, True]}], "": {}}
REQUESTS = [
    traces(
        {"trace_id": b"\1" * 16, "kind": 2, "attributes": NESTED, "events": [{"name": "é", "attributes": NESTED}]},
        {"name": "b", "status": {"code": 2, "message": "m"}, "flags": 1},
        resource=NESTED,
        scope=NESTED,
    ),
    logs({"body": NESTED, "severity_number": 9, "severity_text": "ü"}, {"event_name": "n"}, resource=NESTED),
]
SCANS = {
    ExportTraceServiceRequest: RequestChecker(ExportTraceServiceRequest.DESCRIPTOR),
    ExportLogsServiceRequest: RequestChecker(ExportLogsServiceRequest.DESCRIPTOR),
}


def check_alike(kind: type[ExportTraceServiceRequest] | type[ExportLogsServiceRequest], body: bytes) -> None:
    try:
        kind.FromString(body)
    except DecodeError:
        with pytest.raises(Undecodable):
            SCANS[kind].check(body)
    else:
        SCANS[kind].check(body)


@tries(500)
@given(st.sampled_from(REQUESTS), st.data())
def test_a_request_with_changed_bytes(request: ExportTraceServiceRequest, data: st.DataObject) -> None:
    body = bytearray(request.SerializeToString())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    check_alike(type(request), bytes(body))


@pytest.mark.parametrize("depth", [10, 30, 31, 32, 33, 34, 40, 200])
def test_as_deep_as_protobuf_itself(depth: int) -> None:
    value = any_value("deepest").SerializeToString()
    for _ in range(depth):
        value = encode_field(5, encode_field(1, value))  # a list, and its one value
    body = encode_field(1, encode_field(2, encode_field(2, encode_field(5, value))))
    check_alike(ExportLogsServiceRequest, body)

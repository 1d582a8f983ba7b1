"""`POST /v1/traces`, `/v1/logs`, `/v1/metrics`: what exporters may send and what they are answered.

The rules: rules/events#otlp-requests, rules/events#otlp-records-left-out.
"""

import gzip
import json
import zlib
from itertools import product
from typing import Any

import pytest
from google.protobuf.message import Message

from harness.clients.telemetry import (
    JSON,
    NOW_NS,
    PROTOBUF,
    any_value,
    as_json,
    attributes,
    events,
    logs,
    metrics,
    post,
    status_of,
    traces,
)
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.core.zstd import zstd
from tallyroom.ingest.otlp.signals import SIGNALS

POINT = {"time_unix_nano": NOW_NS, "as_int": 5, "attributes": attributes({"core": 1})}
ONE: dict[str, Message] = {
    "traces": traces({"name": "one", "attributes": {"user.id": "ann"}}),
    "logs": logs({"event_name": "one", "attributes": {"user.id": "ann"}}),
    "metrics": metrics({"name": "one", "gauge": {"data_points": [POINT]}}, resource={"user.id": "ann"}),
}
ENCODINGS: dict[str, Any] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "zstd": zstd.compress,
}


def responded(signal: str, content: bytes) -> Any:
    return SIGNALS[signal].response_class.FromString(content)


@pytest.fixture
def workspace(server: Server) -> Workspace:
    return sign_up(server.url)


@pytest.mark.long
@pytest.mark.parametrize(
    ("signal", "encoding", "content_type"),
    [*product(SIGNALS, ["identity", *ENCODINGS], [PROTOBUF, JSON, f"{JSON}; charset=utf-8"])],
)
def test_200_in_every_form(workspace: Workspace, signal: str, encoding: str, content_type: str) -> None:
    body = ONE[signal].SerializeToString() if content_type == PROTOBUF else as_json(ONE[signal])
    body = ENCODINGS.get(encoding, bytes)(body)
    answer = post(workspace, signal, body, headers={"content-type": content_type, "content-encoding": encoding})
    assert answer.status_code == 200, answer.content
    assert answer.headers["content-type"] == content_type.split(";", maxsplit=1)[0]
    assert answer.content == (b"" if content_type == PROTOBUF else b"{}")
    assert [(event["name"], event["actorKey"]) for event in events(workspace)] == [("one", "ann")]


@few(2, "signal", SIGNALS)
@pytest.mark.parametrize("content_type", [PROTOBUF, JSON])
def test_200_nothing_is_no_mistake(workspace: Workspace, signal: str, content_type: str) -> None:
    body = b"" if content_type == PROTOBUF else b"{}"
    assert post(workspace, signal, body, headers={"content-type": content_type}).status_code == 200
    assert events(workspace) == []


def test_a_body_in_pieces_needs_no_length(workspace: Workspace) -> None:
    body = ONE["traces"].SerializeToString()
    headers = {"content-type": PROTOBUF}
    with workspace.client(workspace.key) as client:
        pieces = (body[place : place + 7] for place in range(0, len(body), 7))
        assert client.post("/v1/traces", content=pieces, headers=headers).status_code == 200
    assert [event["name"] for event in events(workspace)] == ["one"]


NOT_DECODABLE = [
    pytest.param(PROTOBUF, b"\xff" * 8, id="no protobuf"),
    pytest.param(PROTOBUF, ONE["traces"].SerializeToString()[:-1], id="cut off"),
    pytest.param(PROTOBUF, b"\x0a\x08\x12\x06\x12\x04\x2a\x02\xff\xfe", id="name not in UTF-8"),
    pytest.param(JSON, b"", id="no JSON"),
    pytest.param(JSON, b'{"resourceSpans":[', id="JSON cut off"),
    pytest.param(JSON, b"[]", id="JSON list"),
    pytest.param(JSON, b'{"resourceSpans":{}}', id="an object for a list"),
    pytest.param(JSON, b'{"resourceSpans":[1]}', id="a number for an object"),
    pytest.param(JSON, b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":1}]}]}]}', id="a number for a name"),
    pytest.param(JSON, b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"xyz"}]}]}]}', id="an id not hex"),
    pytest.param(JSON, b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"\\ud800"}]}]}]}', id="half a character"),
    pytest.param(JSON, b'{"resourceSpans":[{"resource":' + b'{"a":' * 5000 + b"1" + b"}" * 5002 + b"]}", id="deep"),
]


@few(4, ("content_type", "body"), NOT_DECODABLE)
def test_400_what_cannot_be_decoded(workspace: Workspace, content_type: str, body: bytes) -> None:
    answer = post(workspace, "traces", body, headers={"content-type": content_type})
    assert (answer.status_code, answer.headers["content-type"]) == (400, content_type)
    code, message = status_of(answer)
    assert (code, bool(message)) == (3, True)
    assert events(workspace) == []


def test_400_names_the_place(workspace: Workspace) -> None:
    body = {"resourceSpans": [{"scopeSpans": [{"spans": [{}, {"startTimeUnixNano": "soon"}]}]}]}
    answer = post(workspace, "traces", json.dumps(body).encode(), headers={"content-type": JSON})
    assert status_of(answer) == (3, "resourceSpans[0].scopeSpans[0].spans[1].startTimeUnixNano is not an integer")
    assert events(workspace) == []  # the span before it neither


@pytest.mark.parametrize("content_type", [PROTOBUF, JSON])
def test_400_does_not_inflate(workspace: Workspace, content_type: str) -> None:
    headers = {"content-type": content_type, "content-encoding": "gzip"}
    assert status_of(post(workspace, "traces", b"no gzip", headers=headers))[0] == 3


@pytest.mark.parametrize("content_type", [PROTOBUF, JSON])
@pytest.mark.parametrize("signal", SIGNALS)
def test_401_without_a_good_key(workspace: Workspace, signal: str, content_type: str) -> None:
    answer = post(workspace, signal, b"", key="tr_live_nothing", headers={"content-type": content_type})
    assert (answer.status_code, answer.headers["content-type"]) == (401, content_type)
    assert answer.headers["www-authenticate"]
    assert status_of(answer)[0] == 16


@pytest.mark.parametrize(
    "headers",
    [{"content-type": "text/plain"}, {"content-type": ""}, {"content-encoding": "br"}],
    ids=["another type", "no type", "another encoding"],
)
def test_415(workspace: Workspace, headers: dict[str, str]) -> None:
    answer = post(workspace, "traces", ONE["traces"], headers=headers)
    assert answer.status_code == 415
    assert status_of(answer)[0] == 3


@few(1, "encoding", ["identity", *ENCODINGS])
def test_413_over_64_mib_inflated(workspace: Workspace, encoding: str) -> None:
    body = ENCODINGS.get(encoding, bytes)(bytes(67_108_865))
    answer = post(workspace, "traces", body, headers={"content-encoding": encoding})
    assert (answer.status_code, status_of(answer)[0]) == (413, 3)


@pytest.mark.long
def test_429_with_retry_after(free: Workspace) -> None:
    for _ in range(200):
        last = post(free, "metrics", b"")
    assert last.status_code == 200
    answer = post(free, "metrics", b"")
    assert (answer.status_code, status_of(answer)[0]) == (429, 8)
    assert int(answer.headers["retry-after"]) >= 1
    assert free.send({"name": "n"}).status_code == 429  # one limit for every way in


BIG = "x" * 66_000


def test_records_over_64_kib_are_left_out_and_counted(workspace: Workspace) -> None:
    request = traces({"name": "a"}, {"name": "b", "attributes": {"big": BIG}}, {"name": "c"})
    success = responded("traces", post(workspace, "traces", request).content).partial_success
    assert success.rejected_spans == 1
    assert "65536" in success.error_message
    answer = post(
        workspace, "logs", as_json(logs({"body": BIG}, {"event_name": "kept"})), headers={"content-type": JSON}
    )
    assert answer.json()["partialSuccess"]["rejectedLogRecords"] == "1"
    points = [{**POINT, "attributes": attributes({"big": BIG})}, POINT]
    request_of_metrics = metrics({"name": "m", "sum": {"data_points": points}})
    success = responded("metrics", post(workspace, "metrics", request_of_metrics).content).partial_success
    assert success.rejected_data_points == 1
    assert sorted(event["name"] for event in events(workspace)) == ["a", "c", "kept", "m"]


def test_a_record_is_measured_with_its_resource(workspace: Workspace) -> None:
    request = traces({"attributes": {"k": "y" * 40_000}}, {"name": "small"}, resource={"r": "x" * 40_000})
    assert responded("traces", post(workspace, "traces", request).content).partial_success.rejected_spans == 1
    assert [event["name"] for event in events(workspace)] == ["small"]


def test_a_large_span_event_goes_and_its_span_stays(workspace: Workspace) -> None:
    request = traces({"name": "s", "events": [{"name": "big", "attributes": {"big": BIG}}, {"name": "small"}]})
    success = responded("traces", post(workspace, "traces", request).content).partial_success
    assert success.rejected_spans == 0
    assert "1 span events" in success.error_message
    assert [event["name"] for event in events(workspace)] == ["small", "s"]


def test_more_than_500_records_and_bodies_of_many_pieces_are_taken(workspace: Workspace) -> None:
    spans = [{"name": f"s{n}", "attributes": {"n": n, "text": "z" * 2000}} for n in range(5000)]
    assert post(workspace, "traces", traces(*spans)).content == b""
    assert workspace.get("/v1/usage").json()["used"] == 5000


@pytest.mark.long
def test_past_the_cap_the_first_are_taken(free: Workspace) -> None:
    assert free.send({"events": [{"name": "x"}] * 90}).status_code == 202
    request = logs(*[{"event_name": f"n{n}"} for n in range(15)])
    success = responded("logs", post(free, "logs", request).content).partial_success
    assert success.rejected_log_records == 5
    assert "free plan" in success.error_message
    names = [event["name"] for event in events(free, limit=100)]
    assert sorted(set(names)) == sorted({"x", *[f"n{n}" for n in range(10)]})
    answer = post(free, "traces", as_json(traces({})), headers={"content-type": JSON})
    assert answer.status_code == 200
    assert answer.json()["partialSuccess"]["rejectedSpans"] == "1"


def test_a_span_is_taken_with_its_events_or_not_at_all(free: Workspace) -> None:
    assert free.send({"events": [{"name": "x"}] * 97}).status_code == 202
    two = {"events": [{"name": "e"}]}
    success = responded("traces", post(free, "traces", traces(two, two, {"name": "last"})).content).partial_success
    assert success.rejected_spans == 2
    assert free.get("/v1/usage").json()["used"] == 99


def test_unknown_fields_names_and_forms_of_json(workspace: Workspace) -> None:
    span = {
        "name": "json",
        "trace_id": "0AF7651916CD43DD8448EB211C80319C",
        "spanId": "b7ad6b7169203331",
        "parentSpanId": None,
        "kind": "SPAN_KIND_SERVER",
        "startTimeUnixNano": NOW_NS,
        "endTimeUnixNano": str(NOW_NS + 1_500_000),
        "attributes": [
            {"key": "int", "value": {"intValue": "9007199254740993"}},
            {"key": "number", "value": {"intValue": 7, "future": 1}},
            {"key": "double", "value": {"doubleValue": "NaN"}},
            {"key": "bytes", "value": {"bytesValue": "_-8"}},
            {"key": "empty"},
        ],
        "someday": {"deep": [1]},
    }
    body = {"resource_spans": [{"scopeSpans": [{"spans": [span], "schemaUrl": ""}]}], "later": 5}
    assert post(workspace, "traces", json.dumps(body).encode(), headers={"content-type": JSON}).status_code == 200
    [event] = events(workspace)
    assert event["properties"] == {
        "int": 9007199254740993,
        "number": 7,
        "double": "NaN",
        "bytes": "/+8=",
        "empty": None,
        "otel.trace_id": "0af7651916cd43dd8448eb211c80319c",
        "otel.span_id": "b7ad6b7169203331",
        "otel.span.kind": "server",
        "otel.status.code": "unset",
        "otel.duration_ms": 1.5,
    }


def test_beyond_a_limit_it_is_cut_there(workspace: Workspace) -> None:
    name = "ü" * 130
    own = {"enduser.id": "a\0" + "b" * 300, "user.id": "not this one"}
    post(workspace, "traces", traces({"name": name, "attributes": own}, resource={"service.name": "s" * 200}))
    [event] = events(workspace)
    assert (event["name"], event["properties"]["otel.name"]) == ("ü" * 128, name)
    assert event["actorKey"] == "a" + "b" * 255
    assert event["source"] == "s" * 128


def test_a_moment_beyond_the_limit_is_that_of_receipt(workspace: Workspace) -> None:
    far = NOW_NS * 3
    post(workspace, "traces", traces({"start_time_unix_nano": far}, {"start_time_unix_nano": 0, "name": "zero"}))
    zero, ahead = sorted(events(workspace), key=lambda event: "otel.time_unix_nano" in event["properties"])
    assert ahead["properties"]["otel.time_unix_nano"] == str(far)
    assert ahead["timestamp"] == zero["timestamp"] > "2026-11"


def test_nested_values(workspace: Workspace) -> None:
    value = {"list": [1, "a", {"b": [True, None]}], "bytes": b"\xff"}
    post(workspace, "logs", logs({"body": value, "attributes": value}))
    [event] = events(workspace)
    plain = {"list": [1, "a", {"b": [True, None]}], "bytes": "/w=="}
    assert event["properties"] == {**plain, "otel.body": plain}
    assert any_value(value).WhichOneof("value") == "kvlist_value"


def test_a_refused_request_is_in_the_list_of_refusals(workspace: Workspace) -> None:
    post(workspace, "traces", b"\xff")
    [refusal] = workspace.get("/v1/events/refusals").json()["refusals"]
    assert (refusal["status"], refusal["error"]) == (400, "validation_failed")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_405(workspace: Workspace, method: str) -> None:
    with workspace.client() as client:
        answer = client.request(method, "/v1/traces")
    assert answer.status_code == 405
    assert answer.headers["allow"].replace(" ", "") in {"POST,OPTIONS", "OPTIONS,POST"}

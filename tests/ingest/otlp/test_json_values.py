"""OTLP's JSON encoding, value by value (rules/events#otlp-requests)."""

import json
import math
from typing import Any

import pytest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.metrics.v1.metrics_pb2 import HistogramDataPoint
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tallyroom.ingest.otlp.json_values import InvalidValue, read_arguments

VALUES = [
    ({"stringValue": "5"}, AnyValue(string_value="5")),
    ({"string_value": "x"}, AnyValue(string_value="x")),
    ({"boolValue": False}, AnyValue(bool_value=False)),
    ({"intValue": 7}, AnyValue(int_value=7)),
    ({"intValue": "-9223372036854775808"}, AnyValue(int_value=-(2**63))),
    ({"intValue": 12.0}, AnyValue(int_value=12)),
    ({"doubleValue": 3}, AnyValue(double_value=3)),
    ({"doubleValue": "2.5"}, AnyValue(double_value=2.5)),
    ({"doubleValue": "-Infinity"}, AnyValue(double_value=-math.inf)),
    ({"bytesValue": "/+8="}, AnyValue(bytes_value=b"\xff\xef")),
    ({"bytesValue": "_-8"}, AnyValue(bytes_value=b"\xff\xef")),
    ({"intValue": None, "unknown": [{}]}, AnyValue()),
    (
        {"arrayValue": {"values": [{"intValue": 1}, {}]}},
        AnyValue(array_value=ArrayValue(values=[AnyValue(int_value=1), AnyValue()])),
    ),
    (
        {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": 1}}]}},
        AnyValue(kvlist_value=KeyValueList(values=[KeyValue(key="k", value=AnyValue(int_value=1))])),
    ),
]


@pytest.mark.parametrize(
    ("value", "expected"), VALUES, ids=lambda each: json.dumps(each) if isinstance(each, dict) else ""
)
def test_a_value(value: Any, expected: AnyValue) -> None:
    assert AnyValue(**read_arguments(AnyValue.DESCRIPTOR, value)) == expected


def test_fields_of_every_type() -> None:
    span = Span(
        **read_arguments(
            Span.DESCRIPTOR,
            {
                "traceId": "0AFF",
                "parent_span_id": "",
                "kind": "SPAN_KIND_CLIENT",
                "flags": 4294967295,
                "endTimeUnixNano": "1",
            },
        )
    )
    assert span == Span(trace_id=b"\x0a\xff", kind=Span.SPAN_KIND_CLIENT, flags=2**32 - 1, end_time_unix_nano=1)
    point = {"bucketCounts": ["1", 2], "explicitBounds": [0.5, "1"], "count": "18446744073709551615", "min": 0}
    assert HistogramDataPoint(**read_arguments(HistogramDataPoint.DESCRIPTOR, point)) == HistogramDataPoint(
        bucket_counts=[1, 2], explicit_bounds=[0.5, 1], count=2**64 - 1, min=0
    )


UNFIT = [
    ({"name": 1}, ["name"], "is not a string"),
    ({"name": {}}, ["name"], "is not a string"),
    ({"traceId": "0g"}, ["traceId"], "is not hexadecimal"),
    ({"traceId": 5}, ["traceId"], "is not a string"),
    ({"kind": "SERVER"}, ["kind"], "is not an integer"),
    ({"kind": 2**31}, ["kind"], "is not between -2147483648 and 2147483647"),
    ({"kind": True}, ["kind"], "is not an integer"),
    ({"startTimeUnixNano": -1}, ["startTimeUnixNano"], "is not between 0 and 18446744073709551615"),
    ({"startTimeUnixNano": 1.5}, ["startTimeUnixNano"], "is not an integer"),
    ({"startTimeUnixNano": "9" * 5000}, ["startTimeUnixNano"], "is not an integer"),
    ({"flags": -1}, ["flags"], "is not between 0 and 4294967295"),
    ({"attributes": {}}, ["attributes"], "is not a list"),
    ({"attributes": [{}, []]}, ["attributes", 1], "is not an object"),
    ({"attributes": [{"value": {"boolValue": 1}}]}, ["attributes", 0, "value", "boolValue"], "is not a boolean"),
    ({"attributes": [{"value": {"doubleValue": True}}]}, ["attributes", 0, "value", "doubleValue"], "is not a number"),
    ({"attributes": [{"value": {"doubleValue": "x"}}]}, ["attributes", 0, "value", "doubleValue"], "is not a number"),
    (
        {"attributes": [{"value": {"doubleValue": 10**400}}]},
        ["attributes", 0, "value", "doubleValue"],
        "is not a number",
    ),
    ({"attributes": [{"value": {"bytesValue": "ü"}}]}, ["attributes", 0, "value", "bytesValue"], "is not base64"),
    ({"attributes": [{"value": {"bytesValue": "abcde"}}]}, ["attributes", 0, "value", "bytesValue"], "is not base64"),
    ({"status": []}, ["status"], "is not an object"),
    ([], [], "is not an object"),
]


@pytest.mark.parametrize(("value", "path", "reason"), UNFIT, ids=lambda each: json.dumps(each)[:40])
def test_what_does_not_fit_is_named(value: Any, path: list[str | int], reason: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        read_arguments(Span.DESCRIPTOR, value)
    assert (refused.value.path, refused.value.reason) == (path, reason)

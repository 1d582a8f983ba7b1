"""Protobuf's fields, beside protobuf itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tallyroom.ingest.otlp.wire import Undecodable, encode_field, iterate_fields


@given(st.text(max_size=300), st.integers(0, 2**64 - 1), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_every_field_is_found_where_it_is(name: str, start: int, kind: int, dropped: int) -> None:
    span = Span(name=name, start_time_unix_nano=start, kind=kind, dropped_events_count=dropped, trace_state="x")  # type: ignore[arg-type] # numbers that are no kind, too
    encoded = b"before" + span.SerializeToString() + b"behind"
    again, numbers = b"", set()
    for field in iterate_fields(encoded, 6, len(encoded) - 6):
        again += encoded[field.start : field.stop]
        numbers.add(field.number)
        if field.number == 5:
            assert encoded[field.value_start : field.stop].decode() == name
    assert Span.FromString(again) == span
    assert numbers == {field.number for field, _ in span.ListFields()}


@given(st.binary(max_size=40_000), st.integers(1, 2**20))
def test_a_nested_value_is_read_again(value: bytes, number: int) -> None:
    encoded = encode_field(number, value)
    [field] = iterate_fields(encoded, 0, len(encoded))
    assert (field.number, encoded[field.value_start : field.stop], field.stop) == (number, value, len(encoded))


@pytest.mark.parametrize(
    "encoded",
    [
        b"\x0a",
        b"\x0a\x05ab",
        b"\x08",
        b"\x08\xff",
        b"\x39\0\0",
        b"\x0d\0",
        b"\x0b",
        b"\xff" * 11,
        b"\x0a" + b"\xff" * 10,
    ],
    ids=["no length", "cut off", "no number", "half a number", "fixed64", "fixed32", "group", "endless tag", "endless"],
)
def test_what_is_no_message_is_refused(encoded: bytes) -> None:
    with pytest.raises(Undecodable):
        list(iterate_fields(encoded, 0, len(encoded)))

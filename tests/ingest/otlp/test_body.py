"""Whatever way a request goes, the same records are kept, in their order, in pieces of a bounded size."""

import json
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from harness.clients.telemetry import NOW_NS, as_json, attributes, logs, metrics, traces
from harness.stores.event_store import NOW_MS
from tallyroom.core.errors import PayloadTooLarge
from tallyroom.core.event_limits import MAX_EVENT_BYTES
from tallyroom.ingest.otlp import body as otlp_body
from tallyroom.ingest.otlp import pack, walk
from tallyroom.ingest.otlp.body import CheckedPieces, keep_first_events, read_json, read_protobuf
from tallyroom.ingest.otlp.declared_types import decode_message
from tallyroom.ingest.otlp.pack import decompress
from tallyroom.ingest.otlp.signals import LOGS, METRICS, SIGNALS, TRACES, Signal
from tallyroom.ingest.otlp.wire import Undecodable, encode_field

texts = st.text(max_size=20)
values = st.none() | st.booleans() | texts | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.binary(max_size=9)
properties = st.dictionaries(texts, values | st.lists(values, max_size=3) | st.dictionaries(texts, values, max_size=2))
moments = st.integers(0, 2**64 - 1) | st.just(NOW_NS)
spans = st.fixed_dictionaries(
    {"name": texts, "start_time_unix_nano": moments},
    optional={
        "trace_id": st.binary(max_size=16),
        "kind": st.integers(-1, 7),
        "end_time_unix_nano": moments,
        "attributes": properties,
        "events": st.lists(st.fixed_dictionaries({"name": texts, "attributes": properties}), max_size=3),
        "status": st.fixed_dictionaries({"code": st.integers(-1, 4), "message": texts}),
    },
)
records = st.fixed_dictionaries(
    {"time_unix_nano": moments},
    optional={"body": values, "severity_number": st.integers(-1, 30), "event_name": texts, "attributes": properties},
)
points = st.fixed_dictionaries({"time_unix_nano": moments, "attributes": properties.map(attributes)})
numbers = st.tuples(points, st.integers(-(2**63), 2**63 - 1)).map(lambda pair: {**pair[0], "as_int": pair[1]})
kinds = st.sampled_from(["gauge", "sum", "histogram", "exponential_histogram", "summary"])
found = st.tuples(texts, kinds, st.lists(points, max_size=4), st.lists(numbers, max_size=4)).map(
    lambda parts: {"name": parts[0], parts[1]: {"data_points": parts[3] if parts[1] in {"gauge", "sum"} else parts[2]}}
)


def merged(requests: list[Message]) -> Message:
    whole = type(requests[0])()
    for request in requests:
        whole.MergeFrom(request)
    return whole


def several(make: Any, inner: Any) -> st.SearchStrategy[Message]:
    one = st.tuples(st.lists(inner, max_size=6), properties).map(lambda pair: make(*pair[0], resource=pair[1]))
    return st.lists(one, min_size=1, max_size=4).map(merged)


requests = st.one_of(
    st.tuples(st.just(TRACES), several(traces, spans)),
    st.tuples(st.just(LOGS), several(logs, records)),
    st.tuples(st.just(METRICS), several(metrics, found)),
)


def occurrences(signal: Signal, payload: bytes) -> list[Any]:
    return list(signal.build_occurrences(decode_message(signal.request_class, payload), NOW_MS))


def of(signal: Signal, taken: CheckedPieces) -> list[Any]:
    found = [occurrences(signal, decompress(compressed)) for compressed, _, _ in taken.pieces]
    assert [len(each) for each in found] == [events for _, _, events in taken.pieces]
    return [each for events in found for each in events]


@pytest.mark.long
@given(requests)
def test_protobuf_and_json_hold_the_same_events(request: tuple[Signal, Message]) -> None:
    signal, message = request
    payload = message.SerializeToString()
    expected = occurrences(signal, payload)
    assert of(signal, read_protobuf(signal, payload)) == expected
    assert of(signal, read_json(signal, as_json(message))) == expected


@pytest.mark.long
@given(requests, st.integers(40, 400))
def test_in_pieces_it_is_the_same(request: tuple[Signal, Message], most: int) -> None:
    signal, message = request
    payload = message.SerializeToString()
    with pytest.MonkeyPatch.context() as patched:
        for module in (pack, otlp_body):
            patched.setattr(module, "MAX_PIECE_BYTES", most)
        for taken in (read_protobuf(signal, payload), read_json(signal, as_json(message))):
            assert of(signal, taken) == occurrences(signal, payload)
            for _, size, events in taken.pieces:
                assert size <= most or events == 1 or signal is TRACES


@given(requests, st.integers(0, 12))
def test_the_first_are_those_that_came_first(request: tuple[Signal, Message], room: int) -> None:
    signal, message = request
    payload = message.SerializeToString()
    expected = occurrences(signal, payload)
    whole = read_protobuf(signal, payload)
    first = keep_first_events(signal, whole, room)
    kept = of(signal, first)
    assert kept == expected[: len(kept)]
    assert len(kept) <= room
    if signal is not TRACES:  # whose events go with their span
        assert len(kept) == min(room, len(expected))
        assert first.left_out.past_cap == len(expected) - len(kept)


@pytest.mark.parametrize("size", [MAX_EVENT_BYTES, MAX_EVENT_BYTES + 1])
@pytest.mark.parametrize("way", ["protobuf", "json"])
def test_the_limit_of_a_record_is_exact(size: int, way: str) -> None:
    shared = len(traces(resource={"r": "x"}).resource_spans[0].resource.SerializeToString()) + 2 + 2  # and the scope's
    empty = traces({"name": ""}, resource={"r": "x"})
    span = empty.resource_spans[0].scope_spans[0].spans[0]
    span.name = "n" * (size - shared - span.ByteSize() - 4)  # a length of three bytes, and the tag
    assert span.ByteSize() + shared == size
    payload = empty.SerializeToString()
    taken = read_protobuf(TRACES, payload) if way == "protobuf" else read_json(TRACES, as_json(empty))
    assert (taken.event_count, taken.left_out.too_large) == ((1, 0) if size <= MAX_EVENT_BYTES else (0, 1))


@given(st.sampled_from(list(SIGNALS.values())), st.binary(max_size=200))
def test_any_bytes_are_taken_or_refused(signal: Signal, body: bytes) -> None:
    for read in (read_protobuf, read_json):
        try:
            of(signal, read(signal, body))
        except Undecodable:
            continue


@given(requests, st.data())
def test_a_request_with_a_changed_byte_is_taken_or_refused(
    request: tuple[Signal, Message], data: st.DataObject
) -> None:
    signal, message = request
    for read, body in ((read_protobuf, message.SerializeToString()), (read_json, as_json(message))):
        if not body:
            continue
        place = data.draw(st.integers(0, len(body) - 1))
        changed = body[:place] + bytes([data.draw(st.integers(0, 255))]) + body[place + 1 :]
        with pytest.MonkeyPatch.context() as patched:
            if data.draw(st.booleans()):
                patched.setattr(otlp_body, "MAX_PIECE_BYTES", 60)
            try:
                of(signal, read(signal, changed))
            except Undecodable:
                continue


def test_more_parts_than_anybody_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MAX_FIELDS", 100)
    monkeypatch.setattr(walk, "MAX_VALUES", 100)
    monkeypatch.setattr(otlp_body, "MAX_PIECE_BYTES", 10)
    for read, body in (
        (read_protobuf, b"\x0a\x00" * 200),
        (read_json, json.dumps({"resourceSpans": [{}] * 200}).encode()),
    ):
        with pytest.raises(PayloadTooLarge, match="more than 100"):
            read(TRACES, body)


def test_a_request_without_records_is_bound_by_its_parts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose resource alone exceeds what an event may have is walked over, whether it has records or not."""
    monkeypatch.setattr(walk, "MAX_FIELDS", 100)
    large = encode_field(1, encode_field(1, encode_field(15, b"v" * 70_000)))
    with pytest.raises(PayloadTooLarge, match="more than 100"):
        read_protobuf(TRACES, large + b"\x0a\x00" * 200)


def test_records_without_a_byte_are_records() -> None:
    """What no sender fills in takes no bytes in protobuf, and is an event all the same."""
    body = {"resourceSpans": [{"scopeSpans": [{"spans": [{}, {"name": None, "kind": 0}]}]}]}
    assert read_json(TRACES, json.dumps(body).encode()).event_count == 2
    assert read_protobuf(TRACES, encode_field(1, encode_field(2, b"\x12\x00" * 2))).event_count == 2


def test_a_piece_holds_a_bounded_number_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "MAX_PIECE_EVENTS", 10)
    body = {"resourceSpans": [{"scopeSpans": [{"spans": [{}] * 25}]}]}
    taken = read_json(TRACES, json.dumps(body).encode())
    assert [counted.event_count for counted in taken.pieces] == [10, 10, 5]


def test_a_span_whose_events_would_repeat_too_much_is_too_large() -> None:
    """Each event of a span has all that the span's resource has: 2 bytes of a request would become 30,000."""
    span = {"events": [{}] * 1000}
    body = {"resourceSpans": [{"resource": of_bytes(30_000), "scopeSpans": [{"spans": [span, {"name": "s"}]}]}]}
    taken = read_json(TRACES, json.dumps(body).encode())
    assert (taken.event_count, taken.left_out.too_large) == (1, 1)


def of_bytes(size: int) -> dict[str, Any]:
    return {"attributes": [{"key": "k", "value": {"stringValue": "v" * size}}]}


def test_events_of_spans_count_as_often_as_they_repeat_what_they_share() -> None:
    """A small request must not become a large piece: 100 spans of 60 empty events, all with the same 30,000 bytes."""
    body = encode_field(
        1, resource_of(30_000) + encode_field(2, encode_field(2, encode_field(5, b"s") + b"\x5a\x00" * 60) * 100)
    )
    taken = read_protobuf(TRACES, body)
    assert taken.event_count == 100 * 61
    assert max(counted.event_count for counted in taken.pieces) * 30_000 <= pack.MAX_PIECE_BYTES


def test_a_resource_in_many_parts_is_one_resource() -> None:
    """Protobuf joins a message that stands twice, so each record has all of it."""
    parts = b"".join(resource_of(1000) for _ in range(70))
    assert read_protobuf(TRACES, encode_field(1, parts + encode_field(2, b"\x12\x00"))).left_out.too_large == 1
    assert read_protobuf(LOGS, encode_field(1, encode_field(2, parts + b"\x12\x00"))).left_out.too_large == 1
    apart = b"".join(encode_field(1, resource_of(1000) + encode_field(2, b"\x12\x00")) for _ in range(70))
    assert read_protobuf(TRACES, apart).event_count == 70


def test_a_protobuf_piece_holds_a_bounded_number_of_events() -> None:
    many = pack.MAX_PIECE_EVENTS + 1
    spans_alone = encode_field(1, encode_field(2, b"\x12\x00" * many))
    in_a_span = encode_field(1, encode_field(2, encode_field(2, b"\x5a\x00" * 20_000) * 2))
    assert [counted.event_count for counted in read_protobuf(TRACES, spans_alone).pieces] == [many - 1, 1]
    assert [counted.event_count for counted in read_protobuf(TRACES, in_a_span).pieces] == [20_001, 20_001]


def resource_of(size: int) -> bytes:
    return encode_field(1, encode_field(1, encode_field(1, b"k") + encode_field(2, encode_field(1, b"v" * size))))

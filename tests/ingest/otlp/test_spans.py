"""An event for each span and each span event (rules/events#otlp-events)."""

from harness.clients.telemetry import NOW_NS, traces
from harness.stores.event_store import NOW_MS
from tallyroom.ingest.otlp.occurrence import Occurrence
from tallyroom.ingest.otlp.spans import build_occurrences

TRACE, SPAN, PARENT = bytes(range(16)), bytes(range(8)), bytes(range(8, 16))


def test_a_whole_span_with_its_events() -> None:
    span = {
        "trace_id": TRACE,
        "span_id": SPAN,
        "parent_span_id": PARENT,
        "name": "GET /cart",
        "kind": 2,
        "start_time_unix_nano": NOW_NS + 1_999_999,
        "end_time_unix_nano": NOW_NS + 4_249_999,
        "attributes": {"http.response.status_code": 500, "enduser.id": "ann", "user.id": "bob", "who": "span"},
        "status": {"code": 2, "message": "boom"},
        "events": [
            {"name": "exception", "time_unix_nano": NOW_NS + 3_000_000, "attributes": {"exception.type": "KeyError"}},
            {"attributes": {"user.id": "cid"}},
        ],
    }
    resource = {"service.name": "shop", "who": "resource", "host": "h"}
    found = list(build_occurrences(traces(span, resource=resource, scope={"who": "scope", "lib": "l"}), NOW_MS))
    shared = {"service.name": "shop", "host": "h", "lib": "l"}
    ids = {"otel.trace_id": "000102030405060708090a0b0c0d0e0f", "otel.span_id": "0001020304050607"}
    assert found == [
        Occurrence(
            "GET /cart",
            "ann",
            "shop",
            NOW_MS + 1,
            {
                **shared,
                "who": "span",
                "http.response.status_code": 500,
                "enduser.id": "ann",
                "user.id": "bob",
                **ids,
                "otel.parent_span_id": "08090a0b0c0d0e0f",
                "otel.span.kind": "server",
                "otel.status.code": "error",
                "otel.status.message": "boom",
                "otel.duration_ms": 2.25,
            },
        ),
        Occurrence(
            "exception", "ann", "shop", NOW_MS + 3, {**shared, "who": "scope", "exception.type": "KeyError", **ids}
        ),
        Occurrence("event", "cid", "shop", NOW_MS + 1, {**shared, "who": "scope", "user.id": "cid", **ids}),
    ]


def test_a_bare_span() -> None:
    [found] = build_occurrences(traces({"name": "", "start_time_unix_nano": 0}), NOW_MS)
    properties = {"otel.trace_id": "", "otel.span_id": "", "otel.span.kind": "unspecified", "otel.status.code": "unset"}
    assert found == Occurrence("span", "", "", NOW_MS, properties)


def test_a_span_that_ends_before_it_begins_took_no_time() -> None:
    [found] = build_occurrences(traces({"end_time_unix_nano": NOW_NS - 5}), NOW_MS)
    assert found.properties["otel.duration_ms"] == 0


def test_kinds_and_codes_that_are_not_known_yet_are_their_numbers() -> None:
    [found] = build_occurrences(traces({"kind": 77, "status": {"code": 9}}), NOW_MS)
    assert (found.properties["otel.span.kind"], found.properties["otel.status.code"]) == ("77", "9")


def test_kinds_and_codes_below_zero() -> None:
    [found] = build_occurrences(traces({"kind": -1, "status": {"code": -1}}), NOW_MS)
    assert (found.properties["otel.span.kind"], found.properties["otel.status.code"]) == ("-1", "-1")


def test_events_keep_the_order_of_their_spans() -> None:
    request = traces({"name": "a", "events": [{"name": "a1"}, {"name": "a2"}]}, {"name": "b"})
    assert [found.name for found in build_occurrences(request, NOW_MS)] == ["a", "a1", "a2", "b"]

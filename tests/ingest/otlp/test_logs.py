"""An event for each log record (rules/events#otlp-events)."""

from typing import Any

import pytest

from harness.clients.telemetry import NOW_NS, logs
from harness.stores.event_store import NOW_MS
from tallyroom.ingest.otlp.logs import build_occurrences
from tallyroom.ingest.otlp.occurrence import Occurrence


def test_a_whole_record() -> None:
    record = {
        "observed_time_unix_nano": NOW_NS + 9_000_000,
        "severity_number": 17,
        "severity_text": "Error",
        "body": {"message": "no", "n": 1},
        "attributes": {"user.id": "ann", "code": 7},
        "trace_id": bytes(16),
        "span_id": b"\1" * 8,
        "event_name": "payment.failed",
    }
    resource = {"service.name": "shop", "code": 1}
    assert list(build_occurrences(logs(record, resource=resource, scope={"lib": "l"}), NOW_MS)) == [
        Occurrence(
            "payment.failed",
            "ann",
            "shop",
            NOW_MS,
            {
                "service.name": "shop",
                "lib": "l",
                "user.id": "ann",
                "code": 7,
                "otel.body": {"message": "no", "n": 1},
                "otel.severity_text": "Error",
                "otel.severity_number": 17,
                "otel.trace_id": "00" * 16,
                "otel.span_id": "01" * 8,
            },
        )
    ]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"event_name": "e", "severity_text": "T", "severity_number": 9}, "e"),
        ({"severity_text": "T", "severity_number": 9}, "T"),
        ({"severity_number": 1}, "TRACE"),
        ({"severity_number": 4}, "TRACE"),
        ({"severity_number": 5}, "DEBUG"),
        ({"severity_number": 9}, "INFO"),
        ({"severity_number": 16}, "WARN"),
        ({"severity_number": 17}, "ERROR"),
        ({"severity_number": 24}, "FATAL"),
        ({"severity_number": 25}, "log"),
        ({"severity_number": -1}, "log"),
        ({}, "log"),
    ],
)
def test_the_name_is_the_events_else_the_severity_else_log(record: dict[str, Any], name: str) -> None:
    [found] = build_occurrences(logs(record), NOW_MS)
    assert found.name == name


@pytest.mark.parametrize(
    ("times", "moment"),
    [
        ({"time_unix_nano": NOW_NS, "observed_time_unix_nano": NOW_NS + 5_000_000}, NOW_MS),
        ({"time_unix_nano": 0, "observed_time_unix_nano": NOW_NS + 5_000_000}, NOW_MS + 5),
        ({"time_unix_nano": 0}, NOW_MS + 1000),
    ],
)
def test_its_time_else_when_it_was_observed_else_when_it_came(times: dict[str, int], moment: int) -> None:
    [found] = build_occurrences(logs(times), NOW_MS + 1000)
    assert found.timestamp_ms == moment


def test_a_body_may_be_anything() -> None:
    bodies: list[Any] = ["text", 5, 1.5, True, [1, "a"], {}]
    found = [
        each.properties["otel.body"] for each in build_occurrences(logs(*[{"body": body} for body in bodies]), NOW_MS)
    ]
    assert found == bodies

"""The limits of an event, and who did it (rules/events#otlp-events)."""

from typing import Any

import pytest

from harness.stores.event_store import NOW_MS
from tallyroom.ingest.otlp.occurrence import build_occurrence

NOW_NS = NOW_MS * 10**6
DAY_NS = 86_400 * 10**9


@pytest.mark.parametrize(
    ("name", "kept", "whole"),
    [
        ("n", "n", None),
        ("é" * 128, "é" * 128, None),
        ("é" * 129, "é" * 128, "é" * 129),
        ("a\0b", "ab", "a\0b"),
        ("\0", "unnamed", "\0"),
        ("", "unnamed", None),
    ],
)
def test_names(name: str, kept: str, whole: str | None) -> None:
    found = build_occurrence(name, "unnamed", NOW_NS, NOW_MS, {})
    assert (found.name, found.properties.get("otel.name")) == (kept, whole)


@pytest.mark.parametrize(
    ("time_ns", "timestamp_ms", "kept"),
    [
        (NOW_NS, NOW_MS, None),
        (NOW_NS + 999_999, NOW_MS, None),
        (10**6, 1, None),
        (0, NOW_MS, None),
        (999_999, NOW_MS, None),
        (NOW_NS + DAY_NS, NOW_MS + 86_400_000, None),
        (NOW_NS + DAY_NS + 10**6, NOW_MS, str(NOW_NS + DAY_NS + 10**6)),
        (2**64 - 1, NOW_MS, str(2**64 - 1)),
    ],
)
def test_times(time_ns: int, timestamp_ms: int, kept: str | None) -> None:
    found = build_occurrence("n", "", time_ns, NOW_MS, {})
    assert (found.timestamp_ms, found.properties.get("otel.time_unix_nano")) == (timestamp_ms, kept)


@pytest.mark.parametrize(
    ("properties", "actor"),
    [
        ({}, "the span's"),
        ({"user.id": "ann"}, "ann"),
        ({"user.id": "ann", "enduser.id": "ben"}, "ben"),
        ({"user.id": "ann", "enduser.id": ""}, "ann"),
        ({"user.id": 42}, "42"),
        ({"user.id": 1.5}, "1.5"),
        ({"user.id": True}, "the span's"),
        ({"user.id": ["ann"]}, "the span's"),
        ({"user.id": None}, "the span's"),
        ({"user.id": "a" * 300}, "a" * 256),
        ({"user.id": "\0"}, "the span's"),
    ],
)
def test_actors(properties: dict[str, Any], actor: str) -> None:
    assert build_occurrence("n", "", NOW_NS, NOW_MS, properties, "the span's").actor == actor


@pytest.mark.parametrize(
    ("service", "source"), [("s" * 128, "s" * 128), ("s" * 129, "s" * 128), ("a\0", "a"), (5, "5"), (None, "")]
)
def test_sources(service: Any, source: str) -> None:
    assert build_occurrence("n", "", NOW_NS, NOW_MS, {"service.name": service}).source == source

"""Values of OpenTelemetry as JSON has them (rules/events#otlp-events)."""

from typing import Any

import pytest

from harness.clients.telemetry import any_value, attributes
from tallyroom.core.event_limits import MAX_DEPTH
from tallyroom.ingest.otlp.attributes import build_properties, convert_value


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("text", "text"),
        ("", ""),
        (True, True),
        (-(2**63), -(2**63)),
        (2.5, 2.5),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (b"\xff\0", "/wA="),
        (None, None),
        ([], []),
        ([1, [2, b"a"], {"k": None}], [1, [2, "YQ=="], {"k": None}]),
        ({}, {}),
        ({"a": {"b": [float("nan")]}}, {"a": {"b": ["NaN"]}}),
    ],
)
def test_values(sent: Any, kept: Any) -> None:
    assert convert_value(any_value(sent)) == kept
    assert build_properties(attributes({"k": sent})) == {"k": kept}


def test_the_last_of_a_key_counts() -> None:
    assert build_properties([*attributes({"k": 1, "j": 2}), *attributes({"k": 3})]) == {"k": 3, "j": 2}


def test_no_property_is_deeper_than_an_event_may_be() -> None:
    value: Any = "deepest"
    for _ in range(MAX_DEPTH + 10):
        value = [value]
    found, depth = convert_value(any_value(value)), 0
    while isinstance(found, list):
        [found], depth = found, depth + 1
    assert (found, depth) == (None, MAX_DEPTH)

"""The structs of the API reference say what the parser of ingest does."""

import json
from typing import Any

import msgspec
import pytest

from harness.stores.event_store import NOW_MS
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.schemas import EventBatch, EventIn
from tallyroom.ingest.validation.fast import parse

CASES: list[dict[str, Any]] = [
    {"name": "a"},
    {},
    {"name": ""},
    {"name": "é" * 128},
    {"name": "é" * 129},
    {"name": 1},
    {"name": "a", "properties": {"k": [1, None]}},
    {"name": "a", "properties": []},
    {"name": "a", "properties": None},
    {"name": "a", "_actor": "x" * 256},
    {"name": "a", "_actor": "x" * 257},
    {"name": "a", "_actor": None},
    {"name": "a", "_actorLabel": "x" * 257},
    {"name": "a", "_source": "x" * 129},
    {"name": "a", "_timestamp": "2026-11-20T12:00:00Z"},
    {"name": "a", "_timestamp": "yesterday"},
    {"name": "a", "_timestamp": 5},
    {"name": "a", "_timestamp": None},
    {"name": "a", "actor": "x"},
]


def taken(read: Any) -> bool:
    try:
        read()
    except (msgspec.ValidationError, TallyroomError):
        return False
    return True


@pytest.mark.parametrize("event", CASES, ids=lambda event: json.dumps(event)[:50])
def test_an_event_is_taken_by_both_or_by_none(event: dict[str, Any]) -> None:
    body = json.dumps(event).encode()
    described = taken(lambda: msgspec.json.decode(body, type=EventIn))
    assert described == taken(lambda: parse(body, NOW_MS))


@pytest.mark.parametrize("count", [0, 1, 500, 501])
def test_a_batch_is_taken_by_both_or_by_none(count: int) -> None:
    body = json.dumps({"events": [{"name": "a"}] * count}).encode()
    described = taken(lambda: msgspec.json.decode(body, type=EventBatch))
    assert described == taken(lambda: parse(body, NOW_MS))

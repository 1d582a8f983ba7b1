"""Where rows go in, and within which bounds (rules/events#import)."""

import json

from tallyroom.core.event_limits import MAX_BODY_BYTES, MAX_EVENTS
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT, bot_import_endpoint


def test_bodies() -> None:
    assert EVENTS_ENDPOINT.build_body([b"1", b"2"]) == b'{"events":[1,2]}'
    assert json.loads(bot_import_endpoint("chat").build_body([b"{}"])) == {"rows": [{}]}
    assert (EVENTS_ENDPOINT.empty_body_bytes, bot_import_endpoint("chat").empty_body_bytes) == (13, 11)


def test_bounds() -> None:
    assert (EVENTS_ENDPOINT.max_rows, EVENTS_ENDPOINT.max_bytes) == (MAX_EVENTS, MAX_BODY_BYTES)
    assert (bot_import_endpoint("chat").max_rows, bot_import_endpoint("chat").max_bytes) == (5_000, 8_000_000)


def test_each_platform_has_its_path() -> None:
    assert bot_import_endpoint("slack").path == "/slack/import"

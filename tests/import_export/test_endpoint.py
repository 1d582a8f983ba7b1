"""Where rows go in, and within which bounds (rules/events#import)."""

import json

from tallyroom.core.event_limits import MAX_BODY_BYTES, MAX_EVENTS
from tallyroom.import_export.endpoint import EVENTS, listing


def test_bodies() -> None:
    assert EVENTS.body([b"1", b"2"]) == b'{"events":[1,2]}'
    assert json.loads(listing("chat").body([b"{}"])) == {"rows": [{}]}
    assert (EVENTS.frame_bytes, listing("chat").frame_bytes) == (13, 11)


def test_bounds() -> None:
    assert (EVENTS.most_rows, EVENTS.most_bytes) == (MAX_EVENTS, MAX_BODY_BYTES)
    assert (listing("chat").most_rows, listing("chat").most_bytes) == (5_000, 8_000_000)


def test_each_platform_has_its_path() -> None:
    assert listing("slack").path == "/slack/import"

"""An id leads back to its position, and other texts lead nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from tallyroom.storage.event_store.event_id import EventPosition, id_of, position_of

POSITIONS = [
    EventPosition(NOW_MS, 1, 1),
    EventPosition(0, 0, 0),
    EventPosition(NOW_MS, 2**32 - 1, 2**42 - 1),
    EventPosition(4_102_444_800_000, 2**20, 2**41),
]


@pytest.mark.parametrize("position", POSITIONS)
def test_an_id_leads_back_to_its_position(event_store: EventStore, position: EventPosition) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, timestamp_ms=position.timestamp_ms, spool=position.spool, seq=position.seq)])
    [[event_id]] = event_store.select("SELECT id FROM events WHERE {scope}", scope)
    assert position_of(event_id) == position
    assert id_of(position) == event_id


@pytest.mark.parametrize(
    "text",
    [
        "",
        "keys",
        "0199e3c1-0000-4000-8000-000000000001",  # version 4
        "0199e3c1-0000-7000-c000-000000000001",  # another variant
        "0199E3C1-0000-7000-8000-000000000001",
        "{0199e3c1-0000-7000-8000-000000000001}",
        "0199e3c1000070008000000000000001",
        " 0199e3c1-0000-7000-8000-000000000001",
    ],
)
def test_what_no_event_has_as_its_id(text: str) -> None:
    assert position_of(text) is None


@given(st.uuids() | st.text())
def test_any_text_is_a_place_or_none(text: object) -> None:
    position_of(str(text))

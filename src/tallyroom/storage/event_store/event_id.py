"""Converts an event's ID to its position and back (rules/events#event-id; migration 0001 does so in SQL)."""

from typing import NamedTuple
from uuid import UUID

_VERSION = 0x7
_VARIANT = 0b10
_SEQ_BITS = 42


class EventPosition(NamedTuple):
    """An event's position in the order of events."""

    timestamp_ms: int
    spool: int
    seq: int


def position_of(event_id: str) -> EventPosition | None:
    """Return the position of the event with this ID; None if the text is not the ID of an event."""
    try:
        number = UUID(event_id).int
    except ValueError:
        return None
    high, low = number >> 64, number & (1 << 64) - 1
    position = EventPosition(high >> 16, (high & 0xFFF) << 20 | low >> _SEQ_BITS & 0xFFFFF, low & (1 << _SEQ_BITS) - 1)
    is_shaped = high >> 12 & 0xF == _VERSION and low >> 62 == _VARIANT
    return position if is_shaped and str(UUID(int=number)) == event_id else None


def id_of(position: EventPosition) -> str:
    """Return the ID of the event at this position; the inverse of `position_of`."""
    high = position.timestamp_ms << 16 | _VERSION << 12 | position.spool >> 20
    low = _VARIANT << 62 | (position.spool & 0xFFFFF) << _SEQ_BITS | position.seq & (1 << _SEQ_BITS) - 1
    return str(UUID(int=high << 64 | low))

"""An event's id leads to its row (rules/events#event-id; store/migrations/0001 has the way back)."""

from typing import NamedTuple
from uuid import UUID

_VERSION = 0x7
_VARIANT = 0b10
_SEQ_BITS = 42


class Place(NamedTuple):
    """Where one event stands."""

    timestamp_ms: int
    spool: int
    seq: int


def place_of(event_id: str) -> Place | None:
    """The place of the event with this id; None for a text that is no id of an event."""
    try:
        number = UUID(event_id).int
    except ValueError:
        return None
    high, low = number >> 64, number & (1 << 64) - 1
    place = Place(high >> 16, (high & 0xFFF) << 20 | low >> _SEQ_BITS & 0xFFFFF, low & (1 << _SEQ_BITS) - 1)
    is_shaped = high >> 12 & 0xF == _VERSION and low >> 62 == _VARIANT
    return place if is_shaped and str(UUID(int=number)) == event_id else None


def id_of(place: Place) -> str:
    """The id that an event at this place has; the way back of `place_of`."""
    high = place.timestamp_ms << 16 | _VERSION << 12 | place.spool >> 20
    low = _VARIANT << 62 | (place.spool & 0xFFFFF) << _SEQ_BITS | place.seq & (1 << _SEQ_BITS) - 1
    return str(UUID(int=high << 64 | low))

"""Lines of one month of a range."""

from collections.abc import Sequence
from typing import NamedTuple


class Rows(NamedTuple):
    """Lines of one month.

    Attributes:
        events: their number.
        body: the lines.
        stand_ins: the places, from 0, of the stand-ins among them.
    """

    events: int
    body: bytes
    stand_ins: tuple[int, ...] = ()


def joined(parts: Sequence[Rows]) -> Rows:
    """Return the lines of several, one after the other."""
    events, stand_ins = 0, []
    for part in parts:
        stand_ins += [events + place for place in part.stand_ins]
        events += part.events
    return Rows(events, b"".join([part.body for part in parts]), tuple(stand_ins))

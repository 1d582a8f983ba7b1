"""Lines of one month of a range."""

from collections.abc import Sequence
from typing import NamedTuple


class Rows(NamedTuple):
    """Lines of one month, and the indexes of the stand-ins among them."""

    event_count: int
    body: bytes
    stand_in_indexes: tuple[int, ...] = ()


def join_rows(parts: Sequence[Rows]) -> Rows:
    """Return the lines of several, one after the other."""
    event_count, stand_in_indexes = 0, []
    for part in parts:
        stand_in_indexes += [event_count + index for index in part.stand_in_indexes]
        event_count += part.event_count
    return Rows(event_count, b"".join([part.body for part in parts]), tuple(stand_in_indexes))

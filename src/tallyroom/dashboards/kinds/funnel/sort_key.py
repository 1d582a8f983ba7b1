"""The encoding of a unit's events as integers that sort as the events do.

The lowest bits of such an integer say what the event is good for: eight bits for the steps that it matches and, only
where the config needs them, five for the exclusions that it matches and four for the number of a label. Above them are
the tie-breakers, if any, and then the moment.

An event of the first step that has a label appears once more for each of its labels, right behind itself: the series
of a label starts with these events, and with no others.
"""

from enum import IntEnum

import msgspec


class Bit(IntEnum):
    """The lowest bit of what an event is good for."""

    STEP = 0
    EXCLUSION = 8
    SERIES = 13
    END = 17


SERIES_OF = f"bitAnd(bitShiftRight(toUInt32(place), {Bit.SERIES.value}), 15)"
"""SQL of the number of the label that a `place` starts chains for; 0 for an event itself."""

LATER_STEPS = f"bitAnd(toUInt32(place), {(1 << Bit.EXCLUSION) - 2})"
"""SQL that is not 0 if a `place` matches a step after the first one."""

_OTHER_MATCHES = f"bitAnd(toUInt32(place), {(1 << Bit.SERIES) - 2})"


class PlaceOrder(msgspec.Struct, frozen=True):
    """The encoding of an event and its position among the others as one integer.

    Attributes:
        place: SQL of the integer, computed from the event's `moment`, its tie-breakers if any, and `steps`.
        shift: the lowest bit of the moment.
        type: of the integer.
        wider: the type of an integer that has room for 32 bits more.
    """

    place: str
    shift: int
    type: str
    wider: str

    def has_ties(self, places: str) -> str:
        """Return SQL that is true if two of `places` at the same moment differ, so that their order may matter."""
        return self._has_ties_sql("place != before", places)

    def has_ties_with_series(self, places: str) -> str:
        """Do the same for `places` with those of labels.

        Events that match the same steps still differ if the first is one of several, as only one may have the label.
        """
        differs = f"(place != before OR bitTest(toUInt32(place), 0) AND {_OTHER_MATCHES} > 0)"
        return self._has_ties_sql(differs, f"arrayFilter(place -> {SERIES_OF} = 0, {places})")

    def _has_ties_sql(self, differs: str, places: str) -> str:
        at_one_moment = f"bitShiftRight(bitXor(place, before), {self.shift}) = 0"
        pairs = f"{places}, arrayShiftRight({places}, 1)"
        return f"arrayExists((place, before) -> {differs} AND {at_one_moment}, {pairs})"


def encode_places_by_moment(bits: int) -> PlaceOrder:
    """Order events by their moment alone, above so many bits for what they are good for."""
    return PlaceOrder(f"bitShiftLeft(moment, {bits}) + steps", bits, "UInt64", "UInt128")


def encode_places_by_arrival(bits: int) -> PlaceOrder:
    """Order events by their moment, and events of one moment by their arrival; 64 bits hold the sequence number."""
    spool_shift, received_shift, moment_shift = bits + 64, bits + 96, bits + 144
    return PlaceOrder(
        f"bitShiftLeft(toUInt256(moment), {moment_shift})"
        f" + bitShiftLeft(toUInt256(toUnixTimestamp64Milli(received_at)), {received_shift})"
        f" + bitShiftLeft(toUInt128(spool), {spool_shift}) + bitShiftLeft(toUInt128(seq), {bits}) + steps",
        moment_shift,
        "UInt256",
        "UInt256",
    )

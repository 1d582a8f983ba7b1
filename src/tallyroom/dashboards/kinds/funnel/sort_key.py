"""The encoding of a unit's events as integers that sort as the events do.

The lowest bits of such an integer encode what the event matches: eight bits for the steps and, only if the config needs
them, five for the exclusions and four for the number of a label. Above them are the tie-breakers, if any, and then the
moment.

An event of the first step that has a label appears once more for each of its labels, right behind itself: the series of
a label starts with these events only.
"""

from enum import IntEnum

import msgspec


class BitOffset(IntEnum):
    """The lowest bit of each part of an event's matches."""

    STEP = 0
    EXCLUSION = 8
    SERIES = 13
    END = 17


SERIES_NUMBER_SQL = f"bitAnd(bitShiftRight(toUInt32(place), {BitOffset.SERIES.value}), 15)"
"""SQL of the number of the label whose chains a `place` starts; 0 for an event itself."""

LATER_STEPS_SQL = f"bitAnd(toUInt32(place), {(1 << BitOffset.EXCLUSION) - 2})"
"""SQL that is not 0 if a `place` matches a step after the first one."""

_OTHER_MATCHES_SQL = f"bitAnd(toUInt32(place), {(1 << BitOffset.SERIES) - 2})"


class PlaceEncoding(msgspec.Struct, frozen=True):
    """The encoding of an event and its position among the others as one integer.

    Attributes:
        place_sql: SQL of the integer, computed from the event's `moment`, its tie-breakers if any, and `steps`.
        moment_shift: the lowest bit of the moment.
        wider_type: the type of an integer that has room for 32 bits more.
    """

    place_sql: str
    moment_shift: int
    integer_type: str
    wider_type: str

    def build_ties_condition(self, places_sql: str) -> str:
        """Return SQL that is true if two of `places_sql` at the same moment differ, so that their order may matter."""
        return self._build_ties_sql("place != before", places_sql)

    def build_series_ties_condition(self, places_sql: str) -> str:
        """Return the same condition if `places_sql` includes the places of labels.

        Events that match the same steps still differ if the first is one of several, because only one may have the
        label.
        """
        differs_condition = f"(place != before OR bitTest(toUInt32(place), 0) AND {_OTHER_MATCHES_SQL} > 0)"
        return self._build_ties_sql(differs_condition, f"arrayFilter(place -> {SERIES_NUMBER_SQL} = 0, {places_sql})")

    def _build_ties_sql(self, differs_condition: str, places_sql: str) -> str:
        same_moment_condition = f"bitShiftRight(bitXor(place, before), {self.moment_shift}) = 0"
        pair_arrays = f"{places_sql}, arrayShiftRight({places_sql}, 1)"
        return f"arrayExists((place, before) -> {differs_condition} AND {same_moment_condition}, {pair_arrays})"


def encode_places_by_moment(match_bits: int) -> PlaceEncoding:
    """Order events by their moment alone, above `match_bits` bits for what they match."""
    return PlaceEncoding(f"bitShiftLeft(moment, {match_bits}) + steps", match_bits, "UInt64", "UInt128")


def encode_places_by_arrival(match_bits: int) -> PlaceEncoding:
    """Order events by their moment, and then by their arrival, whose sequence number has 64 bits."""
    spool_shift, received_shift, moment_shift = match_bits + 64, match_bits + 96, match_bits + 144
    return PlaceEncoding(
        f"bitShiftLeft(toUInt256(moment), {moment_shift})"
        f" + bitShiftLeft(toUInt256(toUnixTimestamp64Milli(received_at)), {received_shift})"
        f" + bitShiftLeft(toUInt128(spool), {spool_shift}) + bitShiftLeft(toUInt128(seq), {match_bits}) + steps",
        moment_shift,
        "UInt256",
        "UInt256",
    )

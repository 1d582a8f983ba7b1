"""The encoding of a unit's events as integers that sort as the events do.

The lowest bits encode what the event matches: eight bits for the steps and, only if the config needs them, five for the
exclusions and four for the number of a label. Above them are the tie-breakers, if any, and then the moment.

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


# The number of the label whose chains a `place` starts; 0 for an event itself.
SERIES_NUMBER_SQL = f"bitAnd(bitShiftRight(toUInt32(place), {BitOffset.SERIES.value}), 15)"
LATER_STEPS_SQL = f"bitAnd(toUInt32(place), {(1 << BitOffset.EXCLUSION) - 2})"  # not 0 if it matches a later step
_OTHER_MATCHES_SQL = f"bitAnd(toUInt32(place), {(1 << BitOffset.SERIES) - 2})"


class PlaceEncoding(msgspec.Struct, frozen=True):
    """The encoding of an event and its position among the others as one integer.

    `place_sql` uses the event's `moment`, its tie-breakers if any, and `steps`. `moment_shift` is the lowest bit of the
    moment. `wider_type` has room for 32 bits more than `integer_type`.
    """

    place_sql: str
    moment_shift: int
    integer_type: str
    wider_type: str

    def build_ties_condition(self, places_sql: str, *, has_labels: bool) -> str:
        """Return SQL that is true if two of `places_sql` at the same moment differ, so that their order may matter.

        With labels, two events that match the same steps may differ, too, because only one of them may have the label.
        """
        differs_condition = "place != before"
        if has_labels:
            differs_condition = f"(place != before OR bitTest(toUInt32(place), 0) AND {_OTHER_MATCHES_SQL} > 0)"
            places_sql = f"arrayFilter(place -> {SERIES_NUMBER_SQL} = 0, {places_sql})"
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

"""The number of units, such as actors, in each of a few states, which a unit's events can only add to.

The state over all of the time follows from the states over its parts, in any order and however often they are read.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.row_binary import RowBinaryReader
from tallyroom.queries.slices import TIME_MARK, build_time_sql
from tallyroom.queries.window import Window, join_windows

MAX_KEPT_STATES = 400_000  # 16 bytes each


class StateCounts(NamedTuple):
    """How many units are in each state."""

    count_by_state: Mapping[int, int]


class UnitStates(NamedTuple):
    """How many units are in each state, and the states of the units by the hashes of these, in order.

    The two arrays have at most `MAX_KEPT_STATES` entries; they are incomplete if there are more units.
    """

    count_by_state: Mapping[int, int]
    hashes: "array[int]"
    states: "array[int]"


class StateQuery(msgspec.Struct, frozen=True, kw_only=True):
    """`units_sql` is a SELECT of `unit` and `state`, an integer of 64 bits, for any time, `TIME_MARK`.

    `merge_states` returns the state of a unit from those in two parts of the time.
    """

    units_sql: str
    parameters: dict[str, Any]
    window: Window
    merge_states: Callable[[int, int], int]

    def bind(self, parameters: dict[str, Any]) -> "StateQuery":
        """Return the query with more parameters."""
        return msgspec.structs.replace(self, parameters=self.parameters | parameters)

    def build_sql(self, parts: Sequence[Window]) -> tuple[str, QueryParameters]:
        """Return a SELECT for some parts of the time, in order and disjoint, and its parameters.

        A hash and a state are packed into one integer, because the store is slow at sorting tuples.
        """
        parameters = QueryParameters()
        parameters.values = dict(self.parameters)
        time_sql = build_time_sql(list(join_windows(parts)), parameters)
        sql = f"""
SELECT
  sumMap([state], [toUInt64(1)]) AS counts,
  arraySort(groupArray({MAX_KEPT_STATES})(bitShiftLeft(toUInt128(sipHash64(unit)), 64) + state)) AS units
FROM (
{self.units_sql.replace(TIME_MARK, time_sql)}
)"""
        return sql.strip(), parameters


def read_unit_states(answer: bytes) -> UnitStates:
    """Read the answer to a `StateQuery`; an empty answer has no units."""
    if not answer:
        return UnitStates({}, array("Q"), array("Q"))
    reader = RowBinaryReader(answer)
    states, counts = reader.read_integers(), reader.read_integers()
    return UnitStates(dict(zip(states, counts, strict=True)), *reader.read_pairs())

"""A sum over units, such as actors, of what each one's events in a window give (rules/questions#units).

If the window moves on, only the units with events at its two ends give something else.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.slices import TIME_MARK, build_time_sql
from tallyroom.queries.window import Window, join_windows

CODE_BITS = 8  # of a place: what the event matches, below the moment
LENGTH_BITS = 24  # of the number of a unit's places, below the index of the first one
MAX_KEPT_PLACES = 2_000_000  # 8 bytes each
MAX_PARTS_PLACES = 60_000  # in the parts of the time that are read again

MeasureUnit = Callable[[Sequence[int]], list[int] | None]
"""From a unit's places in order to one number for each stage that it reached; None if the places do not decide it.

A place is a moment in milliseconds, shifted by `CODE_BITS`, and a code for what the event matches.
"""


class UnitTotals(NamedTuple):
    """How many units reached each stage, and for each stage but the first the numbers of these, in ascending order."""

    counts: list[int]
    numbers: "list[array[int]]"


class UnitQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Two SELECTs of integers, each with one row in the format RowBinary.

    `total_sql` is for the whole window: the number of units at the first stage, the number of units that
    `measure_unit` cannot measure, up to `MAX_KEPT_PLACES` units and places, and the sorted numbers of each later stage.
    Each unit is its hash, in order, above the index of its first place and, in `LENGTH_BITS`, the number of its places.
    `events_sql` is for any time, `TIME_MARK`: up to `MAX_PARTS_PLACES` places, each below the hash of its unit, in
    order.

    The moments of these places count from `origin_ms`. Of the parameters of `total_sql`, only those in `edge_names`
    depend on the window.
    """

    total_sql: str
    total_parameters: dict[str, Any]
    edge_names: frozenset[str]
    events_sql: str
    events_parameters: dict[str, Any]
    window: Window
    origin_ms: int
    stage_count: int
    measure_unit: MeasureUnit

    def bind(self, parameters: dict[str, Any]) -> "UnitQuery":
        """Return the query with more parameters."""
        return msgspec.structs.replace(
            self,
            total_parameters=self.total_parameters | parameters,
            events_parameters=self.events_parameters | parameters,
        )

    def build_events_sql(self, parts: Sequence[Window]) -> tuple[str, QueryParameters]:
        """Return the SELECT for some parts of the time, which are in order and disjoint, and its parameters."""
        parameters = QueryParameters()
        parameters.values = dict(self.events_parameters)
        return self.events_sql.replace(TIME_MARK, build_time_sql(list(join_windows(parts)), parameters)), parameters

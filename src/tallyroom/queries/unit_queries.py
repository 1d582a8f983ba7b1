"""A sum over units, such as actors, of what each one's events in a window give (rules/questions#units).

If the window moves on, only the units with events at its two ends give something else.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.slices import TIME_MARK, build_time_sql
from tallyroom.queries.window import Window, join_windows

CODE_BITS = 8  # of a place: what the event matches, below the moment
LENGTH_BITS = 24  # of the number of a unit's places, below the index of the first one
MAX_KEPT_PLACES = 2_000_000  # 8 bytes each
MAX_TORN_UNITS = 2_000
MAX_PARTS_PLACES = 60_000  # in the parts of the time that are read again

UNITS_MARK = "{units}"


class UnitProgress(NamedTuple):
    """One number for each stage that a unit reached, and the moment from which its time for the next stage counts.

    The moment is in milliseconds since 1970; None at the last stage, and before the first.
    """

    numbers: list[int]
    waiting_since_ms: int | None


MeasureUnit = Callable[[Sequence[int]], UnitProgress]
"""From a unit's places in order to how far it got.

A place is a moment in milliseconds, shifted by `CODE_BITS`, and a code for what the event matches.
"""


class UnitTotals(NamedTuple):
    """How many units reached each stage, and for each stage but the first the numbers of these, in ascending order.

    `waiting_counts` is how many units at each stage but the last still have time for the next one.
    """

    counts: list[int]
    numbers: "list[array[int]]"
    waiting_counts: list[int]


class UnitQuery(msgspec.Struct, frozen=True, kw_only=True):
    """SELECTs of integers, each with one row in the format RowBinary.

    `count_sql` is the number of all places in the window, and `numbers_sql` is `total_sql` without units and places.
    Both have the parameters of `total_sql`.

    `total_sql` is for the whole window: the number of units at the first stage; the hashes of up to `MAX_TORN_UNITS`
    units for which the order of arrival may matter, and which are not in the numbers; up to `MAX_KEPT_PLACES` units and
    places; the sorted numbers of each later stage; and, for each stage but the last, the sorted moments from which the
    time of the units there counts. Each unit is its hash, in order, above the index of its first
    place and, in `LENGTH_BITS`, the number of its places. `events_sql` is for any time, `TIME_MARK`, and some units,
    `UNITS_MARK`: up to `MAX_PARTS_PLACES` places, each below the hash of its unit, in the order of arrival.

    The moments count from `origin_ms`. Of the parameters of `total_sql`, only those in `edge_names` depend on the
    window. A unit still has time for the next stage if its time counts from a moment after `deadline_ms`, since 1970.
    """

    count_sql: str
    numbers_sql: str
    total_sql: str
    total_parameters: dict[str, Any]
    edge_names: frozenset[str]
    events_sql: str
    events_parameters: dict[str, Any]
    window: Window
    origin_ms: int
    deadline_ms: int
    stage_count: int
    measure_unit: MeasureUnit

    def bind(self, parameters: dict[str, Any]) -> "UnitQuery":
        """Return the query with more parameters."""
        return msgspec.structs.replace(
            self,
            total_parameters=self.total_parameters | parameters,
            events_parameters=self.events_parameters | parameters,
        )

    def build_events_sql(
        self, parts: Sequence[Window], hashes: Iterable[int] | None = None
    ) -> tuple[str, QueryParameters]:
        """Return the SELECT for some parts of the time, which are in order and disjoint, and its parameters.

        `hashes` are those of the units; None means all.
        """
        parameters = QueryParameters()
        parameters.values = dict(self.events_parameters)
        units_sql = "true"
        if hashes is not None:
            signed_hashes = [hash_ - (hash_ >> 63 << 64) for hash_ in hashes]
            units_sql = f"reinterpretAsInt64(sipHash64(unit)) IN {parameters.bind_integers('hashes', signed_hashes)}"
        time_sql = build_time_sql(list(join_windows(parts)), parameters)
        return self.events_sql.replace(TIME_MARK, time_sql).replace(UNITS_MARK, units_sql), parameters

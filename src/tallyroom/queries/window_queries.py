"""A number for each of some windows, asked by part of the time, so that known parts need not be read again."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.slices import TIME_MARK, build_time_sql
from tallyroom.queries.window import Window, join_windows

PART_MARK = "{part}"
LOWEST_MARK, HIGHEST_MARK = "{lowest_number}", "{highest_number}"


class WindowNumbers(NamedTuple):
    """The number of each window of a `WindowQuery`; None if there is none."""

    numbers: list[float | None]


class WindowQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A SELECT whose rows are parts of the time, in the format RowBinary; subclasses say what else a row has.

    In its text, `TIME_MARK` is the condition for the time, and `PART_MARK` the start of an event's part. `windows` are
    in order and disjoint.
    """

    sql: str
    parameters: dict[str, Any]
    windows: Sequence[Window]

    def bind(self, parameters: dict[str, Any]) -> "WindowQuery":
        """Return the query with more parameters."""
        return msgspec.structs.replace(self, parameters=self.parameters | parameters)

    def build_sql(self, parts: Sequence[Window]) -> tuple[str, QueryParameters]:
        """Return the SELECT for some parts, which are in order and disjoint, and its parameters."""
        parameters = QueryParameters()
        parameters.values = dict(self.parameters)
        time_sql = build_time_sql(list(join_windows(parts)), parameters)
        starts_placeholder = parameters.bind_integers("starts_ms", [part.from_ms for part in parts])
        part_sql = f"roundDown(toUnixTimestamp64Milli(timestamp), {starts_placeholder})"
        return self.sql.replace(TIME_MARK, time_sql).replace(PART_MARK, part_sql), parameters


class DistinctQuery(WindowQuery, frozen=True, kw_only=True):
    """A query for the number of distinct values of each window (distinct_values.py)."""


class MedianQuery(WindowQuery, frozen=True, kw_only=True):
    """A query for the median of each window (medians.py).

    `sql` is for the numbers from `LOWEST_MARK` to `HIGHEST_MARK`, and `spread_sql` for how all numbers are spread.
    """

    spread_sql: str

    def limit(self, lowest: float, highest: float) -> "MedianQuery":
        """Return the query for some of the numbers, both ends inclusive."""
        parameters = QueryParameters()
        parameters.values = dict(self.parameters)
        marks = {LOWEST_MARK: parameters.bind_number("lowest", lowest)}
        marks[HIGHEST_MARK] = parameters.bind_number("highest", highest)
        sql = self.sql
        for mark, placeholder in marks.items():
            sql = sql.replace(mark, placeholder)
        return msgspec.structs.replace(self, sql=sql, parameters=parameters.values)

    def build_spread_sql(self) -> tuple[str, QueryParameters]:
        """Return the SELECT for how the numbers of each window are spread, and its parameters."""
        return msgspec.structs.replace(self, sql=self.spread_sql).build_sql(self.windows)

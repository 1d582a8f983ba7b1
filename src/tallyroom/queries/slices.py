"""A query in slices of time: its rows over the whole time follow from its rows over disjoint slices of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.window import Window, days_hint_sql, moments_sql

TIME_MARK, SLICE_MARK = "{time}", "{slice}"


class Slice(NamedTuple):
    """A part of the time of a query; `is_whole` if later queries will have exactly this slice again."""

    number: int
    window: Window
    is_whole: bool


class SlicedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A SELECT of the columns of a `CellRow`, in slices that are in the order of time and disjoint.

    In its text, `TIME_MARK` is the condition for the time, and `SLICE_MARK` the number of an event's slice, which is
    `number_sql` with `number_parameters`. Neither of these affects the other columns.
    """

    sql: str
    parameters: dict[str, Any]
    slices: Sequence[Slice]
    number_sql: str
    number_parameters: dict[str, Any]
    may_have_many_rows: bool = False

    def build_sql(self, slices: Iterable[Slice]) -> tuple[str, QueryParameters]:
        """Return the SELECT for some of the slices, in order, and its parameters."""
        parameters = QueryParameters()
        parameters.values = self.parameters | self.number_parameters
        time_sql = build_time_sql(list(_join_windows(slices)), parameters)
        return self.sql.replace(TIME_MARK, time_sql).replace(SLICE_MARK, self.number_sql), parameters


def slice_by_day(
    sql: str, parameters: QueryParameters, windows: Sequence[Window], *, may_have_many_rows: bool = False
) -> SlicedQuery:
    """Return a query in slices of UTC days, cut at the ends of `windows`, which are in order and disjoint."""
    boundaries_ms = [later.from_ms for _, later in pairwise(windows)]
    number_parameters = QueryParameters()
    number_sql = f"intDiv(toUnixTimestamp64Milli(timestamp), {DAY_MS})"
    for boundary_ms in boundaries_ms:  # so that two slices of the same day have different numbers
        number_sql += f" + (toUnixTimestamp64Milli(timestamp) >= {number_parameters.bind_integer('cut', boundary_ms)})"
    return SlicedQuery(
        sql=sql,
        parameters=parameters.values,
        slices=list(_cut_into_days(windows, boundaries_ms)),
        number_sql=number_sql,
        number_parameters=number_parameters.values,
        may_have_many_rows=may_have_many_rows,
    )


def slice_by_bucket(sql: str, parameters: QueryParameters, buckets: Buckets, number_sql: str) -> SlicedQuery | None:
    """Return a query in slices that are buckets, so that it can have any measure; None if they are not contiguous."""
    if not buckets.are_contiguous:
        return None
    window = buckets.window
    slices = []
    for number, (start_ms, end_ms) in zip(buckets.numbers, pairwise(buckets.edges_ms), strict=True):
        part = Window(max(start_ms, window.from_ms), min(end_ms - 1, window.until_ms))
        slices.append(Slice(number, part, part == Window(start_ms, end_ms - 1)))
    return SlicedQuery(
        sql=sql, parameters=parameters.values, slices=slices, number_sql=number_sql, number_parameters={}
    )


def _cut_into_days(windows: Iterable[Window], boundaries_ms: Sequence[int]) -> Iterator[Slice]:
    for window in windows:
        for day in range(max(window.from_ms, 0) // DAY_MS, window.until_ms // DAY_MS + 1):
            start_ms, end_ms = day * DAY_MS, (day + 1) * DAY_MS - 1
            part = Window(max(start_ms, window.from_ms), min(end_ms, window.until_ms))
            number = day + sum(boundary_ms <= part.from_ms for boundary_ms in boundaries_ms)
            yield Slice(number, part, part == Window(start_ms, end_ms))


def _join_windows(slices: Iterable[Slice]) -> Iterator[Window]:
    """Return the time of some slices as few windows."""
    current: Window | None = None
    for slice_ in slices:
        window = slice_.window
        if current is not None and current.until_ms + 1 == window.from_ms:
            current = Window(current.from_ms, window.until_ms)
            continue
        if current is not None:
            yield current
        current = window
    if current is not None:
        yield current


def build_time_sql(windows: Sequence[Window], parameters: QueryParameters) -> str:
    """Return SQL that is true for an event in one of some windows, as `time_condition` does for one."""
    moments, days = [], []
    for window in windows:
        parameters.extend_span(window.from_ms, window.until_ms)
        from_sql, until_sql = moments_sql(window, parameters)
        moments.append(f"timestamp >= {from_sql} AND timestamp <= {until_sql}")
        days.append(days_hint_sql(from_sql, until_sql))
    if len(windows) == 1:
        return f"{moments[0]}\n  AND indexHint({days[0]})"
    return f"({' OR '.join(moments)})\n  AND indexHint({' OR '.join(days)})"

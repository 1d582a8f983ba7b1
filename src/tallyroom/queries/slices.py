"""A query in slices of time: its rows over the whole time follow from its rows over disjoint slices of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.window import Window, days_hint_sql, join_windows, moments_sql

TIME_MARK, SLICE_MARK = "{time}", "{slice}"

STRETCH_MS = 10 * MINUTE_MS
"""How far the edge of a window may move on while the rows of its day still hold."""

Side = Literal["before", "after", "both"]


class Edge(NamedTuple):
    """Where in a day a window ends, or begins, or one ends and the next begins: its first moment after the edge.

    `side` is the part of the day that belongs to a window.
    """

    ms: int
    side: Side


class Slice(NamedTuple):
    """A part of the time of a query; `is_whole` if later queries will have exactly this slice again.

    `edge` is set if it is the only one of its day. From there, for a stretch, the store returns rows by the
    millisecond, so that they hold for a later edge in this stretch as well.
    """

    number: int
    window: Window
    is_whole: bool
    edge: Edge | None = None

    @property
    def name(self) -> tuple[int, Side] | Window:
        """What a slice has in common with the one of a later query whose edges have moved on a little."""
        return self.window if self.edge is None else (self.window.from_ms // DAY_MS, self.edge.side)


class SlicedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A SELECT of the columns of a `CellRow`, in slices that are in the order of time and disjoint.

    In its text, `TIME_MARK` is the condition for the time, and `SLICE_MARK` the number of an event's slice, which must
    not affect the other columns. Slices that are buckets have these numbers, by `bucket_sql`. Others have their first
    milliseconds; rows after an edge have their own, and count only if they are in one of the `windows`.
    """

    sql: str
    parameters: dict[str, Any]
    windows: Sequence[Window]
    slices: Sequence[Slice]
    bucket_sql: str | None = None
    may_have_many_rows: bool = False

    def bind(self, parameters: dict[str, Any]) -> "SlicedQuery":
        """Return the query with more parameters."""
        return msgspec.structs.replace(self, parameters=self.parameters | parameters)

    def build_sql(self, slices: Sequence[Slice], stretch_ms: int = STRETCH_MS) -> tuple[str, QueryParameters]:
        """Return the SELECT for some of the slices, in order, and its parameters."""
        parameters = QueryParameters()
        parameters.values = {**self.parameters}
        time_sql = build_time_sql(list(join_windows(slice_.window for slice_ in slices)), parameters)
        number_sql = self.bucket_sql or _build_number_sql(slices, stretch_ms, parameters)
        return self.sql.replace(TIME_MARK, time_sql).replace(SLICE_MARK, number_sql), parameters

    def counts(self, slice_number: int) -> bool:
        """Return whether rows with a number count."""
        return self.bucket_sql is not None or any(
            window.from_ms <= slice_number <= window.until_ms for window in self.windows
        )


def slice_by_day(
    sql: str, parameters: QueryParameters, windows: Sequence[Window], *, may_have_many_rows: bool = False
) -> SlicedQuery:
    """Return a query in slices of UTC days, cut at the ends of `windows`, which are in order and disjoint."""
    parts_by_day: dict[int, list[Window]] = {}
    for window in windows:
        for day in range(max(window.from_ms, 0) // DAY_MS, window.until_ms // DAY_MS + 1):
            start_ms, end_ms = day * DAY_MS, (day + 1) * DAY_MS - 1
            part = Window(max(start_ms, window.from_ms), min(end_ms, window.until_ms))
            parts_by_day.setdefault(day, []).append(part)
    slices = [slice_ for day, parts in parts_by_day.items() for slice_ in _slice_day(day, parts)]
    return SlicedQuery(
        sql=sql,
        parameters=parameters.values,
        windows=windows,
        slices=slices,
        may_have_many_rows=may_have_many_rows,
    )


def slice_by_bucket(sql: str, parameters: QueryParameters, buckets: Buckets, bucket_sql: str) -> SlicedQuery | None:
    """Return a query in slices that are buckets, so that it can have any measure; None if they are not contiguous."""
    if not buckets.are_contiguous:
        return None
    window = buckets.window
    slices = []
    for number, (start_ms, end_ms) in zip(buckets.numbers, pairwise(buckets.edges_ms), strict=True):
        part = Window(max(start_ms, window.from_ms), min(end_ms - 1, window.until_ms))
        slices.append(Slice(number, part, part == Window(start_ms, end_ms - 1)))
    return SlicedQuery(sql=sql, parameters=parameters.values, windows=[window], slices=slices, bucket_sql=bucket_sql)


def _slice_day(day: int, parts: Sequence[Window]) -> Iterator[Slice]:
    """Return the slices of a day of which windows have some parts, in order."""
    start_ms, end_ms = day * DAY_MS, (day + 1) * DAY_MS - 1
    edges_ms = {part.from_ms for part in parts} | {part.until_ms + 1 for part in parts}
    inner_edges_ms = [edge_ms for edge_ms in edges_ms if start_ms < edge_ms <= end_ms]
    if len(inner_edges_ms) != 1:
        for part in parts:
            yield Slice(part.from_ms, part, part == Window(start_ms, end_ms))
        return
    [edge_ms] = inner_edges_ms
    from_ms, until_ms = parts[0].from_ms, parts[-1].until_ms
    if until_ms < end_ms:
        edge, until_ms = Edge(edge_ms, "before"), min(edge_ms + STRETCH_MS - 1, end_ms)
    else:
        edge = Edge(edge_ms, "after" if from_ms == edge_ms else "both")
    yield Slice(from_ms, Window(from_ms, until_ms), is_whole=False, edge=edge)


def _build_number_sql(slices: Iterable[Slice], stretch_ms: int, parameters: QueryParameters) -> str:
    """Return SQL for the first millisecond of the slice or part of an event, or for its own after an edge.

    It compares no moments one by one, because the store would compile such an expression anew for each question.
    """
    starts_ms: list[int] = []
    edges_ms: list[int] = []
    for slice_ in slices:
        starts_ms.append(slice_.window.from_ms)
        if slice_.edge is not None:
            moments_ms = (slice_.edge.ms, slice_.edge.ms + stretch_ms)
            starts_ms += [moment_ms for moment_ms in moments_ms if moment_ms <= slice_.window.until_ms]
            edges_ms.append(slice_.edge.ms)
    ms_sql = "toUnixTimestamp64Milli(timestamp)"
    start_sql = f"roundDown({ms_sql}, {parameters.bind_integers('starts_ms', sorted({*starts_ms}))})"
    if not edges_ms or not stretch_ms:
        return start_sql
    return f"if(has({parameters.bind_integers('edges_ms', edges_ms)}, {start_sql}), {ms_sql}, {start_sql})"


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

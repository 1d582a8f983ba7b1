"""The number of distinct values in some windows, in a form from which the numbers of later windows follow.

Only the time of the last event with a value matters: the value is in a window that ends later if this event is not
before the window's start. So a window that moves on costs no more than the events at its two ends.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.slices import TIME_MARK, build_time_sql, join_windows
from tallyroom.queries.window import Window

PART_MARK = "{part}"
MAX_KEPT_VALUES = 250_000  # of each window; 16 bytes each

_MOMENT_SQL = "toUnixTimestamp64Milli(timestamp)"
_WORD_BYTES = 8
_MORE_BIT = 0x80


class DistinctCounts(NamedTuple):
    """The number of distinct values of each window of a `DistinctQuery`."""

    counts: list[int]


class DistinctQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A SELECT of the distinct values of each part of the time.

    In its text, `TIME_MARK` is the condition for the time, and `PART_MARK` the start of an event's part. `windows` are
    in order and disjoint.
    """

    sql: str
    parameters: dict[str, Any]
    windows: Sequence[Window]

    def build_sql(self, parts: Sequence[Window]) -> tuple[str, QueryParameters]:
        """Return the SELECT for some parts of the time, which are in order and disjoint, and its parameters."""
        parameters = QueryParameters()
        parameters.values = dict(self.parameters)
        time_sql = build_time_sql(list(join_windows(parts)), parameters)
        starts_placeholder = parameters.bind_integers("starts_ms", [part.from_ms for part in parts])
        part_sql = f"roundDown({_MOMENT_SQL}, {starts_placeholder})"
        return self.sql.replace(TIME_MARK, time_sql).replace(PART_MARK, part_sql), parameters


class PartValues(NamedTuple):
    """The values of one part of the time: their number, their hashes in order, and the time of the last event of each.

    The two arrays have at most `MAX_KEPT_VALUES` entries.
    """

    start_ms: int
    count: int
    hashes: "array[int]"
    last_ms: "array[int]"


def build_distinct_query(
    value_sql: str, where_sql: str, parameters: QueryParameters, windows: Sequence[Window]
) -> DistinctQuery:
    """Return the query for the distinct values of some events; `where_sql` has a `TIME_MARK`.

    A hash and a time are packed into one integer, because the store is slow at sorting tuples.
    """
    sql = f"""
SELECT part, count() AS counted,
  arraySort(groupArray({MAX_KEPT_VALUES})(bitShiftLeft(toUInt128(hash), 64) + toUInt64(last_ms))) AS packed
FROM (
  SELECT {PART_MARK} AS part, sipHash64({value_sql}) AS hash, max({_MOMENT_SQL}) AS last_ms
  FROM events
  {where_sql}
  GROUP BY part, hash
)
GROUP BY part"""
    return DistinctQuery(sql=sql.strip(), parameters=parameters.values, windows=windows)


def read_parts(answer: bytes) -> Iterator[PartValues]:
    """Read the answer to a `DistinctQuery` in the format RowBinary: two integers and an array of pairs in each row."""
    position = 0
    while position < len(answer):
        start_ms = int.from_bytes(answer[position : position + _WORD_BYTES], "little", signed=True)
        count = int.from_bytes(answer[position + _WORD_BYTES : position + 2 * _WORD_BYTES], "little")
        length, position = _read_length(answer, position + 2 * _WORD_BYTES)
        end = position + 2 * _WORD_BYTES * length
        words = array("Q", answer[position:end])
        yield PartValues(start_ms, count, words[1::2], words[::2])
        position = end


def _read_length(answer: bytes, position: int) -> tuple[int, int]:
    """Read an integer of seven bits a byte, the lowest first; return it and the position after it."""
    length = shift = 0
    while True:
        byte = answer[position]
        position += 1
        length |= (byte & ~_MORE_BIT) << shift
        if not byte & _MORE_BIT:
            return length, position
        shift += 7

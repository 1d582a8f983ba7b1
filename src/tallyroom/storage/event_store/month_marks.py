"""Marks of the months in the event store, by which a reader sees whether a month has changed since it last looked."""

from typing import NamedTuple

import msgspec

READ_MONTH_MARKS = """
SELECT toUInt32(partition_id) AS month, max(max_block_number) AS last_block, sum(rows) AS row_count
FROM system.parts
WHERE active AND database = currentDatabase() AND table = 'events'
GROUP BY partition_id"""


class MonthMark(NamedTuple):
    """Changes when a block of any workspace is inserted into the month or rows are removed, but not by merges."""

    last_block: int
    row_count: int


class _MonthMarkRow(msgspec.Struct):
    month: int
    last_block: int
    row_count: int


_row_decoder = msgspec.json.Decoder(_MonthMarkRow, strict=False)  # servers may quote large integers


def decode_month_marks(answer: bytes) -> dict[int, MonthMark]:
    """Return the mark of each month, such as 202611, from the answer to `READ_MONTH_MARKS`."""
    return {row.month: MonthMark(row.last_block, row.row_count) for row in _row_decoder.decode_lines(answer)}

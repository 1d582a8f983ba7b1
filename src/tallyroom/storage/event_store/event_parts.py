"""The parts of the events in the store, from which a reader sees on which days events may have arrived."""

from calendar import monthrange
from collections import defaultdict
from collections.abc import Collection
from datetime import date
from typing import NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS

READ_PARTS = """
SELECT toUInt32(partition_id) AS month, min_block_number AS first_block, max_block_number AS last_block,
  rows AS row_count, toUnixTimestamp(min_time) AS from_s, toUnixTimestamp(max_time) AS until_s
FROM system.parts
WHERE active AND database = currentDatabase() AND table = 'events'"""

_DAY_S = DAY_MS // 1000
_EPOCH_DAY = date(1970, 1, 1).toordinal()


class EventPart(NamedTuple):
    """A part: its month (as in 202611), the blocks that were merged into it, and the times of its events in seconds."""

    month: int
    first_block: int
    last_block: int
    row_count: int
    from_s: int
    until_s: int

    @property
    def seconds(self) -> range:
        """The seconds since 1970-01-01 UTC in which the part may have events."""
        year, number = divmod(self.month, 100)
        first_day = date(year, number, 1).toordinal() - _EPOCH_DAY
        month = range(first_day * _DAY_S, (first_day + monthrange(year, number)[1]) * _DAY_S)
        seconds = range(self.from_s, self.until_s + 1)
        is_plausible = bool(seconds) and seconds[0] in month and seconds[-1] in month
        return seconds if is_plausible else month  # a store that does not know the times of its parts says 1970

    @property
    def days(self) -> range:
        """The UTC days on which the part may have events, as numbers of days since 1970-01-01."""
        return range(self.seconds[0] // _DAY_S, self.seconds[-1] // _DAY_S + 1)

    def contains(self, other: "EventPart") -> bool:
        """Return whether the other part's blocks are among those of this one."""
        return (
            self.month == other.month and self.first_block <= other.first_block and other.last_block <= self.last_block
        )


class _PartRow(msgspec.Struct):
    month: int
    first_block: int
    last_block: int
    row_count: int
    from_s: int
    until_s: int


_row_decoder = msgspec.json.Decoder(_PartRow, strict=False)  # servers may quote large integers


def decode_parts(answer: bytes) -> frozenset[EventPart]:
    """Return the parts from the answer to `READ_PARTS`."""
    return frozenset(EventPart(*msgspec.structs.astuple(row)) for row in _row_decoder.decode_lines(answer))


def find_changed_parts(earlier_parts: Collection[EventPart], parts: Collection[EventPart]) -> list[EventPart]:
    """Return the parts of whose events some may have come or gone between two looks.

    Merges and rewrites change nothing: the new part has as many events as the parts that it replaces. An inserted block
    is a changed part, even if it is merged at once; then the part that it was merged into has changed.
    """
    new_parts, gone_parts = set(parts) - set(earlier_parts), set(earlier_parts) - set(parts)
    replaced_by_part: dict[EventPart, list[EventPart]] = defaultdict(list)
    changed_parts: list[EventPart] = []
    for gone_part in gone_parts:
        successor = next((part for part in new_parts if part.contains(gone_part)), None)
        if successor is None:
            changed_parts.append(gone_part)
        else:
            replaced_by_part[successor].append(gone_part)
    changed_parts += [
        part for part in new_parts if part.row_count != sum(replaced.row_count for replaced in replaced_by_part[part])
    ]
    return changed_parts

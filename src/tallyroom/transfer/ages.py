"""Counts the rows that are older than any chart reaches."""

from collections.abc import Iterable
from typing import Final

import msgspec

from tallyroom.core.ranges import RANGE_MS
from tallyroom.core.times import DAY_MS, iso_ms
from tallyroom.ingest.timestamp import parse_timestamp
from tallyroom.transfer.batch import SentRow

_REACH_MS: Final = max(RANGE_MS.values())
_DATE: Final = len("2026-11-20")


class _Dated(msgspec.Struct):
    timestamp: str = msgspec.field(name="_timestamp", default="")


_decode = msgspec.json.Decoder(_Dated).decode


class Ages:
    """Looks at events that count.

    Args:
        now_ms: the time, in ms since 1970 UTC.

    Attributes:
        older: how many lie further back than the longest range of charts and lists.
    """

    def __init__(self, now_ms: int) -> None:
        self.older = 0
        self._edge_ms = now_ms - _REACH_MS
        # An offset is less than a day, so the date alone decides about all but a few days.
        self._surely_older = iso_ms(self._edge_ms - DAY_MS)[:_DATE]
        self._surely_not = iso_ms(self._edge_ms + DAY_MS)[:_DATE]

    def note(self, rows: Iterable[SentRow]) -> None:
        """Count these, too."""
        self.older += sum(self._is_older(_decode(row.item).timestamp) for row in rows)

    def _is_older(self, text: str) -> bool:
        date = text[:_DATE]
        if date > self._surely_not and date[4:5] == "-":
            return False
        if date < self._surely_older and date[4:5] == "-":
            return True
        moment = parse_timestamp(text)
        return moment is not None and moment < self._edge_ms

"""Counts rows whose times deserve a remark: older than any chart reaches, or without an offset."""

from collections.abc import Iterable
from typing import Final

import msgspec

from tallyroom.core.ranges import RANGE_MS
from tallyroom.core.times import DAY_MS, iso_ms
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.times import has_offset

_REACH_MS: Final = max(RANGE_MS.values())
_DATE: Final = len("2026-11-20")


class _Dated(msgspec.Struct):
    timestamp: str = msgspec.field(name="_timestamp", default="")


_decode = msgspec.json.Decoder(_Dated).decode


class Ages:
    """Counts such events among those that were accepted.

    Args:
        now_ms: the time, in ms since 1970 UTC.

    Attributes:
        older: the number of events older than the longest range of charts and lists.
        without_offset: the number of events whose time has no offset from UTC.
    """

    def __init__(self, now_ms: int) -> None:
        self.older = 0
        self.without_offset = 0
        self._edge_ms = now_ms - _REACH_MS
        # An offset is less than a day, so the date alone decides about all but a few days.
        self._surely_older = iso_ms(self._edge_ms - DAY_MS)[:_DATE]
        self._surely_not = iso_ms(self._edge_ms + DAY_MS)[:_DATE]

    def note(self, rows: Iterable[SentRow]) -> None:
        """Examine more rows."""
        for row in rows:
            if text := _decode(row.item).timestamp:
                self.older += self._is_older(text)
                self.without_offset += not has_offset(text)

    def _is_older(self, text: str) -> bool:
        date = text[:_DATE]
        if date > self._surely_not and date[4:5] == "-":
            return False
        if date < self._surely_older and date[4:5] == "-":
            return True
        moment = parse_timestamp(text)
        return moment is not None and moment < self._edge_ms

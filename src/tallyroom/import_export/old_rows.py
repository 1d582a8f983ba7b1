"""Counts rows whose times need a remark: older than the range of any chart, or without an offset."""

from collections.abc import Iterable
from typing import Final

import msgspec

from tallyroom.core.ranges import RANGE_DURATION_MS
from tallyroom.core.times import DAY_MS, iso_ms
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.times import has_offset

_MAX_RANGE_MS: Final = max(RANGE_DURATION_MS.values())
_DATE_LENGTH: Final = len("2026-11-20")


class _TimestampedEvent(msgspec.Struct):
    timestamp: str = msgspec.field(name="_timestamp", default="")


_decode_event = msgspec.json.Decoder(_TimestampedEvent).decode


class OldRowCounter:
    """Counts accepted events older than the longest range of charts, and those without an offset from UTC."""

    def __init__(self, now_ms: int) -> None:
        self.old_count = 0
        self.without_offset_count = 0
        self._cutoff_ms = now_ms - _MAX_RANGE_MS
        # An offset is less than a day, so the date alone decides for all but a few days.
        self._old_before_date = iso_ms(self._cutoff_ms - DAY_MS)[:_DATE_LENGTH]
        self._recent_after_date = iso_ms(self._cutoff_ms + DAY_MS)[:_DATE_LENGTH]

    def count_rows(self, rows: Iterable[SentRow]) -> None:
        """Count more rows."""
        for row in rows:
            if timestamp := _decode_event(row.item_json).timestamp:
                self.old_count += self._is_old(timestamp)
                self.without_offset_count += not has_offset(timestamp)

    def _is_old(self, timestamp: str) -> bool:
        date = timestamp[:_DATE_LENGTH]
        if date > self._recent_after_date and date[4:5] == "-":
            return False
        if date < self._old_before_date and date[4:5] == "-":
            return True
        time_ms = parse_timestamp(timestamp)
        return time_ms is not None and time_ms < self._cutoff_ms

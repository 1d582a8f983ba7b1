"""Reads times as files have them: ISO 8601 text, a date, or a Unix time in one of four units."""

import datetime as dt
import re
from decimal import Decimal
from typing import Final, Literal
from zoneinfo import ZoneInfo

from tallyroom.core.times import MAX_DATETIME_MS, iso_ms
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.row import Cell, RowRefused, is_number, text_of

TimeUnit = Literal["auto", "iso", "s", "ms", "us", "ns"]

_MS_PER_UNIT: Final[dict[str, Decimal]] = {
    "s": Decimal(1000),
    "ms": Decimal(1),
    "us": Decimal("0.001"),
    "ns": Decimal("0.000001"),
}
# A number below the bound is in the unit: each unit covers March 1973 to the year 5138. Smaller numbers are more likely
# years, dates without dashes or days than seconds, so they are refused until a person names the unit.
_MIN_UNIX_TIME: Final = Decimal(10**8)
_UPPER_BOUNDS: Final = ((Decimal(10**11), "s"), (Decimal(10**14), "ms"), (Decimal(10**17), "us"))
_MAX_MS: Final = Decimal(MAX_DATETIME_MS)

_DATE_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMBER_PATTERN = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,9})?")
_OFFSET_PATTERN = re.compile(r"(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)$")
_MIDNIGHT_SUFFIX = "T00:00:00"


class TimestampReader:
    """Turns the cell of a timestamp column into text that the server accepts.

    The unit ``auto`` reads text as ISO 8601 and infers the unit of a number from its size. `zone`, UTC by default,
    applies to text without an offset and, if `epoch_is_local`, to Unix times.
    """

    def __init__(self, unit: TimeUnit, zone: ZoneInfo | None, *, epoch_is_local: bool = False) -> None:
        self._unit = unit
        self._zone = zone
        self._epoch_zone = zone if epoch_is_local else None

    def read_timestamp(self, cell: Cell) -> str:
        """Return the moment as ISO 8601 text, or raise `RowRefused` if the cell is not a time in this unit."""
        text = text_of(cell, "timestamp").strip()
        is_numeric = is_number(cell) or bool(_NUMBER_PATTERN.fullmatch(text))
        if self._unit == "iso" or (self._unit == "auto" and not is_numeric):
            return self._read_text(text)
        return self._read_number(text)

    def _read_text(self, text: str) -> str:
        timestamp = text + _MIDNIGHT_SUFFIX if _DATE_PATTERN.fullmatch(text) else text
        if parse_timestamp(timestamp) is None:
            raise RowRefused(f"timestamp: {text[:40]!r} is not an ISO 8601 date-time")
        if self._zone is None or has_offset(timestamp):
            return timestamp
        return _convert_to_utc(dt.datetime.fromisoformat(timestamp.upper()), self._zone)

    def _read_number(self, text: str) -> str:
        if not _NUMBER_PATTERN.fullmatch(text):
            raise RowRefused(f"timestamp: {text[:40]!r} is not a Unix time")
        number = Decimal(text)
        unit = self._unit if self._unit != "auto" else _infer_unit(number, text)
        if not 0 <= number <= _MAX_MS / _MS_PER_UNIT[unit]:
            raise RowRefused(f"timestamp: {text[:40]} in {unit} is not between the years 1970 and 9999")
        timestamp = iso_ms(int(number * _MS_PER_UNIT[unit]))
        if self._epoch_zone is None:
            return timestamp
        return _convert_to_utc(dt.datetime.fromisoformat(timestamp.removesuffix("Z")), self._epoch_zone)


def _infer_unit(number: Decimal, text: str) -> str:
    if number < _MIN_UNIX_TIME:
        raise RowRefused(f"timestamp: {text[:40]} is ambiguous; add --timestamp-unit")
    return next((unit for bound, unit in _UPPER_BOUNDS if number < bound), "ns")


def has_offset(timestamp: str) -> bool:
    """Return whether an ISO 8601 date-time states its offset from UTC; a bare date does not."""
    time_part = timestamp[10:]  # after the date, whose dashes look like an offset
    return bool(_OFFSET_PATTERN.search(time_part))


def _convert_to_utc(local_time: dt.datetime, zone: ZoneInfo) -> str:
    try:
        utc_time = local_time.replace(tzinfo=zone).astimezone(dt.UTC)
    except OverflowError:
        text = f"{local_time.isoformat()} in {zone.key}"
        raise RowRefused(f"timestamp: {text} is not between the years 1 and 9999") from None
    return utc_time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

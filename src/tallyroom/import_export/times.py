"""Reads times in the forms that files use: ISO 8601 text, a bare date, or a Unix time in one of four units."""

import datetime as dt
import re
from decimal import Decimal
from typing import Final, Literal
from zoneinfo import ZoneInfo

from tallyroom.core.times import LAST_MS, iso_ms
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.row import Cell, RowRefused, is_number, text_of

Unit = Literal["auto", "iso", "s", "ms", "us", "ns"]

_IN_MS: Final[dict[str, Decimal]] = {
    "s": Decimal(1000),
    "ms": Decimal(1),
    "us": Decimal("0.001"),
    "ns": Decimal("0.000001"),
}
# A number below the bound is in the unit: each unit covers March 1973 to the year 5138. Smaller numbers are more likely
# years, dates without dashes or days than seconds, so they are refused until a person says what they are.
_LEAST: Final = Decimal(10**8)
_BOUNDS: Final = ((Decimal(10**11), "s"), (Decimal(10**14), "ms"), (Decimal(10**17), "us"))
_LATEST_MS: Final = Decimal(LAST_MS)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMERIC = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,9})?")
_WITH_OFFSET = re.compile(r"(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)$")
_MIDNIGHT = "T00:00:00"


class MomentReader:
    """Turns the cell of a timestamp column into text that the server accepts.

    Args:
        unit: the form of the column; ``auto`` reads text as ISO 8601 and infers the unit of a number from its size.
        zone: the time zone of text without an offset; UTC if None.
        epoch_is_local: whether Unix times count from 1970 in `zone` instead of UTC.
    """

    def __init__(self, unit: Unit, zone: ZoneInfo | None, *, epoch_is_local: bool = False) -> None:
        self._unit = unit
        self._zone = zone
        self._epoch_zone = zone if epoch_is_local else None

    def read(self, cell: Cell) -> str:
        """Return the moment as ISO 8601 text.

        Raises:
            RowRefused: the cell is not a time in this unit.
        """
        text = text_of(cell, "timestamp").strip()
        numeric = is_number(cell) or bool(_NUMERIC.fullmatch(text))
        if self._unit == "iso" or (self._unit == "auto" and not numeric):
            return self._from_text(text)
        return self._from_number(text)

    def _from_text(self, text: str) -> str:
        moment = text + _MIDNIGHT if _DATE.fullmatch(text) else text
        if parse_timestamp(moment) is None:
            raise RowRefused(f"timestamp: {text[:40]!r} is not an ISO 8601 date-time")
        if self._zone is None or has_offset(moment):
            return moment
        return _in_zone(dt.datetime.fromisoformat(moment.upper()), self._zone)

    def _from_number(self, text: str) -> str:
        if not _NUMERIC.fullmatch(text):
            raise RowRefused(f"timestamp: {text[:40]!r} is not a Unix time")
        number = Decimal(text)
        unit = self._unit if self._unit != "auto" else _unit_of(number, text)
        if not 0 <= number <= _LATEST_MS / _IN_MS[unit]:
            raise RowRefused(f"timestamp: {text[:40]} in {unit} is not between the years 1970 and 9999")
        moment = iso_ms(int(number * _IN_MS[unit]))
        if self._epoch_zone is None:
            return moment
        return _in_zone(dt.datetime.fromisoformat(moment.removesuffix("Z")), self._epoch_zone)


def _unit_of(number: Decimal, text: str) -> str:
    if number < _LEAST:
        raise RowRefused(f"timestamp: {text[:40]} is ambiguous; add --timestamp-unit")
    return next((unit for bound, unit in _BOUNDS if number < bound), "ns")


def has_offset(moment: str) -> bool:
    """Return whether an ISO 8601 date-time states its offset from UTC; a bare date does not."""
    time = moment[10:]  # behind the date, whose dashes look like an offset
    return bool(_WITH_OFFSET.search(time))


def _in_zone(local: dt.datetime, zone: ZoneInfo) -> str:
    try:
        moment = local.replace(tzinfo=zone).astimezone(dt.UTC)
    except OverflowError:
        raise RowRefused(f"timestamp: {local.isoformat()} in {zone.key} is not between the years 1 and 9999") from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

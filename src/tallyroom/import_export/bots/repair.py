"""Repairs a bot from a foreign listing: cuts or leaves out what no listing accepts, so that the rest gets in."""

import re
import unicodedata
from typing import Any, Final, get_args

import msgspec
from msgspec import Raw

from tallyroom.bots.ids import BotId
from tallyroom.bots.limits import EARLIEST_MS, MOST_NAMED, Count, Rating
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.bots.fields import BOT, CellReader, Kind
from tallyroom.import_export.row import Cell, RowRefused
from tallyroom.import_export.times import MomentReader
from tallyroom.rest.fields import ShortText, Text, Title, Url

TYPES: Final[dict[Kind, Any]] = {
    Kind.ID: BotId,
    Kind.TITLE: Title,
    Kind.TEXT: Text,
    Kind.SHORT_TEXT: ShortText,
    Kind.URL: Url,
    Kind.FLAG: bool,
    Kind.COUNT: Count,
    Kind.RATING: Rating,
}
"""What a listing accepts."""

_ENTRIES: Final = {Kind.IDS: Kind.ID, Kind.TITLES: Kind.TITLE}
_CUT: Final = {kind: get_args(TYPES[kind])[1].max_length for kind in (Kind.TITLE, Kind.TEXT, Kind.SHORT_TEXT)}
_SPACES: Final = re.compile(r"\s+")
_UNSEEN: Final = frozenset({"Cc", "Zl", "Zp"})
_TURNING: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


class BotRepairer:
    """Reads the values of foreign bots.

    Args:
        now_ms: the time now; no moment may be later.
    """

    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms
        self._reader = CellReader(MomentReader("auto", None))

    def bot(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a bot in a form that a listing accepts.

        Args:
            values: JSON values by field.

        Raises:
            RowRefused: its id is not valid.
        """
        read = {name: self._read(kind, values[name]) for name, kind in BOT.items() if name in values}
        if read.get("id") is None:
            raise RowRefused(f"id: {repr(values['id'])[:40] if 'id' in values else 'nothing'} is not 17 to 19 digits")
        return {name: value for name, value in read.items() if value is not None}

    def moment(self, value: Any) -> str | None:
        """Return a moment as ISO 8601 text; None if a listing would not accept it."""
        try:
            text = self._reader.read(Kind.MOMENT, _cell(value))
        except RowRefused:
            return None
        time_ms = parse_timestamp(text) if isinstance(text, str) else None
        return text if time_ms is not None and EARLIEST_MS <= time_ms <= self._now_ms else None

    def _read(self, kind: Kind, value: Any) -> Any:
        if kind is Kind.MOMENT:
            return self.moment(value)
        read = self._reader.read(kind, _cell(value))
        if kind not in _ENTRIES:
            return _taken(kind, read)
        if not isinstance(read, list):
            return None
        entries = (_taken(_ENTRIES[kind], entry) for entry in read)
        return [entry for entry in entries if entry][:MOST_NAMED]


def _taken(kind: Kind, value: Any) -> Any:
    """Return the value in a form that a listing accepts, or None."""
    if kind in _CUT and isinstance(value, str):
        value = _visible(value)[: _CUT[kind]].strip()
    try:
        return msgspec.convert(value, TYPES[kind])
    except msgspec.ValidationError:
        return None


def _visible(text: str) -> str:
    """Return `text` on one line, without invisible characters and those that reverse the order of letters."""
    letters = (" " if _is_unseen(letter) else letter for letter in text)
    return _SPACES.sub(" ", "".join(letters)).strip()


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _UNSEEN or unicodedata.bidirectional(letter) in _TURNING


def _cell(value: Any) -> Cell:
    return value if isinstance(value, str) else Raw(msgspec.json.encode(value))

"""Repairs a bot from a foreign listing: shortens or removes what no listing accepts, so that the rest is accepted."""

import re
import unicodedata
from typing import Any, Final, get_args

import msgspec
from msgspec import Raw

from tallyroom.bots.ids import BotId
from tallyroom.bots.limits import MAX_OWNERS_OR_TAGS, MIN_TIME_MS, Count, Rating
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.bots.fields import BOT_FIELDS, CellReader, FieldKind
from tallyroom.import_export.row import Cell, RowRefused
from tallyroom.import_export.times import TimestampReader
from tallyroom.rest.fields import ShortText, Text, Title, Url

ACCEPTED_TYPE_BY_KIND: Final[dict[FieldKind, Any]] = {
    FieldKind.ID: BotId,
    FieldKind.TITLE: Title,
    FieldKind.TEXT: Text,
    FieldKind.SHORT_TEXT: ShortText,
    FieldKind.URL: Url,
    FieldKind.FLAG: bool,
    FieldKind.COUNT: Count,
    FieldKind.RATING: Rating,
}
"""The type of value that a listing accepts, by kind of field."""

_ENTRY_KIND_BY_LIST_KIND: Final = {FieldKind.IDS: FieldKind.ID, FieldKind.TITLES: FieldKind.TITLE}
_MAX_LENGTH_BY_KIND: Final = {
    kind: get_args(ACCEPTED_TYPE_BY_KIND[kind])[1].max_length
    for kind in (FieldKind.TITLE, FieldKind.TEXT, FieldKind.SHORT_TEXT)
}
_WHITESPACE: Final = re.compile(r"\s+")
_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Zl", "Zp"})
_DIRECTION_CONTROLS: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


class BotRepairer:
    """Reads the values of foreign bots; no time may be later than `now_ms`."""

    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms
        self._cell_reader = CellReader(TimestampReader("auto", None))

    def repair_bot(self, value_by_field: dict[str, Any]) -> dict[str, Any]:
        """Return a bot's JSON values by field as a listing accepts them; raise `RowRefused` if its id is invalid."""
        repaired_by_field = {
            name: self._repair_field(kind, value_by_field[name])
            for name, kind in BOT_FIELDS.items()
            if name in value_by_field
        }
        if repaired_by_field.get("id") is None:
            bot_id = repr(value_by_field["id"])[:40] if "id" in value_by_field else "nothing"
            raise RowRefused(f"id: {bot_id} is not 17 to 19 digits")
        return {name: value for name, value in repaired_by_field.items() if value is not None}

    def repair_timestamp(self, value: Any) -> str | None:
        """Return a time as ISO 8601 text; None if a listing would not accept it."""
        try:
            text = self._cell_reader.read_cell(FieldKind.TIMESTAMP, _encode_cell(value))
        except RowRefused:
            return None
        time_ms = parse_timestamp(text) if isinstance(text, str) else None
        return text if time_ms is not None and MIN_TIME_MS <= time_ms <= self._now_ms else None

    def _repair_field(self, kind: FieldKind, value: Any) -> Any:
        if kind is FieldKind.TIMESTAMP:
            return self.repair_timestamp(value)
        cell_value = self._cell_reader.read_cell(kind, _encode_cell(value))
        if kind not in _ENTRY_KIND_BY_LIST_KIND:
            return _fit_value(kind, cell_value)
        if not isinstance(cell_value, list):
            return None
        entries = (_fit_value(_ENTRY_KIND_BY_LIST_KIND[kind], entry) for entry in cell_value)
        return [entry for entry in entries if entry][:MAX_OWNERS_OR_TAGS]


def _fit_value(kind: FieldKind, value: Any) -> Any:
    if kind in _MAX_LENGTH_BY_KIND and isinstance(value, str):
        value = _strip_invisible(value)[: _MAX_LENGTH_BY_KIND[kind]].strip()
    try:
        return msgspec.convert(value, ACCEPTED_TYPE_BY_KIND[kind])
    except msgspec.ValidationError:
        return None


def _strip_invisible(text: str) -> str:
    """Return `text` on one line, without invisible characters and those that change the writing direction."""
    characters = (" " if _is_invisible(character) else character for character in text)
    return _WHITESPACE.sub(" ", "".join(characters)).strip()


def _is_invisible(character: str) -> bool:
    return (
        unicodedata.category(character) in _INVISIBLE_CATEGORIES
        or unicodedata.bidirectional(character) in _DIRECTION_CONTROLS
    )


def _encode_cell(value: Any) -> Cell:
    return value if isinstance(value, str) else Raw(msgspec.json.encode(value))
